//! Faults of requests: headers, ids, bodies, queries; and of taking catalogs.

use super::{Ask, Kind, Mutant, asks, mutant, watched};
use http::HeaderValue;
use serde_json::{Value, json};

const LIFE: &str = "bind.async";

fn set(ask: &mut Ask, name: &'static str, value: &'static str) {
    ask.headers.insert(name, HeaderValue::from_static(value));
}

fn query(ask: &mut Ask, key: &str, value: &str) {
    for pair in &mut ask.query {
        if pair.0 == key {
            value.clone_into(&mut pair.1);
        }
    }
}

/// Whether a catalog says something that this platform does not know.
fn strange(catalog: &Value) -> bool {
    catalog.to_string().contains("x_vendor")
}

pub(super) const MUTANTS: &[Mutant] = &[
    asks!(
        "no version",
        "headers.version",
        "provision.created",
        |ask| {
            ask.headers.remove("x-broker-api-version");
        }
    ),
    asks!(
        "no version in polls",
        "headers.version",
        "poll.provision",
        |ask| {
            if ask.kind == Kind::Poll {
                ask.headers.remove("x-broker-api-version");
            }
        }
    ),
    asks!(
        "a version that is none",
        "headers.version",
        "provision.created",
        |ask| {
            set(ask, "x-broker-api-version", "v2");
        }
    ),
    asks!(
        "no credentials for catalogs",
        "headers.auth",
        "provision.created",
        |ask| {
            if ask.kind == Kind::Catalog {
                ask.headers.remove("authorization");
            }
        }
    ),
    asks!(
        "wrong credentials",
        "headers.auth",
        "provision.created",
        |ask| {
            set(ask, "authorization", "Basic dXNlcjpwYXNz");
        }
    ),
    asks!(
        "no content type",
        "headers.content-type",
        "provision.created",
        |ask| {
            ask.headers.remove("content-type");
        }
    ),
    asks!(
        "a request identity now and then",
        "identity.request-always",
        "poll.provision",
        |ask| {
            if ask.number % 2 == 1 {
                ask.headers.remove("x-broker-api-request-identity");
            }
        }
    ),
    asks!(
        "an empty request identity",
        "identity.request-always",
        "poll.provision",
        |ask| {
            if ask.kind == Kind::Poll {
                set(ask, "x-broker-api-request-identity", "");
            }
        }
    ),
    asks!(
        "a user only with provisions",
        "identity.user-always",
        "bind.created",
        |ask| {
            if ask.kind != Kind::Provision {
                ask.headers.remove("x-broker-api-originating-identity");
            }
        }
    ),
    asks!(
        "a user that is not encoded",
        "identity.user-format",
        "provision.created",
        |ask| {
            set(ask, "x-broker-api-originating-identity", "kubernetes {}");
        }
    ),
    asks!(
        "a user without the profile's fields",
        "identity.user-format",
        "provision.created",
        |ask| {
            set(ask, "x-broker-api-originating-identity", "kubernetes e30=");
        }
    ),
    asks!(
        "a user of another platform",
        "identity.user-platform",
        "provision.created",
        |ask| {
            set(ask, "x-broker-api-originating-identity", "elsewhere e30=");
        }
    ),
    asks!(
        "a context without a namespace",
        "context.profile",
        "bind.created",
        |ask| {
            if let Some(body) = &mut ask.body {
                body["context"]["namespace"].take();
            }
        }
    ),
    asks!(
        "a context without a platform",
        "context.profile",
        "provision.created",
        |ask| {
            if let Some(body) = &mut ask.body {
                body["context"] = json!({});
            }
        }
    ),
    asks!(
        "a slash at the end",
        "requests.known",
        "provision.created",
        |ask| {
            if ask.kind == Kind::Provision {
                ask.path.push('/');
            }
        }
    ),
    asks!(
        "POST in place of PATCH",
        "requests.known",
        "update.parameters",
        |ask| {
            if ask.kind == Kind::Update {
                ask.method = http::Method::POST;
            }
        }
    ),
    asks!(
        "no space",
        "requests.provision-fields",
        "provision.created",
        |ask| {
            if let Some(body) = &mut ask.body {
                body["space_guid"].take();
            }
        }
    ),
    asks!(
        "an empty organization",
        "requests.provision-fields",
        "provision.created",
        |ask| {
            if let Some(body) = &mut ask.body {
                body["organization_guid"] = json!("");
            }
        }
    ),
    asks!(
        "DELETE without a plan",
        "requests.delete-ids",
        "fetch.sealed",
        |ask| {
            if ask.kind == Kind::Unbind {
                ask.query.retain(|(key, _)| key != "plan_id");
            }
        }
    ),
    asks!(
        "DELETE with another service",
        "requests.delete-ids",
        "ids.after-deletion",
        |ask| {
            if ask.kind == Kind::Deprovision {
                query(ask, "service_id", "another");
            }
        }
    ),
    asks!(
        "accepts_incomplete=yes",
        "requests.accepts-incomplete",
        "provision.created",
        |ask| {
            query(ask, "accepts_incomplete", "yes");
        }
    ),
    asks!(
        "the wrong path of the catalog",
        "catalog.fetched",
        "catalog.fetched",
        |ask| {
            if ask.kind == Kind::Catalog {
                "/catalog".clone_into(&mut ask.path);
            }
        }
    ),
    mutant(
        "refuses unknown fields",
        "catalog.unknown-fields",
        |habits| habits.refuses = strange,
    ),
    mutant("refuses long texts", "catalog.long-texts", |habits| {
        habits.refuses = |catalog| catalog.to_string().contains(&"long words ".repeat(30));
    }),
    mutant("folds names", "catalog.case-sensitive", |habits| {
        habits.name = str::to_lowercase;
    }),
    mutant("knows one draft only", "catalog.schemas", |habits| {
        habits.refuses = |catalog| catalog.to_string().contains("draft-04");
    }),
    watched(
        "one id for all brokers",
        "ids.global",
        "provision.created,provision.exists",
        |habits| {
            habits.instance_id = |_, _, _| "the-instance".to_owned();
        },
    ),
    mutant("an instance id for each plan", "ids.instances", |habits| {
        habits.instance_id = |plan, _, _| plan.to_owned();
    }),
    mutant("one id for all bindings", "ids.bindings", |habits| {
        habits.binding_id = |_, _| "the-binding".to_owned();
    }),
    mutant(
        "ids of deleted instances again",
        "ids.after-deletion",
        |habits| {
            habits.instance_id = |plan, _, _| plan.to_owned();
        },
    ),
    mutant(
        "ids of failed instances again",
        "ids.after-failure",
        |habits| {
            habits.instance_id = |plan, _, _| plan.to_owned();
        },
    ),
    asks!(
        "numbers become text",
        "provision.parameters",
        "provision.parameters",
        |ask| {
            if let Some(body) = &mut ask.body {
                body["parameters"]["numbers"] = json!(["0"]);
            }
        }
    ),
    asks!(
        "only synchronously",
        "provision.accepts-incomplete",
        "provision.accepts-incomplete",
        |ask| {
            ask.query.retain(|(key, _)| key != "accepts_incomplete");
        }
    ),
    asks!(
        "updates without parameters",
        "update.parameters",
        "update.parameters",
        |ask| {
            if let Some(body) = ask.body.as_mut().filter(|_| ask.kind == Kind::Update) {
                body["parameters"].take();
            }
        }
    ),
    asks!(
        "updates with any plan",
        "update.parameters-without-plan-change",
        "update",
        |ask| {
            if let Some(body) = ask.body.as_mut().filter(|_| ask.kind == Kind::Update) {
                body["plan_id"] = json!("another");
            }
        }
    ),
    asks!(
        "plan changes without the plan",
        "update.plan-change",
        "update.plan-change",
        |ask| {
            if let Some(body) = ask.body.as_mut().filter(|_| ask.kind == Kind::Update) {
                body["plan_id"].take();
            }
        }
    ),
    asks!(
        "binds without a plan",
        "bind.created",
        "bind.created",
        |ask| {
            if let Some(body) = ask.body.as_mut().filter(|_| ask.kind == Kind::Bind) {
                body["plan_id"].take();
            }
        }
    ),
    asks!(
        "binds without parameters",
        "bind.parameters",
        "bind.parameters",
        |ask| {
            if let Some(body) = ask.body.as_mut().filter(|_| ask.kind == Kind::Bind) {
                body["parameters"].take();
            }
        }
    ),
    asks!(
        "rotation without a predecessor",
        "rotate.works",
        "rotate.works",
        |ask| {
            if let Some(body) = &mut ask.body {
                body["predecessor_binding_id"].take();
            }
        }
    ),
    asks!(
        "polls without the operation",
        "poll.operation",
        "bind.async",
        |ask| {
            if ask.kind == Kind::Poll {
                ask.query.retain(|(key, _)| key != "operation");
            }
        }
    ),
    mutant(
        "blanks become plus signs",
        "poll.operation-encoded",
        |habits| {
            habits.encode = |text| {
                let set = percent_encoding::NON_ALPHANUMERIC;
                let encoded = percent_encoding::utf8_percent_encode(text, set).to_string();
                encoded.replace("%20", "+")
            };
        },
    ),
    mutant(
        "encoded twice",
        "poll.operation-encoded-binding",
        |habits| {
            habits.encode = |text| {
                let set = percent_encoding::NON_ALPHANUMERIC;
                let once = percent_encoding::utf8_percent_encode(text, set).to_string();
                percent_encoding::utf8_percent_encode(&once, set).to_string()
            };
        },
    ),
    mutant("cuts operations off", "poll.operation-long", |habits| {
        habits.encode = |text| text.chars().take(255).collect();
    }),
    asks!(
        "invents operations",
        "poll.operation-absent",
        "poll.operation-absent",
        |ask| {
            if ask.kind == Kind::Poll {
                ask.query.retain(|(key, _)| key != "operation");
                ask.query
                    .push(("operation".to_owned(), "provision".to_owned()));
            }
        }
    ),
    asks!("polls without a plan", "poll.hints", "bind.async", |ask| {
        if ask.kind == Kind::Poll {
            ask.query.retain(|(key, _)| key != "plan_id");
        }
    }),
    asks!(
        "polls with another plan",
        "poll.hints-right",
        "bind.async",
        |ask| {
            if ask.kind == Kind::Poll {
                query(ask, "plan_id", "another");
            }
        }
    ),
];

#[test]
fn a_watching_case_has_calls_to_watch() {
    let all = || qm_conformance::platform::cases::all();
    for mutant in MUTANTS {
        let watches = all().any(|case| case.id == mutant.found_by && case.watches());
        assert!(
            !watches || mutant.beside != mutant.found_by,
            "{}",
            mutant.name
        );
    }
    assert!(all().any(|case| case.id == LIFE));
}
