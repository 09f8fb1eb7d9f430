//! Where the state of a command is: database, keys, and whether this process may have them.
//!
//! Used by every command that opens the store. The rule: keys are only made together with a store. Where
//! new keys meet an old store they are removed again, so that nobody takes them for the right ones.

use crate::config::Config;
use crate::data::{DataDir, Held};
use crate::keys::Source;
use anyhow::{Context, Result, bail};
use qm_db::Options;
use qm_store::Store;
use std::path::PathBuf;

/// Where the database is.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    /// A file on this machine.
    Sqlite(PathBuf),
    /// In memory, gone with the process.
    Memory,
    /// A server.
    Postgres,
}

/// The database's place and how to get there.
pub(crate) fn database(config: &Config, data: &DataDir) -> Result<(Place, Options)> {
    let (place, options) = match &config.database.url {
        None => {
            let path = data.database();
            let address = path
                .to_str()
                .with_context(|| format!("the path {} is not UTF-8", path.display()))?;
            let options = Options::parse(&format!("sqlite:{address}"))?;
            (Place::Sqlite(path), options)
        }
        Some(url) => {
            let url = url.expose();
            let options = Options::parse(url)?;
            let place = match options.dialect() {
                qm_db::Dialect::Postgres => Place::Postgres,
                qm_db::Dialect::Sqlite => {
                    let path = url.strip_prefix("sqlite:").unwrap_or(url);
                    match path.strip_prefix("//").unwrap_or(path) {
                        ":memory:" => Place::Memory,
                        path => Place::Sqlite(PathBuf::from(path)),
                    }
                }
            };
            (place, options)
        }
    };
    Ok((place, options.connections(config.database.connections)))
}

/// Takes the database for one manager, where that is needed.
pub(crate) fn hold(place: &Place) -> Result<Option<Held>> {
    match place {
        Place::Sqlite(file) => Held::take(file).map(Some),
        Place::Memory | Place::Postgres => Ok(None),
    }
}

/// Opens the store, brings it to this version's schema, and makes sure that the keys are its own.
pub(crate) async fn open(place: &Place, options: Options, keys: &Source) -> Result<Store> {
    let fresh = keys.is_missing();
    if let (Place::Sqlite(file), Source::Own(key_file), true) = (place, keys, fresh)
        && file.exists()
    {
        bail!(
            "{} is there and its keys are not: put them back as {}, or name them with keys.file or QM_KEYS",
            file.display(),
            key_file.display()
        );
    }
    let ring = keys.read(true)?;
    let opened = Store::open(options, ring).await;
    if let (Err(qm_store::Error::OtherKeys), Source::Own(file), true) = (&opened, keys, fresh) {
        // It opens nothing, and would be taken for the right one tomorrow.
        let _ = std::fs::remove_file(file);
    }
    opened.context("the store cannot be opened")
}
