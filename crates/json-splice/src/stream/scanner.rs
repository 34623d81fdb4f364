//! A document in pieces of any size: validated, and values in it found.

use crate::engine::{Locator, Trie};
use crate::kind::Kind;
use crate::pointer::Pointer;
use crate::position::PositionCounter;
use crate::scan::{self, Fault, Sink};
use crate::syntax::SyntaxError;
use std::ops::Range;

/// Validates a document that comes in pieces, and finds the values at given pointers in it.
///
/// The pieces may end anywhere. What is kept grows with the pointers, not with the document.
///
/// ```
/// use json_splice::{Kind, Pointer, Scanner};
///
/// let theta: Pointer = "/rope/theta".parse()?;
/// let mut scanner = Scanner::new([theta, "/rope/type".parse()?]);
/// for piece in [&br#"{"rope": {"the"#[..], br#"ta": 1e"#, b"+6}}"] {
///     scanner.feed(piece)?;
/// }
/// let found = scanner.finish()?;
/// let theta = found[0].as_ref().unwrap();
/// assert_eq!((theta.kind, theta.span.clone()), (Kind::Number, 19..23));
/// assert_eq!(found[1], None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Scanner {
    pointers: Vec<Pointer>,
    scan: Positioned<Locator>,
}

/// A value that a [`Scanner`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// What sort of value it is.
    pub kind: Kind,
    /// Where it stands, in bytes from the start of the document.
    pub span: Range<usize>,
}

impl Scanner {
    /// A scanner that looks for the values at `pointers`.
    pub fn new(pointers: impl IntoIterator<Item = Pointer>) -> Scanner {
        let pointers: Vec<Pointer> = pointers.into_iter().collect();
        let locator = Locator::new(Trie::new(&pointers));
        Scanner {
            pointers,
            scan: Positioned::new(locator),
        }
    }

    /// Reads on through `piece`.
    ///
    /// # Errors
    /// The first place that breaks the grammar or is not UTF-8. The scanner is of no use after that.
    pub fn feed(&mut self, piece: &[u8]) -> Result<(), SyntaxError> {
        self.scan.feed(piece)
    }

    /// The document ends here. For each pointer, in the order given: the value there, of a key that
    /// stands twice the last one.
    ///
    /// # Errors
    /// When the document is not complete.
    pub fn finish(self) -> Result<Vec<Option<Located>>, SyntaxError> {
        let locator = self.scan.finish()?;
        let located = |pointer| {
            let (kind, span) = locator.find(pointer)?;
            Some(Located { kind, span })
        };
        Ok(self.pointers.iter().map(located).collect())
    }
}

/// A scan that counts lines as it goes, since the pieces do not come back.
#[derive(Debug)]
pub(super) struct Positioned<S> {
    scanner: scan::Scanner<S>,
    passed: usize,
    counter: PositionCounter,
}

impl<S: Sink> Positioned<S> {
    pub(super) fn new(sink: S) -> Positioned<S> {
        Positioned {
            scanner: scan::Scanner::new(sink),
            passed: 0,
            counter: PositionCounter::default(),
        }
    }

    pub(super) fn sink_mut(&mut self) -> &mut S {
        self.scanner.sink_mut()
    }

    pub(super) fn feed(&mut self, piece: &[u8]) -> Result<(), SyntaxError> {
        let fault = self.scanner.feed(piece).err();
        let good = fault.map_or(piece.len(), |fault| {
            fault.offset.saturating_sub(self.passed)
        });
        let result = match fault {
            // The character began in an earlier piece, so its column is counted already.
            Some(fault) if fault.offset < self.passed => Err(self.error(fault, 1)),
            Some(fault) => {
                self.counter.pass(piece.get(..good).unwrap_or(piece));
                Err(self.error(fault, 0))
            }
            None => {
                self.counter.pass(piece);
                Ok(())
            }
        };
        self.passed += good;
        result
    }

    pub(super) fn finish(self) -> Result<S, SyntaxError> {
        let Positioned {
            scanner,
            passed,
            counter,
        } = self;
        scanner.finish().map_err(|fault| {
            let back = usize::from(fault.offset < passed);
            error(&counter, fault, back)
        })
    }

    fn error(&self, fault: Fault, back: usize) -> SyntaxError {
        error(&self.counter, fault, back)
    }
}

/// The error at the counter's position, so many columns back.
fn error(counter: &PositionCounter, fault: Fault, back: usize) -> SyntaxError {
    let mut position = counter.position();
    position.column -= back;
    SyntaxError {
        offset: fault.offset,
        position,
        found: fault.found,
        expected: fault.expected,
    }
}
