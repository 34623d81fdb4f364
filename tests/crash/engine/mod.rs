//! Running a program: plainly, or stopped at each system call so that a fault can be put in.

pub(crate) mod calls;
pub(crate) mod process;
pub(crate) mod tracer;

pub(crate) use calls::{Call, Kind};
pub(crate) use process::{End, Ended, Program};
pub(crate) use tracer::{Act, trace};
