//! `cargo xtask up [--listen ADDR]`: builds and starts the Service Manager and the PostgreSQL example
//! broker on a scratch server of its own, registers the broker with its plans visible and a platform,
//! and prints what to type next. Everything is kept in `./.quartermaster` between runs. Ctrl-C and
//! SIGTERM stop the manager first, then the broker and the server after it; all are also stopped when
//! anything here fails.

mod broker;
mod child;
mod client;
mod home;
mod manager;
mod port;
mod programs;
mod registry;
mod secret;
mod server;
mod signals;
mod welcome;

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{ExitCode, ExitStatus};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::args::Args;
use crate::workspace::Workspace;
use crate::{cargo, setup};
use child::Child;
use home::Home;
use server::Server;
use signals::Signals;

const LISTEN: &str = "127.0.0.1:8080";
const POLL: Duration = Duration::from_millis(100);

pub(crate) fn run(workspace: &Workspace, mut args: Args) -> Result<ExitCode> {
    let listen = args.value("--listen")?.unwrap_or_else(|| LISTEN.to_owned());
    args.finish()?;
    let listen: SocketAddr = listen.parse().with_context(|| {
        format!("--listen takes an address and a port such as {LISTEN}, not `{listen}`")
    })?;
    let home = Home::open(&workspace.root.join(".quartermaster"))?;
    free(listen)?;
    setup::bring(&[setup::POSTGRES])?;
    let Some(built) = build(workspace)? else {
        return Ok(ExitCode::FAILURE);
    };
    programs::link(&home, &built.smctl)?;

    // Dropped from last to first: the manager, the broker, the server.
    let signals = Signals::catch()?;
    let mut server = Server::start(&home)?;
    let password = secret::kept(&home.file("broker-password"))?;
    let mut broker = broker::start(&built.broker, &home, &password, server.url())?;
    let Some(broker_at) = broker.ready(&signals)? else {
        return Ok(ExitCode::SUCCESS);
    };
    broker::remember(&home, broker_at)?;
    let mut manager = manager::start(&built.manager, &home, listen)?;
    let Some(manager_at) = manager.ready(&signals)? else {
        return Ok(ExitCode::SUCCESS);
    };
    registry::fill(manager_at, &home, broker_at, &password)?;
    println!(
        "{}",
        welcome::text(manager_at, broker_at, &home, server.folder())
    );

    let ended = wait(&mut [&mut manager, &mut broker], &signals)?;
    manager.stop()?;
    broker.stop()?;
    server.stop()?;
    if let Some((name, status)) = ended {
        bail!("{name} ended by itself ({status}); what it said is above");
    }
    println!("stopped; the data stays in {}", home.folder().display());
    Ok(ExitCode::SUCCESS)
}

/// The programs of `up`.
struct Programs {
    manager: PathBuf,
    smctl: PathBuf,
    broker: PathBuf,
}

/// Builds them; `None` when one does not build, which cargo has explained.
fn build(workspace: &Workspace) -> Result<Option<Programs>> {
    let _claim = cargo::claim(workspace)?;
    // All at once, as the tests build them: otherwise each would build its own dependencies.
    let mut command = cargo::command(workspace);
    command.args(["build", "--workspace", "--all-features"]);
    command.args(["--bin", "quartermaster", "--bin", "smctl"]);
    command.args(["--example", "postgres"]);
    let Some(built) = cargo::build(&mut command)? else {
        return Ok(None);
    };
    let find = |name: &str| {
        let program = built.iter().find(|program| program.target == name);
        program
            .map(|program| program.path.clone())
            .with_context(|| format!("cargo built no {name}"))
    };
    Ok(Some(Programs {
        manager: find("quartermaster")?,
        smctl: find("smctl")?,
        broker: find("postgres")?,
    }))
}

/// Waits for a signal; or for one of them to end by itself, which is told.
fn wait(
    children: &mut [&mut Child],
    signals: &Signals,
) -> Result<Option<(&'static str, ExitStatus)>> {
    loop {
        for child in children.iter_mut() {
            if let Some(status) = child.ended()? {
                // Ctrl-C goes to all of us, and it may be the quicker one.
                thread::sleep(POLL);
                return Ok(Some((child.name(), status)).filter(|_| !signals.came()));
            }
        }
        if signals.came() {
            return Ok(None);
        }
        thread::sleep(POLL);
    }
}

/// Told before the long build, not after it.
fn free(listen: SocketAddr) -> Result<()> {
    match TcpListener::bind(listen) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => bail!(
            "something listens on {listen} already; choose another address, e.g. cargo xtask up --listen {}:{}",
            listen.ip(),
            listen.port().checked_add(1).unwrap_or(8080)
        ),
        Err(error) => Err(error).with_context(|| format!("cannot listen on {listen}")),
    }
}

#[cfg(test)]
mod tests {
    use super::free;

    #[test]
    fn a_taken_port_is_told_with_the_way_out() {
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        let error = free(address).unwrap_err().to_string();
        assert!(error.contains("--listen 127.0.0.1:"), "{error}");
        free("127.0.0.1:0".parse().unwrap()).unwrap();
    }
}
