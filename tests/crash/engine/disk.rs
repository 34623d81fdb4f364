//! File systems of their own, in an image or in memory, that can be cut from power or filled up.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::process::helper;
use crate::Result;

/// A file system on a loop device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    make: &'static [&'static str],
    options: &'static str,
    bytes: u64,
}

/// The file systems that lose power: with the defaults, without the heuristic of ext4 that saves programs which do not sync, and one that never had it.
pub(crate) const KINDS: [Kind; 3] = [
    Kind {
        name: "ext4",
        make: &["mkfs.ext4", "-q", "-F"],
        options: "loop",
        bytes: 32 << 20,
    },
    Kind {
        name: "ext4-noauto_da_alloc",
        make: &["mkfs.ext4", "-q", "-F"],
        options: "loop,noauto_da_alloc",
        bytes: 32 << 20,
    },
    Kind {
        name: "xfs",
        make: &["mkfs.xfs", "-q", "-f"],
        options: "loop",
        bytes: 320 << 20,
    },
];

/// What reaches the disk at a power cut besides what was synced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flush {
    /// Nothing.
    Nothing,
    /// The file system's own log: names and lengths, not contents. The case in which files come back empty.
    Log,
}

/// A mounted file system.
#[derive(Debug)]
pub(crate) struct Disk {
    mount: PathBuf,
    image: Option<PathBuf>,
    options: &'static str,
}

/// Why a line is not tried where this machine refuses.
fn skipped(what: &str) -> impl FnOnce(crate::Error) -> crate::Error {
    let what = what.to_owned();
    move |error| format!("skipped: {what}: {error}").into()
}

impl Disk {
    /// Makes a file system in an image beside the mount point and mounts it. `skipped` where that is forbidden.
    pub(crate) fn make(kind: &Kind, mount: &Path) -> Result<Self> {
        let image = mount.with_extension(kind.name);
        fs::create_dir_all(mount)?;
        File::create(&image)?.set_len(kind.bytes)?;
        let (program, arguments) = kind.make.split_first().ok_or("no program")?;
        let arguments: Vec<&Path> = arguments
            .iter()
            .map(Path::new)
            .chain([image.as_path()])
            .collect();
        helper(program, &arguments).map_err(skipped("no file system to cut from power"))?;
        let disk = Self {
            mount: mount.to_owned(),
            image: Some(image),
            options: kind.options,
        };
        disk.mount()
            .map_err(skipped("this machine mounts no image"))?;
        Ok(disk)
    }

    /// Mounts a file system in memory. `skipped` where that is forbidden.
    pub(crate) fn memory(mount: &Path) -> Result<Self> {
        fs::create_dir_all(mount)?;
        let words = ["-t", "tmpfs", "-o", "mode=755", "tmpfs"].map(Path::new);
        helper("mount", &[&words[..], &[mount]].concat())
            .map_err(skipped("this machine mounts no tmpfs"))?;
        Ok(Self {
            mount: mount.to_owned(),
            image: None,
            options: "",
        })
    }

    fn mount(&self) -> Result<()> {
        let Some(image) = &self.image else {
            return Ok(());
        };
        let options = Path::new(self.options);
        helper("mount", &[Path::new("-o"), options, image, &self.mount])
    }

    fn unmount(&self) -> Result<()> {
        let mut tries = 0;
        loop {
            match helper("umount", &[&self.mount]) {
                Err(_) if tries < 50 => {
                    tries += 1;
                    std::thread::sleep(Duration::from_millis(20));
                }
                other => return other,
            }
        }
    }

    /// Brings everything to disk.
    pub(crate) fn sync(&self) -> Result<()> {
        rustix::fs::syncfs(File::open(&self.mount)?)?;
        Ok(())
    }

    /// Cuts the power: from here on every call fails, and what was not synced is lost.
    pub(crate) fn cut(&self, flush: Flush) -> Result<()> {
        let command = match flush {
            Flush::Nothing => "shutdown",
            Flush::Log => "shutdown -f",
        };
        let words = ["-x", "-c", command].map(Path::new);
        helper("xfs_io", &[&words[..], &[&self.mount]].concat())
            .map_err(skipped("this machine cannot shut a file system down"))
    }

    /// The power is back.
    pub(crate) fn restart(&self) -> Result<()> {
        self.unmount()?;
        self.mount()
    }

    /// Sets how much a file system in memory holds: an option of its mount with a value, such as `size=64k`.
    pub(crate) fn limit(&self, option: &str) -> Result<()> {
        let option = format!("remount,{option}");
        helper("mount", &[Path::new("-o"), Path::new(&option), &self.mount])
    }

    /// Blocks of 4 KiB and inodes in use.
    pub(crate) fn used(&self) -> Result<(u64, u64)> {
        let stat = rustix::fs::statvfs(&self.mount)?;
        let bytes = (stat.f_blocks - stat.f_bfree) * stat.f_frsize;
        Ok((bytes.div_ceil(4096), stat.f_files - stat.f_ffree))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = self.unmount();
        if let Some(image) = &self.image {
            let _ = fs::remove_file(image);
        }
    }
}
