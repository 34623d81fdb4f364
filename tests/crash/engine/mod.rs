//! Running a program: plainly, or stopped at each system call so that a fault can be put in; and the disks that it runs on.

pub(crate) mod calls;
pub(crate) mod disk;
pub(crate) mod process;
pub(crate) mod tracer;

pub(crate) use calls::{Call, Kind};
pub(crate) use disk::Disk;
pub(crate) use process::{End, Ended, Program};
pub(crate) use tracer::{Act, trace};
