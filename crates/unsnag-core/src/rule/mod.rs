//! Finding sites: the data rule (when, unless, cure), the trait for rules in Rust, and what both look through.

mod compare;
mod data;
mod glob;
mod look;
mod place;
mod site;
mod truth;

pub use compare::compare;
pub use data::{DataCure, DataRule};
pub use glob::Glob;
pub use look::Look;
pub use place::{Captures, Found, Place};
pub use site::{Cure, Evidence, FileEdit, Outcome, Site};
pub(crate) use truth::merge;
pub use truth::{Gap, GapKind, Truth};

/// A fix's body in Rust, for what is not data.
///
/// A rule is built once from the fix's `args` and asked on every view. It returns its sites in document order; a fact that it cannot read is a gap.
pub trait Rule: std::fmt::Debug + Send + Sync {
    /// The sites of this view.
    ///
    /// # Errors
    /// The facts that are missing before any site can be named.
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>>;

    /// Why sites that look like one are none on this view, for those who ask.
    fn ruled_out(&self, look: &Look<'_, '_>) -> Vec<String> {
        let _ = look;
        Vec::new()
    }
}

/// Builds a rule from the fix's `args`; the error says what is wrong with them.
pub type RuleBuilder =
    fn(&serde_json::Map<String, serde_json::Value>) -> Result<Box<dyn Rule>, String>;
