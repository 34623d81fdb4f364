//! Where the engine reads the document's text from.

use crate::position::{Position, position};
use crate::scan::{Scanner, Sink};
use std::borrow::Cow;
use std::convert::Infallible;
use std::ops::Range;

/// A document's text, to be read in parts. It has been found valid before.
pub(crate) trait Source {
    /// Why it cannot be read.
    type Error;

    /// The bytes of `range`.
    fn read(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, Self::Error>;

    /// Feeds the bytes of `range`, a container, to `scanner`.
    fn feed<K: Sink>(
        &self,
        range: Range<usize>,
        scanner: &mut Scanner<K>,
    ) -> Result<(), Self::Error>;

    /// The position of the byte at `offset`.
    fn position(&self, offset: usize) -> Result<Position, Self::Error>;
}

impl Source for &[u8] {
    type Error = Infallible;

    fn read(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, Infallible> {
        Ok(Cow::Borrowed(self.get(range).unwrap_or_default()))
    }

    fn feed<K: Sink>(
        &self,
        range: Range<usize>,
        scanner: &mut Scanner<K>,
    ) -> Result<(), Infallible> {
        // A valid text has no fault to tell of.
        let _valid = scanner.feed(self.get(range).unwrap_or_default());
        Ok(())
    }

    fn position(&self, offset: usize) -> Result<Position, Infallible> {
        Ok(position(self, offset))
    }
}
