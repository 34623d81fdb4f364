//! The transaction: journal, origins, steps, revert, recovery, and the only module that writes.
//!
//! Everything it keeps lies in `.unsnag/` in the model directory. An operation stages every new file there, writes one checksummed journal that holds
//! the whole next state, exchanges directory entries, and commits by renaming the journal to `state`. Whatever is not committed goes back.

mod apply;
mod change;
mod entry;
mod error;
mod forget;
pub mod fsys;
mod home;
mod lock;
mod origin;
mod out;
mod rebase;
mod recover;
pub mod revert;
mod stage;
mod state;
mod status;
mod transaction;

pub use apply::apply;
pub use change::{
    Action, Applied, Before, Consulted, FileChange, Label, Options, Request, Touched,
};
pub use error::{Conflict, StoreError};
pub use forget::{Forgotten, Returned, forget, preview as preview_forget};
pub use fsys::{Digest, FsError};
pub use jiff::Timestamp;
pub use out::{apply_out, leftover_twin};
pub use recover::{Pending, Recovered, pending, recover};
pub use revert::Selection;
pub use state::{Operation, OperationFile, Step};
pub use status::{FileStatus, Standing, Status, history, status};
