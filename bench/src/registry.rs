//! How the manager's registry does: memory, start, telling a thousand platforms, pages of large lists, single
//! reads. `qm-bench registry [PART]`; the parts are the files beside this one.
//!
//! The rule: every figure stands beside a limit that was taken in the same run on the same machine (a bare
//! broadcast, a constant, the same list when it is small), and only the bounds of memory and start are plain
//! numbers. A missed bound ends the run with an error after everything has been measured.

pub(crate) mod bare;
pub(crate) mod catalogs;
mod full;
mod idle;
mod lists;
mod single;
mod telling;

use crate::manager;
use crate::report::Report;
use anyhow::{Result, bail};

const PARTS: &str = "idle | full | lists | single; without one, all of them";

/// Runs the benchmark; an error when a wanted figure was missed.
pub(crate) async fn run(part: Option<&str>) -> Result<()> {
    let wanted = |name: &str| part.is_none_or(|part| part == name);
    if !["idle", "full", "lists", "single"]
        .iter()
        .any(|name| wanted(name))
    {
        bail!("usage: qm-bench registry [PART]\n  {PARTS}");
    }
    manager::build()?;
    let mut report = Report::default();
    if wanted("idle") {
        idle::measure(&mut report).await?;
    }
    if wanted("full") {
        full::measure(&mut report).await?;
    }
    if wanted("single") {
        single::measure(&mut report).await?;
    }
    if wanted("lists") {
        lists::measure(&mut report).await?;
    }
    report.close()
}
