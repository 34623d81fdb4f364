//! What a system call does to a disk, read from its number and arguments at its entry.

use std::path::{Path, PathBuf};

use nix::libc;
use nix::sys::uio::{RemoteIoVec, process_vm_readv};
use nix::unistd::Pid;

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing that outlives the process.
    Plain,
    /// Changes the state of a file system, or makes it last.
    Mutating,
    /// Writes this many bytes to a file; can be cut short.
    Write(u64),
}

/// A system call at its entry.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// As the kernel's headers name it; with its number where this suite does not know it.
    pub(crate) name: String,
    /// What it does.
    pub(crate) kind: Kind,
    number: i64,
    arguments: [u64; 6],
    pid: Pid,
}

impl Call {
    /// Whether the state of a file system can be another one after the call.
    pub(crate) fn mutates(&self) -> bool {
        self.kind != Kind::Plain
    }
}

/// How a call names what it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    /// A path.
    Path,
    /// A directory descriptor and a path.
    At,
    /// Two paths.
    TwoPaths,
    /// Twice a directory descriptor and a path.
    TwoAt,
    /// A descriptor.
    Fd,
    /// A text, a directory descriptor and a path.
    TextAt,
    /// A text and a path.
    TextPath,
    /// The target is the third descriptor.
    ThirdFd,
    /// Everything.
    Nothing,
}

/// The calls that change a file system. Opening ones are judged by their flags.
const MUTATING: &[(i64, &str, Names)] = &[
    (libc::SYS_write, "write", Names::Fd),
    (libc::SYS_pwrite64, "pwrite64", Names::Fd),
    (libc::SYS_writev, "writev", Names::Fd),
    (libc::SYS_pwritev, "pwritev", Names::Fd),
    (libc::SYS_pwritev2, "pwritev2", Names::Fd),
    (libc::SYS_sendfile, "sendfile", Names::Fd),
    (libc::SYS_splice, "splice", Names::ThirdFd),
    (libc::SYS_copy_file_range, "copy_file_range", Names::ThirdFd),
    (libc::SYS_ioctl, "ioctl", Names::Fd),
    (libc::SYS_fallocate, "fallocate", Names::Fd),
    (libc::SYS_ftruncate, "ftruncate", Names::Fd),
    (libc::SYS_truncate, "truncate", Names::Path),
    (libc::SYS_fsync, "fsync", Names::Fd),
    (libc::SYS_fdatasync, "fdatasync", Names::Fd),
    (libc::SYS_sync_file_range, "sync_file_range", Names::Fd),
    (libc::SYS_syncfs, "syncfs", Names::Fd),
    (libc::SYS_sync, "sync", Names::Nothing),
    (libc::SYS_flock, "flock", Names::Fd),
    (libc::SYS_open, "open", Names::Path),
    (libc::SYS_creat, "creat", Names::Path),
    (libc::SYS_openat, "openat", Names::At),
    (libc::SYS_openat2, "openat2", Names::At),
    (libc::SYS_mkdir, "mkdir", Names::Path),
    (libc::SYS_mkdirat, "mkdirat", Names::At),
    (libc::SYS_mknod, "mknod", Names::Path),
    (libc::SYS_mknodat, "mknodat", Names::At),
    (libc::SYS_rmdir, "rmdir", Names::Path),
    (libc::SYS_unlink, "unlink", Names::Path),
    (libc::SYS_unlinkat, "unlinkat", Names::At),
    (libc::SYS_rename, "rename", Names::TwoPaths),
    (libc::SYS_renameat, "renameat", Names::TwoAt),
    (libc::SYS_renameat2, "renameat2", Names::TwoAt),
    (libc::SYS_link, "link", Names::TwoPaths),
    (libc::SYS_linkat, "linkat", Names::TwoAt),
    (libc::SYS_symlink, "symlink", Names::TextPath),
    (libc::SYS_symlinkat, "symlinkat", Names::TextAt),
    (libc::SYS_chmod, "chmod", Names::Path),
    (libc::SYS_fchmod, "fchmod", Names::Fd),
    (libc::SYS_fchmodat, "fchmodat", Names::At),
    (452, "fchmodat2", Names::At),
    (libc::SYS_chown, "chown", Names::Path),
    (libc::SYS_lchown, "lchown", Names::Path),
    (libc::SYS_fchown, "fchown", Names::Fd),
    (libc::SYS_fchownat, "fchownat", Names::At),
    (libc::SYS_utime, "utime", Names::Path),
    (libc::SYS_utimes, "utimes", Names::Path),
    (libc::SYS_futimesat, "futimesat", Names::At),
    (libc::SYS_utimensat, "utimensat", Names::At),
    (libc::SYS_setxattr, "setxattr", Names::Path),
    (libc::SYS_lsetxattr, "lsetxattr", Names::Path),
    (libc::SYS_fsetxattr, "fsetxattr", Names::Fd),
    (libc::SYS_removexattr, "removexattr", Names::Path),
    (libc::SYS_lremovexattr, "lremovexattr", Names::Path),
    (libc::SYS_fremovexattr, "fremovexattr", Names::Fd),
    (libc::SYS_msync, "msync", Names::Nothing),
    (libc::SYS_io_uring_enter, "io_uring_enter", Names::Nothing),
];

/// Writes whose length stands in the third argument.
const PLAIN_WRITES: [i64; 2] = [libc::SYS_write, libc::SYS_pwrite64];
/// `FICLONE` and `FICLONERANGE`, the requests of `ioctl` that write to a file.
const CLONES: [u64; 2] = [0x4004_9409, 0x4020_940d];
/// Flags of an opening that changes a file or an entry (`O_TMPFILE` without its `O_DIRECTORY`).
const CREATES: u64 = (libc::O_CREAT | libc::O_TRUNC) as u64 | 0x40_0000;

impl Call {
    /// Reads a call of a stopped process. What goes to `log` counts as nothing: it is the suite's own file.
    pub(crate) fn read(pid: Pid, number: i64, arguments: [u64; 6], log: &Path) -> Self {
        let known = MUTATING.iter().find(|(known, _, _)| *known == number);
        let mut call = Self {
            name: known.map_or_else(
                || format!("syscall-{number}"),
                |(_, name, _)| (*name).to_owned(),
            ),
            kind: Kind::Plain,
            number,
            arguments,
            pid,
        };
        if known.is_some_and(|(_, _, names)| call.changes(*names, log)) {
            call.kind = if PLAIN_WRITES.contains(&number) {
                Kind::Write(arguments[2])
            } else {
                Kind::Mutating
            };
        }
        call
    }

    fn changes(&self, names: Names, log: &Path) -> bool {
        let flags = match self.number {
            libc::SYS_open => Some(self.arguments[1]),
            libc::SYS_openat => Some(self.arguments[2]),
            libc::SYS_openat2 => self.word(self.arguments[2]),
            _ => None,
        };
        if let Some(flags) = flags {
            return flags & CREATES != 0;
        }
        if self.number == libc::SYS_ioctl && !CLONES.contains(&self.arguments[1]) {
            return false;
        }
        let fd = match names {
            Names::Fd => self.arguments[0],
            Names::ThirdFd => self.arguments[2],
            _ => return true,
        };
        match self.descriptor(fd) {
            None => true,
            Some(path) => {
                let kernel = ["/dev/null", "/dev/pts", "/dev/tty", "/proc", "/sys"];
                path.is_absolute()
                    && path != log
                    && !kernel.iter().any(|prefix| path.starts_with(prefix))
                    && !path.starts_with("/memfd:")
            }
        }
    }

    /// The entries that the call writes to, with the folder resolved through links and the last name not.
    pub(crate) fn targets(&self) -> Vec<PathBuf> {
        let names = MUTATING
            .iter()
            .find(|(known, _, _)| *known == self.number)
            .map_or(Names::Nothing, |(_, _, names)| *names);
        let at = |directory: Option<u64>, text: u64| {
            let path = self.text(text)?;
            let base = match directory {
                Some(fd) if fd as i32 != libc::AT_FDCWD => self.descriptor(fd)?,
                _ => std::fs::read_link(format!("/proc/{}/cwd", self.pid)).ok()?,
            };
            Some(resolved(&base.join(path)))
        };
        let a = &self.arguments;
        let found = match names {
            Names::Path => vec![at(None, a[0])],
            Names::At if a[1] == 0 => vec![self.descriptor(a[0])],
            Names::At => vec![at(Some(a[0]), a[1])],
            Names::TwoPaths => vec![at(None, a[0]), at(None, a[1])],
            Names::TwoAt => vec![at(Some(a[0]), a[1]), at(Some(a[2]), a[3])],
            Names::Fd => vec![self.descriptor(a[0])],
            Names::ThirdFd => vec![self.descriptor(a[2])],
            Names::TextAt => vec![at(Some(a[1]), a[2])],
            Names::TextPath => vec![at(None, a[1])],
            Names::Nothing => Vec::new(),
        };
        found.into_iter().flatten().collect()
    }

    fn descriptor(&self, fd: u64) -> Option<PathBuf> {
        std::fs::read_link(format!("/proc/{}/fd/{}", self.pid, fd as i32)).ok()
    }

    fn word(&self, address: u64) -> Option<u64> {
        let bytes = self.memory(address, 8)?;
        Some(u64::from_ne_bytes(bytes.try_into().ok()?))
    }

    fn text(&self, address: u64) -> Option<PathBuf> {
        // To the end of the page at first: what follows it may not be there.
        let page = 4096 - (address as usize & 4095);
        let mut bytes = self.memory(address, page)?;
        if !bytes.contains(&0) {
            bytes.extend(self.memory(address + page as u64, 4096)?);
        }
        let end = bytes.iter().position(|byte| *byte == 0)?;
        Some(PathBuf::from(
            String::from_utf8_lossy(&bytes[..end]).into_owned(),
        ))
    }

    fn memory(&self, address: u64, len: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; len];
        let remote = [RemoteIoVec {
            base: address as usize,
            len,
        }];
        let read = process_vm_readv(
            self.pid,
            &mut [std::io::IoSliceMut::new(&mut bytes)],
            &remote,
        )
        .ok()?;
        bytes.truncate(read);
        Some(bytes)
    }
}

/// The folder through every link, the last name as it is.
fn resolved(path: &Path) -> PathBuf {
    match (
        path.parent().and_then(|parent| parent.canonicalize().ok()),
        path.file_name(),
    ) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => path.to_owned(),
    }
}
