//! A diagnosis for people: the root cause with its lines, the cures in order, and how sure.

use std::fmt::Write as _;

use unsnag_core::diagnose::{Answer, Confidence, Diagnosis, Log};
use unsnag_core::fix::{Instead, KindFile};
use unsnag_core::target::Target;

use super::finding::sure;
use crate::output::quoted;

/// The whole text.
pub fn human(
    log: &Log,
    diagnosis: &Diagnosis<'_>,
    target: &Target,
    directory: &str,
    here: bool,
    early: bool,
) -> String {
    let mut out = String::new();
    if !diagnosis.failed {
        let what = match (log.empty, early) {
            (true, _) => "this log: it is empty",
            (false, true) => "what could be read of this log",
            (false, false) => "this log",
        };
        let _ = writeln!(out, "no failure in {what} ({} lines).", log.lines);
        return out;
    }
    let _ = writeln!(out, "target: {target}");
    for (name, fact) in [
        ("model", &log.facts.model),
        ("architecture", &log.facts.architecture),
        ("quantization", &log.facts.quantization),
    ] {
        if let Some(fact) = fact {
            let _ = writeln!(out, "{name}: {fact}");
        }
    }
    out.push('\n');
    match (diagnosis.line, &diagnosis.message) {
        (Some(line), Some(message)) => out.push_str(&root_cause(line, message, diagnosis)),
        _ => {
            let _ = writeln!(
                out,
                "error: something failed, and its cause is not in this log"
            );
            if let Some(line) = diagnosis.cut {
                let _ = writeln!(
                    out,
                    "   --> line {line}: the log is cut inside this traceback"
                );
            }
            let _ = writeln!(
                out,
                "  next  send the log from its first line on, standard error included: docker logs NAME 2>&1 | unsnag diagnose"
            );
            return out;
        }
    }
    for answer in &diagnosis.answers {
        out.push('\n');
        out.push_str(&self::answer(answer, target, directory, here));
    }
    if let Some(elsewhere) = diagnosis.elsewhere {
        let _ = writeln!(out, "  what  {}", elsewhere.what);
        let _ = writeln!(
            out,
            "  next  {}; no edit of the checkpoint cures it",
            elsewhere.advice
        );
    } else if diagnosis.answers.is_empty() {
        let module = diagnosis
            .failure
            .as_ref()
            .and_then(|failure| failure.modules.last())
            .map_or(String::new(), |module| format!(" ({module})"));
        let _ = writeln!(out, "  what  not known to the catalogue{module}");
        let mut words = vec![
            "unsnag".to_owned(),
            "check".to_owned(),
            directory.to_owned(),
        ];
        words.extend(target.flags());
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        let _ = writeln!(
            out,
            "  next  {}; search the engine's issues for the message above",
            words.join(" ")
        );
    }
    for (fix, why) in &diagnosis.ruled_out {
        let _ = writeln!(out, "  not   {}: {why}", fix.id);
    }
    out
}

/// The message, and the lines that it stands on with those before it of the same process.
fn root_cause(line: u64, message: &str, diagnosis: &Diagnosis<'_>) -> String {
    let mut said = message.lines();
    let first = shortened(said.next().unwrap_or_default());
    let mut out = format!("error: {first}\n   --> line {line}{}\n", process(diagnosis));
    for more in said.take(6) {
        let _ = writeln!(out, "    | {}", shortened(more));
    }
    let Some(failure) = &diagnosis.failure else {
        return out;
    };
    // Pydantic's message says on later lines what is wrong; the line shown is that one.
    let own = failure
        .message
        .iter()
        .filter(|(number, _)| (failure.line..=line).contains(number))
        .map(|(number, text)| {
            let class = if *number == failure.line && !failure.kind.is_empty() {
                format!("{}: ", failure.kind)
            } else {
                String::new()
            };
            (*number, class + text)
        });
    let lines: Vec<(u64, String)> = failure.context.iter().cloned().chain(own).collect();
    // Lines of one record share a number, which stands once.
    let width = line.to_string().len();
    let mut before = 0;
    for (at, (number, text)) in lines.iter().enumerate() {
        let shown = if *number == before {
            String::new()
        } else {
            number.to_string()
        };
        before = *number;
        let text: String = text.chars().take(WIDTH).collect();
        let mark = if at + 1 == lines.len() { '>' } else { ' ' };
        let _ = writeln!(out, "{mark} {shown:>width$} | {text}");
    }
    if let Some(frame) = &failure.frame
        && !failure
            .context
            .iter()
            .any(|(_, text)| text.contains("File \""))
    {
        let _ = writeln!(out, "  {:>width$} = in {frame}", "");
    }
    if failure.repeated > 0 {
        let _ = writeln!(
            out,
            "  {:>width$} = and {} times more from other processes",
            "", failure.repeated
        );
    }
    out
}

/// The most characters of a line of the log that are shown beside its number.
const WIDTH: usize = 120;

fn answer(answer: &Answer<'_>, target: &Target, directory: &str, here: bool) -> String {
    let fix = answer.fix;
    let mut out = format!("{}   [{}]\n", fix.title, fix.id);
    if !fix.why.is_empty() {
        let _ = writeln!(out, "  why   {}", fix.why);
    }
    let mut number = 0;
    let mut cure = |text: String| {
        number += 1;
        let _ = writeln!(
            out,
            "  {} {number} {text}",
            if number == 1 { "cures" } else { "     " }
        );
    };
    for instead in fix
        .instead
        .iter()
        .filter(|instead| !instead.fits(target).is_no())
    {
        cure(match instead {
            Instead::Upgrade {
                library,
                version,
                note,
            } => format!("upgrade  {library} >= {version}{}", comma(note)),
            Instead::Flag { flag, note, .. } => format!("flag     {flag}{}", comma(note)),
            Instead::Requantize(how) => format!("quantize {how}"),
            Instead::Note(note) => format!("other    {note}"),
        });
    }
    if fix.kind == KindFile::Fix {
        let mut words = vec![
            "unsnag".to_owned(),
            "apply".to_owned(),
            directory.to_owned(),
            "--fix".to_owned(),
            fix.id.clone(),
        ];
        words.extend(target.flags());
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        cure(format!("edit     {}", words.join(" ")));
    }
    let how = match (answer.confidence, here) {
        (Confidence::Confirmed, _) => "symptom and files agree",
        (Confidence::Symptom, true) => "the symptom; the files cannot decide",
        (Confidence::Symptom, false) => {
            "the symptom alone; name the model directory and the files are asked too"
        }
    };
    let _ = writeln!(out, "  sure  {how}; {}", sure(fix));
    out
}

fn process(diagnosis: &Diagnosis<'_>) -> String {
    match &diagnosis.failure {
        Some(failure) if !failure.process.is_empty() => format!(" ({})", failure.process),
        _ => String::new(),
    }
}

fn comma(note: &str) -> String {
    if note.is_empty() {
        String::new()
    } else {
        format!(", {note}")
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 400 {
        text.to_owned()
    } else {
        text.chars().take(400).collect::<String>() + " ..."
    }
}
