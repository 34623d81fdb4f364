//! From an engine's log to its root cause and the fixes whose symptom it shows. Reads bytes once, in constant memory.

mod answer;
mod cause;
mod elsewhere;
mod facts;
mod line;
mod reader;
mod traceback;

pub use answer::{Answer, Confidence, Diagnosis, Symptoms, diagnose};
pub use elsewhere::Elsewhere;
pub use facts::Facts;
pub use reader::{Log, read};
pub use traceback::Failure;
