//! How much one caller may ask.

use crate::harness::{Engine, Platform, Setup};
use serde_json::json;

on_both_engines!(
    a_caller_is_slowed_down_and_others_are_not,
    rules_are_for_paths_and_methods,
    parameters_can_be_switched_off,
);

async fn a_caller_is_slowed_down_and_others_are_not(engine: Engine) {
    let setup = Setup::new(engine)
        .set("QM_RATE_LIMIT_ENABLED", "true")
        .set("QM_RATE_LIMIT_RULES", "5-H:/v1/visibilities");
    let manager = setup.start().await;
    let first = Platform::register(&manager, "a", "t").await;
    let second = Platform::register(&manager, "b", "t").await;
    for _ in 0..5 {
        first.client().get("/v1/visibilities").await.expect(200);
    }
    let refused = first.client().get("/v1/visibilities").await;
    let after = refused.header("retry-after").unwrap().to_owned();
    refused.refused(429, "BadRequest");
    // `Retry-After` is an HTTP date: the BTP operator panics on a number.
    assert!(after.len() >= 19 && after.ends_with(" GMT"), "{after}");
    second.client().get("/v1/visibilities").await.expect(200);
    first.client().get("/v1/platforms").await.expect(200);
}

async fn rules_are_for_paths_and_methods(engine: Engine) {
    let setup = Setup::new(engine)
        .set("QM_RATE_LIMIT_ENABLED", "true")
        .set("QM_RATE_LIMIT_RULES", "2-H:/v1/platforms:POST")
        .set("QM_RATE_LIMIT_EXCLUDE_PATHS", "/v1/info");
    let manager = setup.start().await;
    let admin = manager.admin();
    for name in ["a", "b"] {
        Platform::register(&manager, name, "t").await;
    }
    let third = json!({"name": "c", "type": "t"});
    admin
        .post("/v1/platforms", &third)
        .await
        .refused(429, "BadRequest");
    for _ in 0..5 {
        admin.get("/v1/platforms").await.expect(200);
    }
}

async fn parameters_can_be_switched_off(engine: Engine) {
    let setup = Setup::new(engine).set("QM_API_DISABLED_QUERY_PARAMETERS", "environment");
    let manager = setup.start().await;
    let admin = manager.admin();
    for path in ["/v1/service_offerings", "/v1/service_plans"] {
        let answer = admin.get(&format!("{path}?environment=cf")).await;
        answer.refused(501, "NotImplemented");
        admin.get(path).await.expect(200);
    }
    admin.get("/v1/platforms?environment=cf").await.expect(200);
}
