//! Defects of the running process: 20, 22 and 25.

use crate::harness::answer::{fields, id, text};
use crate::harness::brokers::{broker, register, registration};
use crate::harness::{Engine, Manager, Platform, Setup, eventually, query};
use qm_testkit::hostile::Fault;
use quartermaster_osb::Verb;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

on_both_engines!(
    defect_20_health_is_looked_at_again_and_kept_between,
    defect_22_times_have_a_zone_and_are_right,
    defect_25_sigterm_drops_no_accepted_request,
    defect_25_streams_end_with_the_manager,
);

/// The check's own time was never renewed, so its result was kept only once.
async fn defect_20_health_is_looked_at_again_and_kept_between(engine: Engine) {
    let manager = Manager::start(engine).await;
    let anybody = manager.anybody();
    let checked = async || {
        let health = anybody.get("/v1/monitor/health").await.expect(200);
        text(&health["details"]["storage"], "check_time")
    };
    // After every renewal it must be kept again; the old server kept the first one only.
    for _ in 0..2 {
        let first = checked().await;
        eventually("storage is looked at again", async || {
            let now = checked().await;
            (now > first).then_some(())
        })
        .await;
        let mut kept = false;
        for _ in 0..5 {
            kept |= checked().await == checked().await;
        }
        assert!(kept, "every request looks at the storage anew");
    }
}

/// One column had no zone and was at times filled from the local clock.
async fn defect_22_times_have_a_zone_and_are_right(engine: Engine) {
    let manager = Setup::new(engine).set("TZ", "Asia/Kathmandu").start().await;
    let admin = manager.admin();
    let platform = Platform::register(&manager, "p", "t").await;
    let path = format!("/v1/platforms/{}", platform.id);
    let shown = admin.get(&path).await.expect(200);
    let operation = &shown["last_operation"];
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs();
    for moment in [
        text(&shown, "created_at"),
        text(&shown, "updated_at"),
        text(operation, "created_at"),
        text(operation, "updated_at"),
    ] {
        assert!(moment.ends_with('Z'), "{moment}");
        let away = now.abs_diff(seconds(&manager, &moment));
        assert!(away < 600, "{moment} is {away} s away");
    }
    assert_eq!(
        text(operation, "deletion_scheduled"),
        "0001-01-01T00:00:00Z"
    );

    // 2024-01-01T00:00:00Z, written behind the manager's back: asked for as the same moment.
    let done = id(operation);
    manager.sql(&format!(
        "UPDATE operation SET deletion_scheduled = 1704067200000 WHERE id = '{done}'"
    ));
    for (criteria, count) in [
        ("deletion_scheduled eq 2024-01-01T05:45:00+05:45", 1),
        ("deletion_scheduled lt 2024-01-01T00:00:00Z", 0),
        ("deletion_scheduled gt 2024-01-01T00:30:00+01:00", 1),
    ] {
        let criteria = format!("{criteria} and id eq '{done}'");
        let path = query("/v1/operations", &[("fieldQuery", &criteria)]);
        assert_eq!(
            admin.get(&path).await.expect(200)["num_items"],
            count,
            "{criteria}"
        );
    }
}

/// Seconds since 1970 by the database's own calendar.
fn seconds(manager: &Manager, moment: &str) -> u64 {
    let text = match manager.engine() {
        Engine::Sqlite => format!("SELECT unixepoch('{moment}')"),
        Engine::Postgres => {
            format!("SELECT floor(extract(epoch FROM '{moment}'::timestamptz))::bigint")
        }
    };
    manager.sql(&text)[0].parse().unwrap()
}

/// Only SIGINT stopped the old server in order; SIGTERM, which platforms send, cut everything.
async fn defect_25_sigterm_drops_no_accepted_request(engine: Engine) {
    const CALLERS: usize = 20;
    let mut manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    hostile.on(Verb::Catalog).then(Fault::slow(1500));
    let mut callers = Vec::new();
    for number in 0..CALLERS {
        let (admin, body) = (
            admin.clone(),
            registration(&format!("b{number:02}"), &hostile),
        );
        callers.push(tokio::spawn(async move {
            admin.post("/v1/service_brokers", &body).await
        }));
    }
    // What the broker is asked for has been accepted.
    hostile.wait_for(Verb::Catalog, CALLERS).await.unwrap();
    // Others keep coming meanwhile; they get an answer or no connection, never half of one.
    let mut crowd = Vec::new();
    for _ in 0..4 {
        let admin = admin.clone();
        crowd.push(tokio::spawn(async move {
            let mut answered = 0;
            let get = http::Method::GET;
            while let Ok(answer) = admin.try_send(get.clone(), "/v1/platforms", &[], "").await {
                assert!([200, 503].contains(&answer.status), "{answer:#?}");
                answered += usize::from(answer.body["items"].is_array());
            }
            answered
        }));
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    let status = manager.stop().await;
    assert!(status.success(), "{status}: {}", manager.output());
    for caller in callers {
        caller.await.unwrap().expect(201);
    }
    for member in crowd {
        assert!(member.await.unwrap() > 0);
    }
    manager.restart().await;
    let page = admin.get("/v1/service_brokers").await.expect(200);
    assert_eq!(fields(&page, "name").len(), CALLERS);
}

async fn defect_25_streams_end_with_the_manager(engine: Engine) {
    let mut manager = Manager::start(engine).await;
    let admin = manager.admin();
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let mut stream = platform.connect(None).await;
    let hostile = broker().await;
    register(&admin, "before", &hostile).await;
    let last = stream.next().await["revision"].as_i64();
    let status = manager.stop().await;
    assert!(status.success(), "{status}: {}", manager.output());
    assert_eq!(
        stream.next_or_end().await,
        None,
        "an open stream does not keep the manager"
    );
    manager.restart().await;
    let mut stream = platform.connect(last).await;
    register(&admin, "after", &hostile).await;
    let message = stream.next().await;
    assert_eq!(message["payload"]["new"]["resource"]["name"], "after");
}
