//! The numbers that `/metrics` shows.

use crate::support::{Registered, relay};
use qm_relay::{BreakerSettings, RelaySettings};
use qm_testkit::hostile::{Fault, HostileBroker};
use quartermaster_osb::Verb;
use std::time::Duration;

#[tokio::test]
async fn every_outcome_is_counted() {
    let mut hostile = HostileBroker::start().await.unwrap();
    let relay = relay(RelaySettings {
        breaker: BreakerSettings {
            failures: 2,
            pause: Duration::from_secs(3600),
        },
        ..RelaySettings::default()
    });
    let broker = Registered::new("b1", hostile.url());
    broker.catalog(&relay).await.unwrap();
    hostile.on(Verb::Catalog).nth(1).then(Fault::status(503));
    hostile.on(Verb::Catalog).from_nth(2).then(Fault::Close);
    broker.catalog(&relay).await.unwrap_err();
    broker.catalog(&relay).await.unwrap_err();
    hostile.stop().await;
    broker.catalog(&relay).await.unwrap_err();
    broker.catalog(&relay).await.unwrap_err();
    let shown = relay.numbers();
    for wanted in [
        r#"qm_broker_requests_total{broker="b1",verb="catalog",code="200"} 1"#,
        r#"qm_broker_requests_total{broker="b1",verb="catalog",code="503"} 1"#,
        r#"qm_broker_requests_total{broker="b1",verb="catalog",code="lost"} 1"#,
        r#"qm_broker_requests_total{broker="b1",verb="catalog",code="unreachable"} 1"#,
        r#"qm_broker_requests_total{broker="b1",verb="catalog",code="open"} 1"#,
        r#"qm_broker_breaker{broker="b1"} 2"#,
        r#"qm_broker_in_flight{broker="b1"} 0"#,
        r#"qm_broker_request_seconds_count{broker="b1",verb="catalog"} 4"#,
        "# HELP qm_broker_breaker ",
    ] {
        assert!(shown.contains(wanted), "{wanted} is not in\n{shown}");
    }
}

#[tokio::test]
async fn a_forgotten_broker_leaves_no_series_behind() {
    let hostile = HostileBroker::start().await.unwrap();
    let relay = relay(RelaySettings::default());
    let (gone, stays) = (
        Registered::new("gone", hostile.url()),
        Registered::new("stays", hostile.url()),
    );
    gone.catalog(&relay).await.unwrap();
    stays.catalog(&relay).await.unwrap();
    assert!(relay.numbers().contains("gone"));
    relay.forget(&gone.id);
    let shown = relay.numbers();
    assert!(
        !shown.contains("gone") && shown.contains("stays"),
        "{shown}"
    );
    relay.forget(&stays.id);
    assert_eq!(relay.numbers(), "");
}

#[tokio::test]
async fn numbers_outlive_a_change_of_address() {
    let hostile = HostileBroker::start().await.unwrap();
    let relay = relay(RelaySettings::default());
    for url in [hostile.url(), format!("{}/", hostile.url())] {
        let broker = Registered::new("b", url);
        broker.catalog(&relay).await.unwrap();
    }
    let shown = relay.numbers();
    let wanted = r#"qm_broker_requests_total{broker="b",verb="catalog",code="200"} 2"#;
    assert!(shown.contains(wanted), "{shown}");
}
