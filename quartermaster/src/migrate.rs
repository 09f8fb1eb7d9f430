//! `quartermaster migrate`: brings the database to this version's schema, and stops.

use crate::cli::Place;
use crate::keys::Source;
use crate::place;
use anyhow::Result;
use std::process::ExitCode;

pub(crate) async fn run(args: &Place) -> Result<ExitCode> {
    let loaded = args.load(None)?;
    let data = args.data();
    data.create()?;
    let (database, options) = place::database(&loaded.config, &data)?;
    let _held = place::hold(&database)?;
    let source = Source::of(&loaded.config, &data);
    // Opening migrates, under a lock that other replicas respect.
    let store = place::open(&database, options, &source).await?;
    store.close().await;
    let version = qm_store::migrations::ALL
        .last()
        .map_or(0, |step| step.version);
    println!("the schema is at version {version}");
    Ok(ExitCode::SUCCESS)
}
