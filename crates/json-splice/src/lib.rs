//! A lossless JSON document.
