//! Those who are compared, and the processes that work for each.

use super::alone::Alone;
use super::caller::Door;
use crate::process;
use anyhow::Result;
use std::sync::Arc;

/// Somebody in the table.
#[derive(Clone)]
pub(super) struct Contestant {
    pub(super) name: &'static str,
    pub(super) way: Way,
    /// The process whose memory is told.
    pub(super) own: Option<u32>,
    pub(super) team: Team,
    /// Measured at this number of connections only.
    pub(super) only_at: Option<usize>,
}

/// How it is driven.
#[derive(Clone)]
pub(super) enum Way {
    Http(Arc<Door>),
    /// Provisions only, without HTTP.
    Database(Arc<Alone>),
}

/// The processes that work for a contestant. What it has not is zero in the table.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Team {
    /// Manager or proxy.
    pub(super) server: Option<u32>,
    pub(super) broker: Option<u32>,
    /// The parent of all of PostgreSQL's processes.
    pub(super) postgres: Option<u32>,
}

/// Processor time in seconds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spent {
    pub(super) server: f64,
    pub(super) broker: f64,
    pub(super) postgres: f64,
    /// The benchmark itself.
    pub(super) callers: f64,
}

impl Team {
    /// What they have used until now.
    pub(super) fn spent(&self) -> Result<Spent> {
        let of = |pid: Option<u32>| -> Result<f64> {
            pid.map_or(Ok(0.0), |pid| Ok(process::Stat::of(pid)?.own))
        };
        let family = |pid: Option<u32>| pid.map_or(Ok(0.0), process::family_cpu_seconds);
        let Self {
            server,
            broker,
            postgres,
        } = *self;
        Ok(Spent {
            server: of(server)?,
            broker: of(broker)?,
            postgres: family(postgres)?,
            callers: of(Some(std::process::id()))?,
        })
    }
}

impl Spent {
    /// Adds what lies between two looks.
    pub(super) fn add(&mut self, before: Self, after: Self) {
        let Self {
            server,
            broker,
            postgres,
            callers,
        } = self;
        *server += after.server - before.server;
        *broker += after.broker - before.broker;
        *postgres += after.postgres - before.postgres;
        *callers += after.callers - before.callers;
    }
}
