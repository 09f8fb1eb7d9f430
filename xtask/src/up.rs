//! `cargo xtask up [--listen ADDR]`: builds the PostgreSQL example broker, starts it on a scratch
//! server of its own, and prints what to type next. Data, passwords and the broker's store are kept
//! in `./.quartermaster` between runs. Ctrl-C and SIGTERM stop the broker first and the server after
//! it; the server is also stopped when anything here fails.

mod broker;
mod catalog;
mod home;
mod secret;
mod server;
mod signals;
mod welcome;

use std::net::{SocketAddr, TcpListener};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::args::Args;
use crate::setup;
use crate::workspace::Workspace;
use home::Home;
use server::Server;
use signals::Signals;

const LISTEN: &str = "127.0.0.1:8080";
const USER: &str = "admin";

pub(crate) fn run(workspace: &Workspace, mut args: Args) -> Result<ExitCode> {
    let listen = args.value("--listen")?.unwrap_or_else(|| LISTEN.to_owned());
    args.finish()?;
    let listen: SocketAddr = listen.parse().with_context(|| {
        format!("--listen takes an address and a port such as {LISTEN}, not `{listen}`")
    })?;
    let home = Home::open(&workspace.root.join(".quartermaster"))?;
    free(listen)?;
    setup::bring(&[setup::POSTGRES])?;
    let Some(program) = broker::build(workspace)? else {
        return Ok(ExitCode::FAILURE);
    };

    let signals = Signals::catch()?;
    let mut server = Server::start(&home)?;
    let password = secret::kept(&home.file("broker-password"))?;
    let mut broker = broker::Broker::start(&program, &home, listen, USER, &password, server.url())?;
    let Some(address) = broker.ready(&signals)? else {
        broker.stop()?;
        server.stop()?;
        return Ok(ExitCode::SUCCESS);
    };
    let choice = catalog::first_plan(address, USER, &password)?;
    println!(
        "{}",
        welcome::text(address, USER, &password, &choice, server.folder())
    );

    let ended = broker.wait(&signals)?;
    let stopped = server.stop();
    if let Some(status) = ended {
        bail!("the broker ended by itself ({status}); what it said is above");
    }
    stopped?;
    println!("stopped; the data stays in {}", home.folder().display());
    Ok(ExitCode::SUCCESS)
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
