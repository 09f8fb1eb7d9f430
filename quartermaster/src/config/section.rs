//! The configuration, typed: one struct per section of `config.default.toml`.
//!
//! Made by [`load`](super::load); read by the wiring alone. The rule: every key of the file is a field
//! here and the other way round, or the defaults themselves do not load, which a test does.

mod api;
mod brokers;
mod identity;
mod notifications;
mod operations;
mod seeing;
mod server;

pub(crate) use api::{Api, RateLimit};
pub(crate) use brokers::{Brokers, Osb};
pub(crate) use identity::{Builtin, Identity, Issuer, Tenancy};
pub(crate) use notifications::Notifications;
pub(crate) use operations::Operations;
pub(crate) use seeing::{Audit, Format, Log, Metrics, Tracing};
pub(crate) use server::{Database, Keys, Server};

use serde::{Deserialize, Deserializer};
use std::path::PathBuf;

/// Everything that can be configured.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    pub(crate) server: Server,
    pub(crate) database: Database,
    pub(crate) keys: Keys,
    pub(crate) identity: Identity,
    pub(crate) tenancy: Tenancy,
    pub(crate) api: Api,
    pub(crate) rate_limit: RateLimit,
    pub(crate) brokers: Brokers,
    pub(crate) osb: Osb,
    pub(crate) notifications: Notifications,
    pub(crate) operations: Operations,
    pub(crate) audit: Audit,
    pub(crate) log: Log,
    pub(crate) metrics: Metrics,
    pub(crate) tracing: Tracing,
}

/// TOML has no word for "not set"; an empty text is ours.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Some(String::deserialize(deserializer)?).filter(|text| !text.is_empty()))
}

fn path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    Ok(text(deserializer)?.map(PathBuf::from))
}
