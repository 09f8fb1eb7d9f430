#![doc = include_str!("../README.md")]

mod case;
pub mod cases;
mod clean;
mod client;
mod event;
mod evidence;
mod ledger;
mod level;
pub mod options;
mod plan;
pub mod platform;
mod redact;
mod report;
mod request;
pub mod rules;
mod run;
mod sample;
mod target;
mod verdict;
mod watch;
mod world;

pub use case::Case;
pub use clean::Leftover;
pub use client::TlsError;
pub use event::Event;
pub use evidence::{Exchange, Finding, Received, Sent};
pub use level::Level;
pub use options::{Options, Parameters, ParametersError, PlanParameters};
pub use quartermaster_osb::{Object, Secret};
pub use report::{CaseResult, Report, Subject, Summary};
pub use request::Request;
pub use run::{Listener, RunError, run};
pub use std::time::Duration;
pub use target::{ApiVersion, Auth, Target, TargetError, Tls};
pub use tokio_util::sync::CancellationToken;
pub use verdict::Verdict;
