//! Which plans can be shared and changed to, and the generated plan.

use super::{instance, plan, shareable, verdict};
use qm_policy::share::{generated, is_reference, is_shareable, may_change_plan, may_share};
use serde_json::{Value, json};

#[test]
fn only_the_word_true_makes_a_plan_shareable() {
    let rows = [
        (None, false),
        (Some(json!({})), false),
        (Some(json!({"supportsInstanceSharing": false})), false),
        (Some(json!({"supportsInstanceSharing": "true"})), false),
        (Some(json!({"supportsInstanceSharing": null})), false),
        (Some(json!({"supportsInstanceSharing": true})), true),
    ];
    for (metadata, wanted) in rows {
        assert_eq!(
            is_shareable(&plan("a", metadata.clone())),
            wanted,
            "{metadata:?}"
        );
    }
}

#[test]
fn what_may_be_shared() {
    let rows = [
        (instance("a", None, None), shareable("a"), "ok"),
        (instance("a", Some(true), None), shareable("a"), "ok"),
        (
            instance("a", None, None),
            plan("a", None),
            "400 BadRequest share-plan",
        ),
        (
            instance("a", None, Some("x")),
            shareable("a"),
            "400 BadRequest share-reference",
        ),
    ];
    for (instance, plan, wanted) in rows {
        assert_eq!(verdict(may_share(&instance, &plan)), wanted, "{instance:?}");
    }
}

#[test]
fn what_an_instance_may_change_to() {
    let reference = plan("reference-instance", None);
    let rows = [
        // Not shared, or no longer: any plan of its kind.
        (instance("a", None, None), plan("b", None), "ok"),
        (instance("a", Some(false), None), plan("b", None), "ok"),
        // Shared: only where it can stay shared. Keeping a plan is no change.
        (instance("a", Some(true), None), shareable("b"), "ok"),
        (instance("a", Some(true), None), plan("a", None), "ok"),
        (
            instance("a", Some(true), None),
            plan("b", None),
            "400 BadRequest shared-plan",
        ),
        // References neither come nor go by a change.
        (
            instance("a", None, None),
            reference.clone(),
            "400 BadRequest reference-plan",
        ),
        (
            instance("reference-instance", None, Some("x")),
            shareable("b"),
            "400 BadRequest reference-plan",
        ),
        (
            instance("reference-instance", None, Some("x")),
            reference,
            "ok",
        ),
    ];
    for (instance, to, wanted) in rows {
        assert_eq!(
            verdict(may_change_plan(&instance, &to)),
            wanted,
            "{instance:?} to {}",
            to.name
        );
    }
}

fn raw(metadata: &Value) -> Value {
    json!({"id": "x", "name": "x", "metadata": metadata})
}

#[test]
fn the_plan_is_there_when_one_can_be_shared_and_says_what_the_protocol_wants() {
    assert_eq!(generated(&[], "id"), None);
    assert_eq!(
        generated(&[raw(&json!({})), json!({"id": "y"})], "id"),
        None
    );
    let plans = [
        raw(&json!({})),
        raw(&json!({"supportsInstanceSharing": true})),
    ];
    let made = generated(&plans, "id").unwrap();
    assert_eq!(made["id"], "id");
    assert_eq!(made["name"], "reference-instance");
    assert_eq!(made["free"], true);
    assert_eq!(made["bindable"], true);
    assert_eq!(made["plan_updateable"], false);
    let schema = &made["schemas"]["service_instance"]["create"]["parameters"];
    assert_eq!(schema["$schema"], "http://json-schema.org/draft-04/schema#");
    assert!(is_reference(&super::plan("reference-instance", None)));
    assert!(!is_reference(&super::plan("reference", None)));
    assert_eq!(generated(&plans, "id").unwrap(), made, "always the same");
}

#[test]
fn it_is_offered_where_a_shareable_plan_is() {
    let shared =
        |key: &str, words: &[&str]| raw(&json!({"supportsInstanceSharing": true, key: words}));
    let anywhere = raw(&json!({"supportsInstanceSharing": true}));
    let elsewhere = raw(&json!({"supportedPlatforms": ["never"]}));
    let (types, names, except) = (
        "supportedPlatforms",
        "supportedPlatformNames",
        "excludedPlatformNames",
    );
    let rows = [
        (vec![shared(types, &["a"])], json!({types: ["a"]})),
        (
            vec![shared(types, &["b"]), elsewhere, shared(types, &["a", "b"])],
            json!({types: ["a", "b"]}),
        ),
        (
            vec![shared(names, &["a"]), shared(names, &["c"])],
            json!({names: ["a", "c"]}),
        ),
        (
            vec![shared(except, &["a", "b"]), shared(except, &["b", "c"])],
            json!({except: ["b"]}),
        ),
        (
            vec![shared(except, &["a"]), shared(except, &["b"])],
            Value::Null,
        ),
        (vec![shared(types, &["a"]), anywhere], Value::Null),
        // Cannot be said in one rule: the first.
        (
            vec![shared(types, &["a"]), shared(names, &["b"])],
            json!({types: ["a"]}),
        ),
    ];
    for (plans, wanted) in rows {
        let made = generated(&plans, "id").unwrap();
        let metadata = made.get("metadata").cloned().unwrap_or_default();
        assert_eq!(metadata, wanted, "{plans:?}");
    }
}
