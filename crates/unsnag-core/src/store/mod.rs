//! The transaction: journal, origins, steps, revert, recovery, and the only module that writes.
