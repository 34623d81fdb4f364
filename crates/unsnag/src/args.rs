//! What can be written on the command line. Only types; nothing is read or decided here.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Get an LLM model directory unstuck.
///
/// Known incompatibilities between a checkpoint's config files and the engine or GPU that should run it, as edits that are shown,
/// applied in place with a backup, and taken back to the byte.
#[derive(Debug, Parser)]
#[command(
    name = "unsnag",
    version,
    about,
    max_term_width = 120,
    disable_help_subcommand = true
)]
pub struct Arguments {
    /// Fix folders of your own beside the built-in catalogue.
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        env = "UNSNAG_FIXES",
        value_delimiter = ':'
    )]
    pub fixes: Vec<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Say what is wrong with a model directory. Changes nothing.
    Check(CheckArgs),
    /// Show what `apply` would do. Changes nothing.
    Diff(DiffArgs),
    /// Apply the edits that cure what was found, with a backup.
    Apply(ApplyArgs),
    /// Apply a JSON patch of your own, with the same backup and revert.
    Patch(PatchArgs),
    /// Take edits back to the byte.
    Revert(RevertArgs),
    /// Bring a directory back to what it was before an operation that was cut off.
    Recover(RecoverArgs),
    /// Keep the patched files and drop the backups, as before an upload.
    Forget(ForgetArgs),
    /// Say which patches are in place and whether the files are as they were left.
    Status(StatusArgs),
    /// Show every operation on a directory.
    History(HistoryArgs),
    /// Find the root cause in an engine's log, and the cure.
    Diagnose(DiagnoseArgs),
    /// Explain a fix.
    Explain(ExplainArgs),
    /// List the catalogue.
    List(ListArgs),
    /// Check fix folders of your own.
    Lint(LintArgs),
}

/// Where the output goes and in which form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Human,
    /// For programs.
    Json,
}

/// The form of `diff`'s output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// A unified diff.
    Human,
    /// For programs.
    Json,
    /// RFC 6902 documents, by file.
    JsonPatch,
}

/// Where the checkpoint is to run.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Target")]
pub struct TargetArgs {
    /// The engine, such as vllm@0.15.1, transformers@4.57.1 or vllm/vllm-openai:v0.16.0.
    #[arg(long, value_name = "NAME[@VERSION]", env = "UNSNAG_ENGINE")]
    pub engine: Option<String>,
    /// A library beside the engine, such as compressed-tensors@0.12.2; wins over what the engine's release brings.
    #[arg(long, value_name = "LIB@VERSION")]
    pub with: Vec<String>,
    /// The GPU: sm120, gfx1100, or a name such as "RTX PRO 6000"; several on a mixed host.
    #[arg(long, value_name = "GPU", env = "UNSNAG_GPU", value_delimiter = ',')]
    pub gpu: Vec<String>,
    /// What is wanted beyond serving: mtp, lora, text-only, bf16-kv, long-context.
    #[arg(long, value_name = "NAME")]
    pub intent: Vec<String>,
    /// The Python environment, or interpreter, whose engine is meant.
    #[arg(long, value_name = "PATH")]
    pub python: Option<PathBuf>,
    /// Do not look for an installed engine or a GPU.
    #[arg(long)]
    pub no_detect: bool,
    /// The engine's own command line, after `--`.
    #[arg(last = true, value_name = "ENGINE COMMAND")]
    pub command: Vec<String>,
}

/// Which fixes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Fixes")]
pub struct ChoiceArgs {
    /// Only this fix, also where it only may apply; can be given several times.
    #[arg(long, value_name = "ID")]
    pub fix: Vec<String>,
    /// Not this fix; can be given several times.
    #[arg(long, value_name = "ID")]
    pub skip: Vec<String>,
    /// Also cures that lose something.
    #[arg(long)]
    pub lossy: bool,
    /// Another cure of a fix than the first.
    #[arg(long, value_name = "ID=NAME")]
    pub cure: Vec<String>,
}

/// `check`
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Model directories.
    #[arg(required = true, value_name = "DIR")]
    pub directories: Vec<PathBuf>,
    #[command(flatten)]
    pub target: TargetArgs,
    /// Every model directory below the given ones.
    #[arg(long)]
    pub recursive: bool,
    /// Exit with 1 also for what only may apply.
    #[arg(long)]
    pub strict: bool,
    /// Also say what was ruled out, and why.
    #[arg(long, short)]
    pub verbose: bool,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// `diff`
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The model directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub choice: ChoiceArgs,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = DiffFormat::Human)]
    pub format: DiffFormat,
}

/// How a change is made.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Change")]
pub struct ChangeArgs {
    /// Do it without asking.
    #[arg(long, short)]
    pub yes: bool,
    /// Show it and stop, like `diff`.
    #[arg(long)]
    pub dry_run: bool,
    /// Give the patched file a new modification time also where `hf download --local-dir` would then fetch it again.
    #[arg(long)]
    pub fresh_mtime: bool,
}

/// `apply`
#[derive(Debug, Clone, Args)]
pub struct ApplyArgs {
    /// The model directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    #[command(flatten)]
    pub target: TargetArgs,
    #[command(flatten)]
    pub choice: ChoiceArgs,
    #[command(flatten)]
    pub change: ChangeArgs,
    /// Leave the directory alone and make a patched twin: real files for what changes, links for the rest.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print only the path to serve.
    #[arg(long)]
    pub print_path: bool,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// `patch`
#[derive(Debug, Args)]
pub struct PatchArgs {
    /// The model directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// An RFC 6902 document; `-` for standard input.
    #[arg(value_name = "PATCH.json")]
    pub patch: PathBuf,
    /// The file of the directory that it is for.
    #[arg(long, value_name = "FILE")]
    pub file: String,
    #[command(flatten)]
    pub change: ChangeArgs,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// `revert`
#[derive(Debug, Args)]
pub struct RevertArgs {
    /// The model directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Every step; the last one without this.
    #[arg(long, conflicts_with = "step")]
    pub all: bool,
    /// One step, by its number in `status`.
    #[arg(long, value_name = "N")]
    pub step: Option<u64>,
    /// Do it without asking.
    #[arg(long, short)]
    pub yes: bool,
    /// Also where somebody edited the file since; the edit is kept aside.
    #[arg(long)]
    pub force: bool,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// `recover`
#[derive(Debug, Args)]
pub struct RecoverArgs {
    /// The model directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Accepted and not needed: `recover` asks nothing.
    #[arg(long, short)]
    pub yes: bool,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// `forget`
#[derive(Debug, Args)]
pub struct ForgetArgs {
    /// The model directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Do it without asking.
    #[arg(long, short)]
    pub yes: bool,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// `status`
#[derive(Debug, Args)]
pub struct StatusArgs {
    /// The model directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    #[command(flatten)]
    pub target: TargetArgs,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// `history`
#[derive(Debug, Args)]
pub struct HistoryArgs {
    /// The model directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// `explain`
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The fix.
    #[arg(value_name = "ID")]
    pub id: String,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// `list`
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only this family.
    #[arg(long, value_name = "NAME")]
    pub family: Option<String>,
    /// Only what is about this engine or library.
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Only what edits this file.
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// Only this severity: blocks, wrong-output, degraded, nuisance.
    #[arg(long, value_name = "NAME")]
    pub severity: Option<String>,
    /// Only this safety: safe, lossy.
    #[arg(long, value_name = "NAME")]
    pub safety: Option<String>,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// `lint`
#[derive(Debug, Args)]
pub struct LintArgs {
    /// A fix folder, a family, or a folder of families.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

/// `diagnose`
#[derive(Debug, Args)]
pub struct DiagnoseArgs {
    /// Logs, gzip too, and a model directory; standard input where there is no log.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub target: TargetArgs,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}
