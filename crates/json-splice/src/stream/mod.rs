//! Documents that are not held in memory: in pieces, from a reader, to a writer.

mod error;
mod items;
mod picker;
mod reader;
mod scanner;
mod splice;

pub use error::StreamError;
pub use items::{Item, Items};
pub use scanner::{Located, Scanner};

/// So many bytes are read at a time.
const CHUNK: usize = 256 * 1024;
