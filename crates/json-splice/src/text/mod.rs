//! Small readings of JSON text: white space, strings, numbers.

mod number;
mod skip;
mod space;
mod string;

pub(crate) use number::same_number;
pub(crate) use skip::value_end;
pub(crate) use space::{find_text_stop, skip_space, text_end};
pub(crate) use string::{decode, decode_lossy, encode};
