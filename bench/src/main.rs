//! Speed, measured against a peer in the same run: `cargo xtask bench NAME`.
//!
//! Each benchmark is a file. The rule: ratios count, absolute figures are for orientation, and a
//! benchmark that misses its wanted ratio ends with an error.

mod cli;
mod db;
mod fill;
mod listener;
mod load;
mod manager;
mod osb;
mod process;
mod registry;
mod render;
mod report;
mod rest;
mod sdk;
mod server;

const USAGE: &str = "usage: qm-bench cli | db | osb [quick | peers | full | profile ENGINE [CALL]] | registry [PART] | render | rest [PART] | sdk
  cli       smctl from its start to its end, next to `true`; its size
  db        inserts through qm-db next to the drivers themselves
  osb       platforms' calls through the manager next to a bare proxy and PostgreSQL alone
  registry  the manager: memory, start, telling platforms, lists, single reads
  render    templates parsed and executed next to Go's own engine
  rest      people's instances next to a door, many operations under way, a large cascade
  sdk       synchronous provisions of the minimal broker next to a bare axum server";

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("cli") => cli::run().await,
        Some("db") => db::run().await,
        Some("osb") => osb::run(std::env::args().nth(2).as_deref()).await,
        Some("registry") => registry::run(std::env::args().nth(2).as_deref()).await,
        Some("render") => tokio::task::spawn_blocking(render::run).await?,
        Some("rest") => rest::run(std::env::args().nth(2).as_deref()).await,
        Some("sdk") => sdk::run().await,
        // The peer of `sdk`, in a process of its own.
        Some("constant") => server::constant().await,
        // The peer of `registry`.
        Some("bare") => registry::bare::serve().await,
        // What `rest` polls.
        Some("rest-broker") => rest::broker::serve().await,
        // The peers of `osb`.
        Some("osb-broker") => tokio::task::spawn_blocking(osb::broker::serve).await?,
        Some("osb-proxy") => osb::proxy::serve(std::env::args().nth(2).as_deref()).await,
        _ => anyhow::bail!("{USAGE}"),
    }
}
