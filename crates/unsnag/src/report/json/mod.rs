//! The JSON documents, one a verb. Their types are frozen: a change of meaning raises `schema_version`.

mod catalogue;
mod check;
mod diagnosis;
mod operation;
mod plan;

pub use catalogue::{ExplainDocument, ListDocument};
pub use check::{CheckDocument, Directory};
pub use diagnosis::DiagnosisDocument;
pub use operation::{
    AppliedDocument, ForgottenDocument, HistoryDocument, RecoveredDocument, RevertedDocument,
    StatusDocument, TwinDocument, UnneededJson,
};
pub use plan::{PatchDocument, PlanDocument, patches};

/// The version of every document here.
const SCHEMA_VERSION: u32 = 1;
