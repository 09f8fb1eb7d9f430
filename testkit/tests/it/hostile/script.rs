//! Which call meets which fault.

use super::{broker, provision_body};
use qm_testkit::hostile::{Fault, SYNC_PLAN};
use qm_testkit::http::Client;
use quartermaster_osb::Verb;

async fn catalogs(client: &Client, n: usize) -> Vec<u16> {
    let mut statuses = Vec::new();
    for _ in 0..n {
        let answer = client.get("/v2/catalog").await.unwrap();
        statuses.push(answer.status().as_u16());
    }
    statuses
}

#[tokio::test]
async fn nth_times_always_and_from() {
    let (broker, client) = broker().await;
    let fault = || Fault::status(500);
    broker.on(Verb::Catalog).nth(2).then(fault());
    assert_eq!(catalogs(&client, 3).await, [200, 500, 200]);
    broker.behave();
    broker.on(Verb::Catalog).times(2).then(fault());
    assert_eq!(catalogs(&client, 3).await, [500, 500, 200]);
    broker.behave();
    broker.on(Verb::Catalog).from_nth(3).then(fault());
    assert_eq!(catalogs(&client, 4).await, [200, 200, 500, 500]);
    broker.behave();
    broker.on(Verb::Catalog).always().then(fault());
    assert_eq!(catalogs(&client, 3).await, [500, 500, 500]);
}

#[tokio::test]
async fn the_rule_added_first_wins_and_all_count() {
    let (broker, client) = broker().await;
    broker.on(Verb::Catalog).times(1).then(Fault::status(501));
    broker.on(Verb::Catalog).nth(2).then(Fault::status(502));
    broker.on_any().then(Fault::status(503));
    assert_eq!(catalogs(&client, 3).await, [501, 502, 503]);
}

#[tokio::test]
async fn rules_for_one_instance_and_one_binding() {
    let (broker, client) = broker().await;
    broker
        .on(Verb::Provision)
        .for_instance("bad")
        .then(Fault::status(500));
    broker.on_any().for_binding("b").then(Fault::status(503));
    let body = provision_body(SYNC_PLAN);
    for (path, status) in [
        ("/v2/service_instances/good", 201),
        ("/v2/service_instances/bad", 500),
        ("/v2/service_instances/good/service_bindings/b", 503),
        ("/v2/service_instances/good/service_bindings/c", 201),
    ] {
        let answer = client.put(path, &body).await.unwrap();
        assert_eq!(answer.status(), status, "{path}");
    }
    let wanted = (Verb::Provision, "bad");
    assert_eq!(broker.wait_for(wanted, 1).await.unwrap().len(), 1);
}

#[tokio::test]
async fn sequences_and_cycles_also_inside_others() {
    let (broker, client) = broker().await;
    let faults = vec![Fault::status(501), Fault::Behave, Fault::status(503)];
    broker.on(Verb::Catalog).times(4).then(Fault::Sequence {
        faults: faults.clone(),
    });
    broker.on(Verb::Catalog).from_nth(5).then(Fault::Slow {
        millis: 1,
        then: Box::new(Fault::Cycle { faults }),
    });
    assert_eq!(
        catalogs(&client, 8).await,
        [501, 200, 503, 503, 501, 200, 503, 501]
    );
}

#[tokio::test]
async fn a_hanging_call_holds_up_nobody() {
    let (broker, client) = broker().await;
    broker.on(Verb::Catalog).nth(1).then(Fault::Hang);
    let stuck = client.clone();
    let stuck = tokio::spawn(async move { stuck.get("/v2/catalog").await });
    broker.wait_for_calls(1).await.unwrap();
    assert_eq!(catalogs(&client, 1).await, [200]);
    assert!(!stuck.is_finished());
    stuck.abort();
}
