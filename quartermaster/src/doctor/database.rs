//! Whether the database answers, has this version's schema, opens with the keys, and knows what time it is.

use super::{Report, clock};
use crate::place::Place;
use qm_db::seal::KeyRing;
use qm_db::{Db, Dialect, Options};
use qm_model::Chain;
use qm_store::{Store, migrations};

const NAME: &str = "database";

/// The store, when everything about it is right.
pub(super) async fn look(
    place: &Place,
    options: Options,
    ring: Option<KeyRing>,
    report: &mut Report,
) -> Option<Store> {
    // Opening a file would make it.
    if let Place::Sqlite(file) = place
        && !file.exists()
    {
        let what = format!("{} is not there; the first start makes it", file.display());
        report.ok(NAME, what);
        clock::alone(None, report);
        return None;
    }
    let db = match Db::open(options.clone()).await {
        Ok(db) => db,
        Err(error) => {
            let todo = match place {
                Place::Postgres => "start the server, or mend database.url",
                Place::Sqlite(_) | Place::Memory => "look at the file and its folder",
            };
            report.problem(NAME, Chain(&error).to_string(), todo);
            return None;
        }
    };
    let current = schema(&db, report).await;
    match db.dialect() {
        Dialect::Postgres => skew(&db, report).await,
        Dialect::Sqlite => past(&db, report).await,
    }
    db.close().await;
    let (true, Some(ring)) = (current, ring) else {
        return None;
    };
    // The schema is this version's: opening the store changes nothing.
    match Store::open(options, ring).await {
        Ok(store) => {
            report.ok("keys", "they open what is stored");
            Some(store)
        }
        Err(error) => {
            let todo = "give the key file or QM_KEYS the store was made with";
            report.problem("keys", Chain(&error).to_string(), todo);
            None
        }
    }
}

/// Whether the schema is the one that this program writes.
async fn schema(db: &Db, report: &mut Report) -> bool {
    let known = migrations::ALL.last().map_or(0, |step| step.version);
    let asked = "SELECT max(version) FROM schema_migration WHERE part = $1";
    let found = match db.query(asked, vec![migrations::PART.into()]).await {
        Ok(rows) => rows
            .first()
            .and_then(|row| row.get::<Option<i64>>(0).ok())
            .flatten(),
        // Most likely there is no such table: nobody has been here.
        Err(error) if !error.retryable() => None,
        Err(error) => {
            report.problem(
                NAME,
                Chain(&error).to_string(),
                "see why it does not answer",
            );
            return false;
        }
    };
    match found {
        Some(found) if found == known => {
            report.ok(
                NAME,
                format!("it answers; its schema is at version {found}"),
            );
            true
        }
        Some(found) if found > known => {
            let what = format!("its schema is at version {found}, and this program knows {known}");
            report.problem(NAME, what, "use the newer program");
            false
        }
        Some(found) => {
            let what = format!("its schema is at version {found} of {known}");
            report.warning(NAME, what, "`quartermaster migrate`, or start the manager");
            false
        }
        None => {
            report.ok(NAME, "it answers and is empty; the first start fills it");
            false
        }
    }
}

/// Leases and deadlines compare our clock with those of other replicas; the server's stands for them.
async fn skew(db: &Db, report: &mut Report) {
    let asked = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    let before = clock::now();
    let answer = db.query(asked, Vec::new()).await;
    let theirs = answer
        .ok()
        .and_then(|rows| rows.first().and_then(|row| row.get::<i64>(0).ok()));
    match theirs {
        Some(theirs) => clock::compare("the database", theirs, before, 0, report),
        None => report.skipped("clock", "the database does not say what time it is"),
    }
}

/// A file has no clock, but it remembers when it was written. A clock that was set back is seen by that.
async fn past(db: &Db, report: &mut Report) {
    let rows = db.query("SELECT max(at) FROM audit", Vec::new()).await;
    let last = rows.ok().and_then(|rows| {
        let at = rows.first()?.get::<Option<i64>>(0);
        at.ok().flatten()
    });
    clock::alone(last, report);
}
