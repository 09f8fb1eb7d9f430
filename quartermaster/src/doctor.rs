//! `quartermaster doctor`: one check after the other, each told in plain words with what to do.
//!
//! The rule: it changes nothing, and one check that fails does not keep the others from being made, unless
//! they need what is missing. A problem keeps the manager from working; a warning will, or loses something.

mod brokers;
mod clock;
mod configuration;
mod database;
mod disk;
mod folder;
mod issuers;
mod listen;
mod report;
mod sealing;

pub(crate) use report::Report;

use crate::cli::{DoctorArgs, Output};
use crate::config::Loaded;
use crate::data::DataDir;
use crate::{place, wire};
use anyhow::Result;
use qm_relay::Relay;
use std::process::ExitCode;

pub(crate) async fn run(args: &DoctorArgs) -> Result<ExitCode> {
    // Libraries that ask for a provider without naming one get ours.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let mut report = Report::default();
    let data = args.place.data();
    match args.place.load(Some(&args.listen)) {
        Ok(loaded) => {
            configuration::good(&loaded, args.place.config.as_deref(), &mut report);
            look(&loaded, &data, &mut report).await;
        }
        Err(problems) => {
            configuration::bad(&problems, &mut report);
            folder::look(&data, &mut report);
        }
    }
    match args.output {
        Output::Text => print!("{}", report.text()),
        Output::Json => println!("{}", report.json()),
    }
    Ok(match report.is_healthy() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

async fn look(loaded: &Loaded, data: &DataDir, report: &mut Report) {
    let config = &loaded.config;
    folder::look(data, report);
    let ring = sealing::look(config, data, report);
    let store = match place::database(config, data) {
        Ok((place, options)) => {
            listen::look(config, &place, report).await;
            disk::look(data, &place, report);
            database::look(&place, options, ring, report).await
        }
        Err(error) => {
            report.problem("database", format!("{error:#}"), "mend database.url");
            None
        }
    };
    match relay(loaded) {
        Err(error) => report.problem(
            "brokers",
            format!("{error:#}"),
            "mend the files or numbers in [brokers]",
        ),
        Ok(relay) => {
            issuers::look(config, &relay, report).await;
            match &store {
                None => report.skipped(
                    "brokers",
                    "they stand in the database, which was not opened",
                ),
                Some(store) => brokers::look(store, &relay, report).await,
            }
        }
    }
    if let Some(store) = store {
        store.close().await;
    }
}

fn relay(loaded: &Loaded) -> Result<Relay> {
    Ok(Relay::new(wire::relay(&loaded.config)?)?)
}
