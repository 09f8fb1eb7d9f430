//! Calls of platforms through the manager, next to the broker itself, a bare reverse proxy and PostgreSQL alone:
//! `qm-bench osb [quick | peers | full | profile]`; `peers` leaves the manager out, `full` measures its memory instead of
//! speed, `profile` keeps one manager busy for a profiler.
//!
//! ```text
//!   callers ----------------------------> broker      direct
//!   callers -> bare proxy --------------> broker      bare proxy
//!   callers -> manager on SQLite -------> broker      sqlite, and sqlite, creds (a credential for this broker alone)
//!   callers -> manager on PostgreSQL ---> broker      postgres
//!   callers -> PostgreSQL                             postgres alone (provisions: two commits), and with few indexes
//! ```
//!
//! The rule: one run, one machine, the same callers and the same broker for all; an answer with another status than the
//! expected one fails the run, and so does a missed ratio, after everything has been measured.

mod alone;
pub(crate) mod broker;
pub(crate) mod caller;
pub(crate) mod catalog;
mod compare;
mod contestant;
pub(crate) mod disk;
mod full;
pub(crate) mod postgres;
mod profile;
pub(crate) mod proxy;
pub(crate) mod register;
mod round;
mod table;
mod verb;

use crate::manager::{self, Manager};
use crate::report::{Report, Wanted};
use crate::server::Served;
use alone::Alone;
use anyhow::{Result, bail};
use caller::Door;
use compare::{JUDGED, Pace};
use contestant::{Contestant, Team, Way};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use table::Table;
use verb::Verb;

const QUICK: Pace = Pace {
    rounds: 3,
    length: Duration::from_millis(700),
    warm_up: Duration::from_millis(200),
};
const WHOLE: Pace = Pace {
    rounds: 7,
    length: Duration::from_millis(1500),
    warm_up: Duration::from_millis(500),
};

const DIRECT: &str = "broker direct";
const BARE: &str = "bare proxy";
const SQLITE: &str = "sqlite";
const CREDENTIALS: &str = "sqlite, creds";
const POSTGRES: &str = "postgres";
const ALONE: &str = "postgres alone";
const LEAN: &str = "alone, few idx";

/// What is wanted at [`JUDGED`] connections: the call, who, beside whom, at least.
const RATIOS: [(Verb, &str, &str, Wanted); 9] = [
    (Verb::Provision, SQLITE, BARE, Wanted::AtLeast(0.3)),
    (Verb::Provision, POSTGRES, ALONE, Wanted::AtLeast(1.0)),
    (Verb::Provision, POSTGRES, LEAN, Wanted::Nothing),
    (Verb::Catalog, SQLITE, BARE, Wanted::AtLeast(0.8)),
    (Verb::Catalog, POSTGRES, BARE, Wanted::AtLeast(0.8)),
    (Verb::LastOperation, SQLITE, BARE, Wanted::AtLeast(0.6)),
    (Verb::LastOperation, POSTGRES, BARE, Wanted::AtLeast(0.6)),
    (Verb::Catalog, CREDENTIALS, SQLITE, Wanted::AtLeast(NO_LESS)),
    (
        Verb::LastOperation,
        CREDENTIALS,
        SQLITE,
        Wanted::AtLeast(NO_LESS),
    ),
];
/// As quick, as far as rounds on a shared machine can tell.
const NO_LESS: f64 = 0.95;

/// Runs the benchmark; an error when a wanted figure was missed.
pub(crate) async fn run(mode: Option<&str>) -> Result<()> {
    let pace = match mode {
        None => WHOLE,
        Some("quick" | "peers") => QUICK,
        Some("full") => {
            manager::build()?;
            let mut report = Report::default();
            full::measure(&mut report).await?;
            return report.close();
        }
        Some("profile") => {
            manager::build()?;
            return profile::run(
                std::env::args().nth(3).as_deref(),
                std::env::args().nth(4).as_deref(),
            )
            .await;
        }
        Some(_) => bail!("usage: qm-bench osb [quick | peers | full | profile ENGINE [CALL]]"),
    };
    manager::build()?;
    let folder = disk::folder()?;
    let broker = broker::start()?;
    let proxy = proxy::start(&broker)?;
    let server = postgres::start().await?;
    let (of_manager, of_alone) = (server.database()?, server.database()?);
    let of_lean = server.database()?;

    let sqlite = Opened::open(&folder.path().join("sqlite"), None, &broker).await?;
    let by_credential = sqlite
        .registered
        .door_by_credential(&sqlite.manager)
        .await?;
    let on_postgres = Opened::open(
        &folder.path().join("postgres"),
        Some(&of_manager.url()),
        &broker,
    )
    .await?;
    let mut alone = Vec::new();
    for (name, url, lean) in [(ALONE, of_alone.url(), false), (LEAN, of_lean.url(), true)] {
        // A manager makes the tables and what rows refer to, and leaves.
        let data = folder.path().join(name);
        drop(Opened::open(&data, Some(&url), &broker).await?);
        alone.push((name, Alone::open(&url, lean, pace.length).await?));
    }

    let postmaster = Some(postgres::pid(&server)?);
    let http = |name, door: Door, server: Option<&Served>, postgres| Contestant {
        name,
        way: Way::Http(Arc::new(door)),
        own: Some(server.unwrap_or(&broker).pid()),
        team: Team {
            server: server.map(Served::pid),
            broker: Some(broker.pid()),
            postgres,
        },
        only_at: None,
    };
    let mut contestants = vec![
        http(DIRECT, straight(&broker), None, None),
        http(BARE, straight(&proxy), Some(&proxy), None),
        http(SQLITE, sqlite.door()?, Some(&sqlite.manager.served), None),
        Contestant {
            only_at: Some(JUDGED),
            ..http(
                CREDENTIALS,
                by_credential,
                Some(&sqlite.manager.served),
                None,
            )
        },
        http(
            POSTGRES,
            on_postgres.door()?,
            Some(&on_postgres.manager.served),
            postmaster,
        ),
    ];
    contestants.extend(alone.into_iter().map(|(name, alone)| Contestant {
        name,
        way: Way::Database(alone),
        own: None,
        team: Team {
            postgres: postmaster,
            ..Team::default()
        },
        only_at: None,
    }));
    if mode == Some("peers") {
        contestants.retain(|one| [DIRECT, BARE, ALONE, LEAN].contains(&one.name));
    }
    println!(
        "catalog of {} bytes; {} rounds of {} ms per call and contestant in turns",
        catalog::text().len(),
        pace.rounds,
        pace.length.as_millis()
    );
    let table = compare::run(&contestants, pace).await?;
    table.print();
    judge(&table)
}

fn judge(table: &Table) -> Result<()> {
    let mut report = Report::default();
    report.part(&format!("ratios at {JUDGED} connections"));
    for (verb, ours, theirs, wanted) in RATIOS {
        if let Some((ratio, low, high)) = table.ratio(verb, JUDGED, ours, theirs) {
            report.beside(
                &format!("{}: {ours} / {theirs}", verb.name()),
                ratio,
                "",
                wanted,
                &format!("{low:.2} to {high:.2} in the rounds"),
            );
        }
    }
    let (errors, examples) = table.errors();
    if errors > 0 {
        bail!("{errors} answers had another status than the expected one; for example\n{examples}");
    }
    report.close()
}

/// A door that needs no registration.
fn straight(server: &Served) -> Door {
    Door {
        address: server.address,
        prefix: String::new(),
        authorizations: vec![manager::basic(
            register::BROKER_USER,
            register::BROKER_PASSWORD,
        )],
    }
}

/// A manager with everything registered.
struct Opened {
    manager: Manager,
    registered: register::Registered,
}

impl Opened {
    async fn open(data: &Path, url: Option<&str>, broker: &Served) -> Result<Self> {
        let manager = Manager::start_as_shipped(data, url).await?;
        let registered = register::register(&manager, broker.address, 1).await?;
        Ok(Self {
            manager,
            registered,
        })
    }

    fn door(&self) -> Result<Door> {
        self.registered.door(&self.manager)
    }
}
