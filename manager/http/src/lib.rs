#![doc = include_str!("../README.md")]

mod action;
mod app;
mod decode;
mod encode;
mod error;
mod health;
mod meter;
mod metrics;
mod middleware;
mod osb;
mod rest;
mod router;
mod settings;
mod token;
pub mod ws;

pub use app::{App, JoinTrace, Logging, Outside};
pub use decode::public_url::Local;
pub use encode::Wire;
pub use error::Failure;
pub use middleware::Entrance;
pub use middleware::rate::{BadRule, RateRule, RateSettings};
pub use middleware::request::{Peer, Place};
pub use router::{openapi, router};
pub use settings::HttpSettings;
