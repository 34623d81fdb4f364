//! What a revert gives back, seen by other programs than this one.

use std::process::Command;

use crate::Result;
use crate::report::Tally;
use crate::scenario::Bench;
use crate::scenario::bench::must;

/// Type, bits, owner, names, size, time to the nanosecond and link text; contents; ACLs; attributes.
const WITNESSES: [&str; 4] = [
    "find . ! -type d -printf '%P %y %m %U %G %n %s %T@ %l\\n' -o -printf '%P %y %m %U %G %l\\n' | sort",
    "find . -type f -print0 | sort -z | xargs -0 sha256sum",
    "getfacl -R -n -p .",
    "getfattr -R -h -d -m - . | sort",
];

/// Applies and reverts, and compares what four programs say of the tree before and after.
pub(crate) fn exact(bench: &Bench) -> Result<Tally> {
    let mut tally = Tally::default();
    // The bench's fixture is patched: back, forth, and back again.
    must(&bench.program)?;
    let before = witnessed(bench)?;
    must(&bench.first)?;
    let patched = witnessed(bench)?;
    must(&bench.program)?;
    let after = witnessed(bench)?;
    if patched == before {
        tally.fail("bad", "the patch is not to be seen".to_owned());
    }
    for ((program, before), after) in WITNESSES.iter().zip(&before).zip(&after) {
        if before == after {
            tally.pass("equal");
        } else {
            tally.fail(
                "different",
                format!("{program}\n{before}\nand then\n{after}"),
            );
        }
    }
    if bench.model.join(".unsnag").exists() {
        tally.fail("bad", "the state folder is still there".to_owned());
    }
    Ok(tally)
}

fn witnessed(bench: &Bench) -> Result<Vec<String>> {
    let say = |script: &&str| -> Result<String> {
        let output = Command::new("sh")
            .args(["-c", &format!("set -e; {script}")])
            .current_dir(bench.root())
            .output()?;
        let error = String::from_utf8_lossy(&output.stderr);
        if error.contains("not found") {
            return Err(format!("skipped: {}", error.trim()).into());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    WITNESSES.iter().map(say).collect()
}
