//! The scripted brokers: one HTTP server, one broker per case below a path of its own.
//!
//! Started by `run`; cases write scripts through `World`. The rule: a broker does exactly what its script says, else it
//! behaves soundly, and it notes every call before it answers.

mod answer;
mod call;
mod catalog;
mod script;
mod serve;
mod sound;

pub(crate) use answer::Answer;
pub(crate) use call::{Call, Verb};
pub(crate) use catalog::{Plan, Plans, catalog};
pub(crate) use script::Script;
pub(crate) use serve::Server;
