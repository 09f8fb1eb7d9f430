//! `quartermaster manager`: puts the parts together, runs them, and takes them apart in order.
//!
//! ```text
//!   config -> logs -> data folder held -> address bound -> keys -> store -> relay -> deeds
//!          -> first administrator -> stream -> tasks -> doors -> "listening on ..."
//!   SIGTERM -> doors close, accepted requests finish, streams end -> tasks end -> deeds settle -> store
//! ```
//!
//! The rule: what can fail fails before the address line is printed, with a message that says what to
//! change; after it only a signal ends the process.

mod accept;
mod admin;
mod connection;
mod doors;
mod recorder;
mod signal;
mod stop;

use crate::cli::ManagerArgs;
use crate::config::Loaded;
use crate::data::DataDir;
use crate::keys::{self, Source};
use crate::{logs, place, wire};
use anyhow::{Context, Result};
use qm_http::Wire;
use qm_lifecycle::{Clock, Lifecycle};
use qm_relay::Relay;
use qm_store::Store;
use qm_stream::Stream;
use qm_tasks::Tasks;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// How long the last steps of a stop may take once the doors are closed.
const LAST_STEPS: Duration = Duration::from_secs(10);

/// Runs until a signal comes.
pub(crate) fn run(args: &ManagerArgs) -> Result<ExitCode> {
    let loaded = args.place.load(Some(&args.listen))?;
    let data = args.place.data();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the runtime cannot be started")?;
    let ran = runtime.block_on(serve(&loaded, &data));
    // Whatever still runs by now was given its time.
    runtime.shutdown_timeout(Duration::from_secs(1));
    ran.map(|()| ExitCode::SUCCESS)
}

async fn serve(loaded: &Loaded, data: &DataDir) -> Result<()> {
    let config = &loaded.config;
    let logs = logs::start(config)?;
    let metrics = recorder::install()?;
    // Libraries that ask for a provider without naming one get ours. A second install would be the same.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let mut signals = signal::watch()?;

    data.create()?;
    let (database, options) = place::database(config, data)?;
    let _held = place::hold(&database)?;
    let listener = bind(&config.server.listen).await?;
    let address = listener.local_addr().context("the socket has no address")?;
    let source = Source::of(config, data);
    let store = place::open(&database, options, &source).await?;

    // A file is held by us alone, so whoever had a lease there is dead.
    qm_store::operation::release_all(&store)
        .await
        .context("the database cannot be written")?;
    let replica = format!("{}-{}", std::process::id(), uuid::Uuid::new_v4());
    let relay = Relay::new(wire::relay(config)?).context("[brokers] cannot be used")?;
    let deeds = Lifecycle::new(
        store.clone(),
        relay.clone(),
        wire::deeds(config, &replica)?,
        Clock::system(),
        Box::new(Wire),
    );
    deeds
        .set_lease_clock()
        .await
        .context("the database does not say what time it is")?;
    qm_lifecycle::platform::ensure_manager(&deeds)
        .await
        .context("the manager's own platform cannot be stored")?;
    admin::first(&deeds, data).await?;
    let stream = Stream::start(store.clone(), wire::stream(config), Wire);
    let tasks = Tasks::start(store.clone(), deeds.clone(), wire::tasks(config, &replica));
    let stopping = CancellationToken::new();
    let watching = tokio::spawn(keys::watch(store.clone(), source, stopping.clone()));
    let upkeep = tokio::spawn(recorder::upkeep(metrics.clone(), stopping.clone()));
    let router = doors::open(
        loaded, &deeds, &stream, &logs.dial, metrics, relay, &stopping,
    );

    tell(&format!("listening on http://{address}"));
    tracing::info!(%address, database = ?store.dialect(), "the manager is ready");
    let limits = accept::Limits::from(&config.server);
    let stop = accept::run(listener, router, &limits, signals.recv(), &stopping).await;

    // Streams last as long as their clients like; they are told while requests are finished.
    let grace = config.server.shutdown_timeout.0;
    let (cut, ()) = tokio::join!(stop.drain(grace), stream.stop(grace));
    if cut > 0 {
        tracing::warn!(
            cut,
            "connections were cut at the end of server.shutdown_timeout"
        );
    }
    let rest = finish(&tasks, &deeds, &store);
    if tokio::time::timeout(LAST_STEPS, rest).await.is_err() {
        tracing::warn!("work was left behind; it is taken up at the next start");
    }
    watching.abort();
    upkeep.abort();
    tracing::info!("stopped");
    logs.finish().await;
    Ok(())
}

async fn finish(tasks: &Tasks, deeds: &Lifecycle, store: &Store) {
    tasks.stop().await;
    deeds.settle().await;
    store.close().await;
}

async fn bind(address: &str) -> Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| {
        format!("cannot listen on {address}; choose another address with --listen")
    })
}

/// The socket is bound, so a client that reads this can connect. Whoever started us may have closed our
/// standard output; that is no reason not to serve.
fn tell(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
