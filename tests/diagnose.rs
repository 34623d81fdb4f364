//! Logs and what they come to: the library of `tests/logs`, the founding story cut at every line, hostile logs.
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)] // a test may fail loudly

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::Value;

const FOUNDING: &str = "founding-kimi-k2.5-tp8";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    log: String,
    exit: i32,
    line: Option<u64>,
    answers: BTreeSet<String>,
    directory: Option<String>,
    elsewhere: Option<String>,
}

fn cases() -> Vec<Case> {
    let text = fs::read_to_string(support::root().join("tests/logs/expected.toml")).unwrap();
    toml::from_str::<Expected>(&text).unwrap().case
}

fn log(name: &str) -> Vec<u8> {
    fs::read(support::root().join(format!("tests/logs/{name}.log"))).unwrap()
}

/// The exit status and the document.
fn diagnose(log: &[u8], directory: Option<&str>) -> (i32, Value) {
    let (exit, document, _) = heard(log, directory);
    (exit, document)
}

/// The same with what was said on standard error.
fn heard(log: &[u8], directory: Option<&str>) -> (i32, Value, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unsnag"));
    command
        .args(["diagnose", "--format", "json"])
        .env_remove("UNSNAG_ENGINE")
        .env_remove("UNSNAG_GPU")
        .env_remove("UNSNAG_FIXES")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(directory) = directory {
        command.arg(support::root().join(directory));
    }
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let bytes = log.to_vec();
    let writer = std::thread::spawn(move || input.write_all(&bytes));
    let output = child.wait_with_output().unwrap();
    // One that refuses the log need not read it.
    let _ = writer.join().unwrap();
    let document = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap_or(-1), document, said)
}

fn answers(document: &Value) -> BTreeSet<String> {
    let answers = document.pointer("/answers").unwrap().as_array().unwrap();
    answers
        .iter()
        .map(|answer| answer.pointer("/id").unwrap().as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn every_log_comes_to_what_it_is() {
    let mut faults = Vec::new();
    for case in cases() {
        let (exit, document) = diagnose(&log(&case.log), case.directory.as_deref());
        let line = document.pointer("/root_cause/line").and_then(Value::as_u64);
        let elsewhere = document.pointer("/elsewhere/name").and_then(Value::as_str);
        if exit != case.exit
            || answers(&document) != case.answers
            || case.line.is_some() && line != case.line
            || elsewhere != case.elsewhere.as_deref()
        {
            faults.push(format!(
                "{}: exit {exit}, line {line:?}, answers {:?}, elsewhere {elsewhere:?}; expected {}, {:?}, {:?}, {:?}; ruled out {}",
                case.log,
                answers(&document),
                case.exit,
                case.line,
                case.answers,
                case.elsewhere,
                document.pointer("/ruled_out").unwrap(),
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_symptom_has_a_log() {
    let answered: BTreeSet<String> = cases().into_iter().flat_map(|case| case.answers).collect();
    let catalogue = unsnag_fixes::catalogue().unwrap();
    let silent: Vec<&str> = catalogue
        .fixes()
        .filter(|fix| !fix.symptoms.is_empty() && !answered.contains(&fix.id))
        .map(|fix| fix.id.as_str())
        .collect();
    assert!(silent.is_empty(), "no log for {silent:?}");
}

/// Cut anywhere, the log is answered rightly or not at all.
#[test]
fn the_founding_log_cut_at_every_line_never_misleads() {
    let whole = log(FOUNDING);
    let ends: Vec<usize> = whole
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(at, _)| at + 1)
        .collect();
    let mut answered = 0;
    for (lines, end) in ends.iter().enumerate() {
        let (exit, document) = diagnose(&whole[..*end], None);
        let found = answers(&document);
        assert!(
            found.iter().all(|id| id == "mla-fp8-kv-sm120"),
            "cut after line {}: {found:?}",
            lines + 1
        );
        assert!(
            document.pointer("/elsewhere").unwrap().is_null(),
            "cut after line {}",
            lines + 1
        );
        if !found.is_empty() {
            assert_eq!(exit, 1);
            answered += 1;
        } else {
            assert_eq!(answered, 0, "an answer was lost at line {}", lines + 1);
        }
    }
    assert!(answered > 20);
}

/// What stands around the root cause is of the process that failed, not of those that wrote between.
#[test]
fn the_context_is_of_the_same_process() {
    let whole = String::from_utf8(log(FOUNDING)).unwrap();
    let path = support::root().join(format!("tests/logs/{FOUNDING}.log"));
    let output = Command::new(env!("CARGO_BIN_EXE_unsnag"))
        .arg("diagnose")
        .arg(path)
        .output()
        .unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    let mut numbers = Vec::new();
    for row in shown.lines().filter_map(|row| row.split_once(" | ")) {
        if let Ok(number) = row.0.trim_matches(['>', ' ']).parse::<usize>() {
            let line = whole.lines().nth(number - 1).unwrap();
            assert!(line.starts_with("(Worker_TP0 pid=270) ERROR"), "{line}");
            assert!(line.contains(row.1), "{line}");
            numbers.push(number);
        }
    }
    assert_eq!(numbers, [42, 45, 47, 50, 52]);
}

/// Whatever containers and loggers put around its lines, the founding log is the same log.
#[test]
fn the_founding_log_is_known_in_any_dress() {
    type Dress = fn(&str) -> String;
    fn docker(line: &str) -> String {
        let log = Value::String(format!("{line}\n"));
        format!(r#"{{"log":{log},"stream":"stderr","time":"2026-03-02T10:14:31.100Z"}}"#)
    }
    fn record(line: &str) -> String {
        let message = Value::String(line.to_owned());
        format!(r#"{{"ts":"2026-03-02T10:14:31Z","message":{message}}}"#)
    }
    let dresses: [(&str, Dress); 12] = [
        ("compose", |line| format!("vllm-1  | {line}")),
        ("compose -t", |line| {
            format!("vllm-1  | 2026-03-02T10:14:31.123456789Z {line}")
        }),
        ("swarm", |line| format!("s_vllm.1.k2j9@gpu-3    | {line}")),
        ("kubectl --prefix", |line| {
            format!("[pod/vllm-0/server] {line}")
        }),
        ("cri", |line| {
            format!("2026-03-02T10:14:31.123456789Z stderr F {line}")
        }),
        ("journald", |line| {
            format!("Mar 02 10:14:31 gpu3 vllm[812]: {line}")
        }),
        ("short-iso", |line| {
            format!("2026-03-02T10:14:31+0100 gpu3 vllm[812]: {line}")
        }),
        ("docker's file", docker),
        ("records", record),
        ("records in docker's file", |line| docker(&record(line))),
        ("records of compose", |line| {
            format!("vllm-1  | {}", record(line))
        }),
        ("windows", |line| format!("{line}\r")),
    ];
    let whole = String::from_utf8(log(FOUNDING)).unwrap();
    for (name, dress) in dresses {
        let lines: Vec<String> = whole.lines().map(dress).collect();
        let (exit, document) = diagnose(lines.join("\n").as_bytes(), None);
        assert_eq!(exit, 1, "{name}");
        let line = document.pointer("/root_cause/line").and_then(Value::as_u64);
        let process = document.pointer("/root_cause/process").unwrap().as_str();
        assert_eq!(
            (line, process),
            (Some(52), Some("Worker_TP0 pid=270")),
            "{name}"
        );
        assert_eq!(
            answers(&document),
            BTreeSet::from(["mla-fp8-kv-sm120".to_owned()]),
            "{name}"
        );
    }
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

/// Of a packed log that is damaged, what can be read is diagnosed, and the place is told.
#[test]
fn a_gzip_file_that_ends_early() {
    let founding = log(FOUNDING);
    let known = BTreeSet::from(["mla-fp8-kv-sm120".to_owned()]);
    let (head, tail) = founding.split_at(founding.len() / 2);
    let members = [packed(head), packed(tail)].concat();
    let (exit, document, said) = heard(&members, None);
    assert_eq!(
        (exit, answers(&document), said.as_str()),
        (1, known.clone(), "")
    );
    assert_eq!(
        document.pointer("/ends_early"),
        Some(&Value::Array(Vec::new()))
    );

    // Random bytes do not pack, so that the cut falls behind the trace.
    let noise: String = (0..40_000_u32)
        .map(|n| format!("{:08x}\n", n.wrapping_mul(2_654_435_761)))
        .collect();
    let long = packed(&[&founding, noise.as_bytes()].concat());
    let mut flipped = long.clone();
    let place = flipped.len() - 40;
    flipped[place..place + 8].fill(0xff);
    let garbage = [packed(&founding), b"not gzip".to_vec()].concat();
    let second = [packed(&founding), packed(noise.as_bytes())[..5].to_vec()].concat();
    for (bytes, because) in [
        (&long[..long.len() / 2], "the gzip data is cut"),
        (&long[..long.len() - 4], "the gzip data is cut"),
        (&second, "the gzip data is cut"),
        (&flipped, "the gzip data is damaged"),
        (&garbage, "what follows is not gzip data"),
    ] {
        let (exit, document, said) = heard(bytes, None);
        assert_eq!((exit, answers(&document)), (1, known.clone()), "{because}");
        let told = document.pointer("/ends_early/0/because").unwrap();
        assert_eq!(told.as_str(), Some(because));
        let byte = document.pointer("/ends_early/0/byte").unwrap().as_u64();
        assert!(byte.is_some_and(|byte| byte > 0 && byte <= bytes.len() as u64));
        assert!(
            said.contains(because) && said.contains("hint: send"),
            "{said}"
        );
        assert_eq!(document.pointer("/truncated"), Some(&Value::Bool(true)));
    }
    // What holds nothing that can be read is refused.
    assert_eq!(diagnose(&packed(&founding)[..7], None).0, 2);
    assert_eq!(diagnose(b"\x1f\x8b no gzip at all", None).0, 2);
}

/// A packed log cut anywhere is answered rightly or not at all.
#[test]
fn a_gzip_file_cut_anywhere_never_misleads() {
    let whole = packed(&log(FOUNDING));
    for end in (20..whole.len()).step_by(whole.len() / 24) {
        let (exit, document) = diagnose(&whole[..end], None);
        if exit != 2 {
            assert!(answers(&document).iter().all(|id| id == "mla-fp8-kv-sm120"));
            assert_eq!(document.pointer("/truncated"), Some(&Value::Bool(true)));
        }
    }
}

/// As Windows PowerShell writes it.
#[test]
fn a_log_in_utf_16() {
    let text = String::from_utf8(log(FOUNDING))
        .unwrap()
        .replace('\n', "\r\n");
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for log in [
        [b"\xff\xfe", little.as_slice()].concat(),
        [b"\xfe\xff", big.as_slice()].concat(),
        little.clone(),
        packed(&[b"\xff\xfe", little.as_slice()].concat()),
        [b"\xef\xbb\xbf", text.as_bytes()].concat(),
    ] {
        let (exit, document) = diagnose(&log, None);
        let line = document.pointer("/root_cause/line").and_then(Value::as_u64);
        assert_eq!((exit, line), (1, Some(52)));
        assert_eq!(
            answers(&document),
            BTreeSet::from(["mla-fp8-kv-sm120".to_owned()])
        );
    }
}

#[test]
fn an_empty_log_says_so() {
    for (log, empty) in [
        (&b""[..], true),
        (b"\n", true),
        (b" \r\n\t\n", true),
        (b"\xff\xfe", true),
        (b"\n\nx\n", false),
        (b"INFO: fine", false),
    ] {
        let (exit, document, said) = heard(log, None);
        assert_eq!(exit, 0);
        assert_eq!(document.pointer("/empty"), Some(&Value::Bool(empty)));
        assert_eq!(said.contains("2>&1 | unsnag diagnose"), empty, "{said}");
    }
}

#[test]
fn hostile_logs_end() {
    let mut long = vec![b'['; 8 << 20];
    long.extend(b"\nValueError: type fp8e4nv not supported in this architecture\n");
    let mut nuls = vec![0; 1 << 20];
    nuls.extend_from_slice(&[0xff, 0xfe, b'\n']);
    let deep = "Traceback (most recent call last):\n".repeat(20_000);
    let many: String = (0..20_000)
        .map(|n| {
            format!(
                "(W{n} pid={n}) Traceback (most recent call last):\n(W{n} pid={n}) E{n}Error: x\n"
            )
        })
        .collect();
    for (log, exit) in [
        (long, 1),
        (nuls, 0),
        (deep.into_bytes(), 1),
        (many.into_bytes(), 1),
        (Vec::new(), 0),
        (vec![b'\n'; 1 << 20], 0),
    ] {
        assert_eq!(diagnose(&log, None).0, exit);
    }
}
