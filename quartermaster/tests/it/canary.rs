//! Marked secrets are driven through every path there is, errors and the most talkative log level included.
//! Then everything that was written is searched for them.
//!
//! The rule: a secret may stand in the one answer that is made to show it, and nowhere else: no other answer, no
//! log, no byte of the database in the clear.

mod drive;
pub(crate) mod found;
pub(crate) mod marks;

use crate::harness::{Engine, Manager, Setup};
use found::Places;
use marks::Marks;
use qm_testkit::hostile::{Config, HostileBroker};

on_both_engines!(no_secret_is_written_anywhere);

/// What the drives share.
struct World {
    manager: Manager,
    /// Takes any credentials.
    broker: HostileBroker,
    marks: Marks,
    places: Places,
}

async fn no_secret_is_written_anywhere(engine: Engine) {
    let mut marks = Marks::default();
    let manager = Setup::new(engine)
        .database_password(&marks.make("database-password"))
        .set("QM_LOG_LEVEL", "trace")
        .set("QM_LOG_FORMAT", "json")
        .set("QM_BROKERS_TIMEOUT", "1s")
        .set("QM_BROKERS_CONNECT_TIMEOUT", "1s")
        .set("QM_BROKERS_HEADER_TIMEOUT", "1s")
        .set("QM_BROKERS_REFRESH_INTERVAL", "300ms")
        .start()
        .await;
    let config = Config {
        credentials: None,
        ..Config::default()
    };
    let broker = HostileBroker::start_with(config).await.unwrap();
    let mut world = World {
        manager,
        broker,
        marks,
        places: Places::default(),
    };
    drive::brokers::all(&mut world).await;
    drive::platforms::all(&mut world).await;
    drive::people::all(&mut world).await;
    drive::bodies::all(&mut world).await;
    drive::views::all(&mut world).await;

    let World {
        mut manager,
        broker,
        mut marks,
        mut places,
    } = world;
    // Printed once on purpose, and kept in its file; nowhere else.
    let first = manager.admin_password();
    let printed = manager.output().matches(&first).count();
    assert_eq!(printed, 1, "the first password is printed once");
    marks.add("access-token", manager.token());
    places.database(&manager);
    manager.stop().await;
    places.add("the log", &manager.output());
    places.files(&manager);
    drop(broker);
    let leaks = places.search(&marks);
    assert!(
        leaks.is_empty(),
        "{} leaks:\n{}",
        leaks.len(),
        leaks.join("\n")
    );
    assert!(marks.len() > 20, "only {} secrets were driven", marks.len());
    // The search itself must be able to find something.
    places.add("a place with a leak", &format!("x{}x", marks.any()));
    assert_eq!(places.search(&marks).len(), 1);
}
