//! How long a person waits for smctl: `qm-bench cli`.
//!
//! From the start of the process to its end, as a shell sees it: `smctl version`, and `smctl marketplace` with 200
//! offerings of 40 brokers at a real manager on this machine. Beside each stands what `true` takes, which is what
//! starting and ending any process costs here. And the size of the program.
//!
//! The rule: the three are measured in turns and medians count; what smctl printed is looked at, because a fast wrong
//! answer is no result.

use crate::load::median;
use crate::manager::{self, Manager};
use crate::registry::catalogs::Catalogs;
use crate::report::{Report, Wanted};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const ROUNDS: usize = 60;
const BROKERS: usize = 40;
const OFFERINGS: usize = 200;

const VERSION_MS: f64 = 10.0;
const MARKETPLACE_MS: f64 = 100.0;
const SIZE_MIB: f64 = 15.0;

pub(crate) async fn run() -> Result<()> {
    manager::build()?;
    manager::build_program("smctl")?;
    let program = manager::beside("smctl")?;
    let mut report = Report::default();
    report.part(&format!(
        "smctl, {ROUNDS} rounds in turns; {BROKERS} brokers with {OFFERINGS} offerings"
    ));
    size(&mut report, &program)?;

    let folder = tempfile::tempdir()?;
    let data = folder.path().join("data");
    let manager = Manager::start_as_shipped(&data, None).await?;
    let catalogs = Catalogs::start().await?;
    let brokers = (0..BROKERS).map(|number| catalogs.registration(number));
    manager
        .post_all("/v1/service_brokers", brokers.collect())
        .await?;
    let home = folder.path().join("home");
    std::fs::create_dir(&home)?;
    let smctl = Smctl { program, home };
    let password = std::fs::read_to_string(data.join("admin-password"))?;
    smctl.log_in(&format!("http://{}", manager.address()), password.trim())?;

    // Runs of programs block; the catalogs and the report live on other threads.
    let rounds = tokio::task::spawn_blocking(move || smctl.rounds()).await??;
    let (bare, bare_least) = (middle(&rounds.bare), least(&rounds.bare));
    report.beside(
        "`true`, from start to end",
        bare,
        "ms",
        Wanted::Nothing,
        &format!("{bare_least:.2} ms at best"),
    );
    for (name, times, bound) in [
        ("`smctl version`", &rounds.version, VERSION_MS),
        ("`smctl marketplace`", &rounds.marketplace, MARKETPLACE_MS),
    ] {
        report.beside(
            name,
            middle(times),
            "ms",
            Wanted::Below(bound),
            &format!("{:.2} ms at best; {bare:.2} ms for `true`", least(times)),
        );
    }
    report.close()
}

/// The program as it is given away: without what only a debugger reads. `strip` comes with the C compiler.
fn size(report: &mut Report, program: &Path) -> Result<()> {
    let mib = |path: &Path| -> Result<f64> {
        Ok(std::fs::metadata(path)?.len() as f64 / 1024.0 / 1024.0)
    };
    let folder = tempfile::tempdir()?;
    let bare = folder.path().join("smctl");
    std::fs::copy(program, &bare)?;
    let done = Command::new("strip").arg(&bare).status();
    let done = done.context("running strip")?;
    anyhow::ensure!(done.success(), "strip: {done}");
    report.beside(
        "the program, stripped",
        mib(&bare)?,
        "MiB",
        Wanted::Below(SIZE_MIB),
        &format!(
            "profile `{}`; {:.0} MiB with debug information",
            manager::profile()?,
            mib(program)?
        ),
    );
    Ok(())
}

/// The program under measurement, with a home of its own.
struct Smctl {
    program: PathBuf,
    home: PathBuf,
}

/// Milliseconds.
#[derive(Default)]
struct Rounds {
    bare: Vec<f64>,
    version: Vec<f64>,
    marketplace: Vec<f64>,
}

impl Smctl {
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(words).env("SM_HOME", &self.home);
        command
    }

    fn log_in(&self, url: &str, password: &str) -> Result<()> {
        let mut command = self.command(&["login", "-a", url, "-u", "admin"]);
        let done = command.env("SMCTL_PASSWORD", password).status()?;
        anyhow::ensure!(done.success(), "smctl login: {done}");
        Ok(())
    }

    fn rounds(&self) -> Result<Rounds> {
        let mut rounds = Rounds::default();
        for _ in 0..ROUNDS {
            let (_, took) = timed(&mut Command::new("true"))?;
            rounds.bare.push(took);
            let (said, took) = timed(&mut self.command(&["version"]))?;
            looked_at(&said, "Service Manager Client", 1)?;
            rounds.version.push(took);
            let (said, took) = timed(&mut self.command(&["marketplace"]))?;
            looked_at(&said, "plan-0, plan-1, plan-2, plan-3", OFFERINGS)?;
            rounds.marketplace.push(took);
        }
        Ok(rounds)
    }
}

/// Runs a program to its end: what it said, and how many milliseconds it took.
fn timed(command: &mut Command) -> Result<(String, f64)> {
    command.stdin(Stdio::null()).stderr(Stdio::inherit());
    let began = Instant::now();
    let output = command.output().context("starting a program")?;
    let took = began.elapsed().as_secs_f64() * 1e3;
    if !output.status.success() {
        bail!("{command:?} ended with {}", output.status);
    }
    Ok((String::from_utf8(output.stdout)?, took))
}

fn looked_at(said: &str, text: &str, times: usize) -> Result<()> {
    let found = said.matches(text).count();
    anyhow::ensure!(
        found == times,
        "{text:?} stands there {found} times: {said}"
    );
    Ok(())
}

fn middle(times: &[f64]) -> f64 {
    median(times.to_vec())
}

fn least(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}
