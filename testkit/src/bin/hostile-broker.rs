//! The hostile broker as a program, for tests in other languages and for people who try things out.
//! Scripted over HTTP at `/_hostile/`.

use clap::Parser;
use qm_testkit::hostile::{Config, HostileBroker};
use std::io::{self, Write as _};
use std::net::SocketAddr;

/// A broker that behaves until told otherwise at /_hostile/faults.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Where to listen; port 0 takes a free one.
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// The user it lets in; empty lets everybody in.
    #[arg(long, default_value = "user")]
    user: String,
    /// The password of that user.
    #[arg(long, default_value = "password")]
    password: String,
    /// How often an operation answers `in progress` before it ends.
    #[arg(long, default_value_t = 1)]
    polls: u32,
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let arguments = Arguments::parse();
    let mut broker = HostileBroker::start_with(Config {
        listen: arguments.listen,
        credentials: Some((arguments.user, arguments.password))
            .filter(|(user, _)| !user.is_empty()),
        polls: arguments.polls,
        ..Config::default()
    })
    .await?;
    writeln!(io::stdout(), "listening on {}", broker.url())?;
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    tokio::select! {
        ended = tokio::signal::ctrl_c() => ended?,
        _ = terminate.recv() => {}
    }
    broker.stop().await;
    Ok(())
}
