//! The NVIDIA GPUs that `nvidia-smi` names.

use std::io::Read as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use unsnag_core::target::Gpu;

/// A driver that hangs must not hang the check.
const PATIENCE: Duration = Duration::from_secs(5);

/// Names and architectures; none where there is no driver.
pub fn gpus() -> Vec<(String, Gpu)> {
    let text = query("--query-gpu=name,compute_cap").or_else(|| query("--query-gpu=name"));
    text.map(|text| text.lines().filter_map(row).collect())
        .unwrap_or_default()
}

/// `NVIDIA H100 80GB HBM3, 9.0`; old drivers know no compute capability, then the name decides.
fn row(line: &str) -> Option<(String, Gpu)> {
    let (name, capability) = line.rsplit_once(',').unwrap_or((line, ""));
    let gpu = capability.trim().parse().or_else(|_| name.parse()).ok()?;
    Some((name.trim().to_owned(), gpu))
}

fn query(what: &str) -> Option<String> {
    let mut child = Command::new("nvidia-smi")
        .args([what, "--format=csv,noheader"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let began = Instant::now();
    let status = loop {
        match child.try_wait().ok()? {
            Some(status) => break status,
            None if began.elapsed() > PATIENCE => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
            None => thread::sleep(Duration::from_millis(5)),
        }
    };
    let mut text = String::new();
    child.stdout.take()?.read_to_string(&mut text).ok()?;
    status.success().then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows() {
        assert_eq!(row("NVIDIA H100 80GB HBM3, 9.0").unwrap().1, Gpu::Sm(90));
        assert_eq!(
            row("NVIDIA RTX PRO 6000 Blackwell Server Edition, 12.0")
                .unwrap()
                .1,
            Gpu::Sm(120)
        );
        assert_eq!(row("Tesla T4").unwrap().1, Gpu::Sm(75));
        assert!(row("No devices were found").is_none());
    }
}
