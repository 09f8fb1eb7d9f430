//! What Linux tells of a process: its parent, its processor time, its memory.
//!
//! The rule: only `/proc` is read, so that looking costs the process nothing.

use anyhow::{Context, Result};

/// What Linux counts processor time in, on every machine we know.
const TICKS_PER_SECOND: f64 = 100.0;

/// A line of `/proc/PID/stat`; times are in seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stat {
    pub(crate) parent: u32,
    /// Of all its threads.
    pub(crate) own: f64,
    /// Of its children that have ended.
    pub(crate) ended_children: f64,
}

impl Stat {
    pub(crate) fn of(pid: u32) -> Result<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))
            .with_context(|| format!("looking at process {pid}"))?;
        // The name in brackets may hold blanks; the rest is counted from behind it.
        let fields = stat.rsplit_once(')').context("no name in /proc")?.1;
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let field = |at: usize| fields.get(at).context("a short line in /proc");
        let seconds = |at: usize| -> Result<f64> {
            let (user, system): (f64, f64) = (field(at)?.parse()?, field(at + 1)?.parse()?);
            Ok((user + system) / TICKS_PER_SECOND)
        };
        Ok(Self {
            parent: field(1)?.parse()?,
            own: seconds(11)?,
            ended_children: seconds(13)?,
        })
    }
}

/// The processor time of a process and of all its children, those that have ended too.
pub(crate) fn family_cpu_seconds(pid: u32) -> Result<f64> {
    let parent = Stat::of(pid)?;
    let mut seconds = parent.own + parent.ended_children;
    for entry in std::fs::read_dir("/proc")? {
        let Ok(child) = entry?.file_name().to_string_lossy().parse::<u32>() else {
            continue;
        };
        // Whoever has just ended is counted by its parent from now on.
        if let Ok(stat) = Stat::of(child)
            && stat.parent == pid
        {
            seconds += stat.own;
        }
    }
    Ok(seconds)
}

/// The memory a process has now, in MiB.
pub(crate) fn resident_mib(pid: u32) -> Result<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib: f64 = line
        .and_then(|line| line.split_whitespace().next())
        .context("no VmRSS in /proc")?
        .parse()?;
    Ok(kib / 1024.0)
}
