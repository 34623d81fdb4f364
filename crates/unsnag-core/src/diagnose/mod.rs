//! From an engine's log to its root cause and the fixes whose symptom it shows. Reads bytes once, in constant memory.

mod answer;
mod cause;
mod chunks;
mod elsewhere;
mod encoding;
mod facts;
mod failure;
mod line;
mod reader;
mod traceback;
mod words;

pub use answer::{Answer, Confidence, Diagnosis, Symptoms, diagnose};
pub use elsewhere::Elsewhere;
pub use encoding::decoded;
pub use facts::Facts;
pub use failure::Failure;
pub use reader::{Log, Remark, read};
