//! Where the engine reads the document's text from.

use crate::position::{Position, position};
use std::borrow::Cow;
use std::convert::Infallible;
use std::ops::Range;

/// A document's text, to be read in parts.
pub(crate) trait Source {
    /// Why it cannot be read.
    type Error;

    /// The bytes of `range`.
    fn read(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, Self::Error>;

    /// The position of the byte at `offset`.
    fn position(&self, offset: usize) -> Result<Position, Self::Error>;
}

impl Source for &[u8] {
    type Error = Infallible;

    fn read(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, Infallible> {
        Ok(Cow::Borrowed(self.get(range).unwrap_or_default()))
    }

    fn position(&self, offset: usize) -> Result<Position, Infallible> {
        Ok(position(self, offset))
    }
}
