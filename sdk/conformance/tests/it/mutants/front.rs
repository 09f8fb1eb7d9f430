//! Faults before any instance: credentials, versions, headers, catalog, paths, errors.

use super::ask::Answer;
use super::proxy::authorize;
use super::{Mutant, answers, asks, beside};
use http::HeaderValue;
use serde_json::{Value, json};

fn plan(answer: &mut Answer, index: usize, change: fn(&mut Value)) {
    answer.edit(|body| change(&mut body["services"][0]["plans"][index]));
}

pub(super) const MUTANTS: &[Mutant] = &[
    asks("credentials are not checked", "auth.none", |ask, _| {
        authorize(ask);
    }),
    answers(
        "403 in place of 401",
        "auth.wrong-password",
        |_, answer, _| answer.turn(401, 403),
    ),
    answers(
        "400 for an unreadable Authorization",
        "auth.malformed",
        |ask, answer, _| {
            if !ask.header("authorization").contains("Og") && ask.header("authorization").len() < 20
            {
                answer.turn(401, 400);
            }
        },
    ),
    answers(
        "the version is checked before credentials",
        "auth.before-version",
        |ask, answer, _| {
            if ask.header("x-broker-api-version") != "2.17" {
                answer.turn(401, 412);
            }
        },
    ),
    answers(
        "the body is checked before credentials",
        "auth.before-body",
        |ask, answer, _| {
            if !ask.body.is_empty() && ask.json().is_null() {
                answer.turn(401, 400);
            }
        },
    ),
    answers("no challenge with 401", "auth.challenge", |_, answer, _| {
        answer.headers.remove("www-authenticate");
    }),
    answers(
        "higher minor versions are refused",
        "version.higher-minor",
        |ask, answer, _| {
            if ask.header("x-broker-api-version") == "2.999" {
                answer.status = 412;
            }
        },
    ),
    answers(
        "500 for a bad version",
        "version.malformed",
        |ask, answer, _| {
            if ask.header("x-broker-api-version") == "abc" {
                answer.status = 500;
            }
        },
    ),
    answers(
        "404 for a missing version",
        "version.missing",
        |ask, answer, _| {
            if ask.header("x-broker-api-version").is_empty() {
                answer.status = 404;
            }
        },
    ),
    answers(
        "the refusal of a version does not say why",
        "version.refusal-says-why",
        |ask, answer, _| {
            if ask.header("x-broker-api-version") != "2.17" {
                answer.become_json(412, &json!({"description": "no"}));
            }
        },
    ),
    beside(
        answers(
            "the request identity is lost",
            "request-id.everywhere",
            |_, answer, _| {
                answer.headers.remove("x-broker-api-request-identity");
            },
        ),
        &["request-id.success"],
    ),
    answers(
        "the request identity is lost on 404",
        "request-id.not-found",
        |_, answer, _| {
            if answer.status == 404 {
                answer.headers.remove("x-broker-api-request-identity");
            }
        },
    ),
    answers(
        "the request identity is lost on 401",
        "request-id.unauthorized",
        |_, answer, _| {
            if answer.status == 401 {
                answer.headers.remove("x-broker-api-request-identity");
            }
        },
    ),
    answers(
        "the request identity is folded",
        "request-id.verbatim",
        |_, answer, _| {
            if let Some(value) = answer.headers.get_mut("x-broker-api-request-identity") {
                let folded = value
                    .to_str()
                    .unwrap_or_default()
                    .to_lowercase()
                    .replace("  ", " ");
                *value = HeaderValue::from_str(&folded).unwrap();
            }
        },
    ),
    answers(
        "500 for a bad originating identity",
        "originating.malformed",
        |ask, answer, _| {
            if ask
                .header("x-broker-api-originating-identity")
                .contains("not-base64")
            {
                answer.status = 500;
            }
        },
    ),
    beside(
        answers(
            "answers are text/html",
            "content-type.answers",
            |_, answer, _| {
                answer.header("content-type", "text/html");
            },
        ),
        &["catalog.works"],
    ),
    answers(
        "charset is not understood",
        "content-type.charset",
        |ask, answer, _| {
            if ask.header("content-type").contains("charset") {
                answer.become_json(400, &json!({"description": "not JSON"}));
            }
        },
    ),
    answers(
        "other content types are read",
        "content-type.mismatch",
        |ask, answer, _| {
            if ask.header("content-type") == "text/plain" {
                answer.become_json(201, &json!({}));
            }
        },
    ),
    answers(
        "the catalog is an array",
        "catalog.works",
        |ask, answer, _| {
            if ask.catalog() {
                answer.body = "[]".into();
            }
        },
    ),
    answers(
        "bindable is missing",
        "catalog.offering-fields",
        |ask, answer, _| {
            if ask.catalog() {
                answer.edit(|body| {
                    body["services"][0]
                        .as_object_mut()
                        .map(|offering| offering.remove("bindable"));
                });
            }
        },
    ),
    answers(
        "a plan has no description",
        "catalog.plan-fields",
        |ask, answer, _| {
            if ask.catalog() {
                plan(answer, 0, |plan| plan["description"] = json!(""));
            }
        },
    ),
    answers(
        "two plans have one name",
        "catalog.unique-plan-names",
        |ask, answer, _| {
            if ask.catalog() {
                plan(answer, 1, |plan| plan["name"] = json!("instant"));
            }
        },
    ),
    answers(
        "two plans have one id",
        "catalog.unique-ids",
        |ask, answer, _| {
            if ask.catalog() {
                plan(answer, 1, |plan| {
                    plan["id"] = json!("5c0ff1ce-0001-4000-8000-000000000011");
                });
            }
        },
    ),
    answers(
        "ids change with every fetch",
        "catalog.stable",
        |ask, answer, memory| {
            if ask.catalog() {
                let id = format!("5c0ff1ce-0001-4000-8000-{:012}", memory.count("catalog"));
                answer.edit(|body| body["services"][0]["plans"][1]["id"] = json!(id));
            }
        },
    ),
    answers(
        "a flag is text",
        "catalog.optional-fields",
        |ask, answer, _| {
            if ask.catalog() {
                plan(answer, 0, |plan| plan["free"] = json!("true"));
            }
        },
    ),
    answers(
        "requires has an unknown word",
        "catalog.requires-words",
        |ask, answer, _| {
            if ask.catalog() {
                answer.edit(|body| body["services"][0]["requires"] = json!(["gpu"]));
            }
        },
    ),
    answers(
        "a schema has no dialect",
        "catalog.schema-dialect",
        |ask, answer, _| {
            if ask.catalog() {
                plan(answer, 0, |plan| {
                    plan["schemas"]["service_instance"]["create"]["parameters"] =
                        json!({"type": "object"});
                });
            }
        },
    ),
    answers(
        "a schema refers elsewhere",
        "catalog.schema-refs",
        |ask, answer, _| {
            if ask.catalog() {
                plan(answer, 0, |plan| {
                    plan["schemas"]["service_instance"]["create"]["parameters"]["$ref"] =
                        json!("http://example.com/s.json");
                });
            }
        },
    ),
    answers(
        "a maintenance version is not SemVer",
        "catalog.maintenance-version",
        |ask, answer, _| {
            if ask.catalog() {
                plan(answer, 0, |plan| {
                    plan["maintenance_info"]["version"] = json!("1.0");
                });
            }
        },
    ),
    answers(
        "a name has blanks",
        "catalog.friendly-names",
        |ask, answer, _| {
            if ask.catalog() {
                plan(answer, 0, |plan| plan["name"] = json!("very instant"));
            }
        },
    ),
    asks("the ETag is ignored", "catalog.etag-match", |ask, _| {
        ask.headers.remove("if-none-match");
    }),
    answers(
        "every tag matches",
        "catalog.etag-other",
        |ask, answer, _| {
            if ask.headers.contains_key("if-none-match") {
                answer.status = 304;
                answer.body = "".into();
            }
        },
    ),
    answers(
        "unknown paths are served",
        "routes.unknown",
        |ask, answer, _| {
            if ask.path == "/v2/no_such_endpoint" {
                answer.become_json(200, &json!({}));
            }
        },
    ),
    answers(
        "500 for other methods",
        "routes.method",
        |ask, answer, _| {
            if ask.method == "POST" {
                answer.status = 500;
            }
        },
    ),
    answers(
        "500 for a truncated body",
        "body.truncated",
        |ask, answer, _| {
            if !ask.body.is_empty() && ask.json().is_null() {
                answer.turn(400, 500);
            }
        },
    ),
    answers(
        "the connection is cut at bad UTF-8",
        "body.invalid-utf8",
        |ask, answer, _| {
            answer.cut = std::str::from_utf8(&ask.body).is_err();
        },
    ),
    answers("a huge body hangs", "body.huge", |ask, answer, _| {
        answer.hang = ask.body.len() > 4_000_000;
    }),
    answers(
        "an empty body is a success",
        "body.empty",
        |ask, answer, _| {
            if ask.instance("PUT") && ask.body.is_empty() {
                answer.become_json(201, &json!({}));
            }
        },
    ),
    answers(
        "a nonsense query is a 500",
        "query.nonsense",
        |ask, answer, _| {
            if ask.query == "%zz" {
                answer.status = 500;
            }
        },
    ),
    beside(
        answers(
            "a description is empty",
            "errors.non-empty",
            |_, answer, _| {
                if answer.status == 400 {
                    answer.set("description", json!(""));
                }
            },
        ),
        &["provision.missing-plan-id"],
    ),
    beside(
        answers(
            "a refusal says nothing",
            "errors.description",
            |_, answer, _| {
                if answer.status == 400 {
                    answer.become_json(400, &json!({}));
                }
            },
        ),
        &["provision.missing-plan-id"],
    ),
    beside(
        answers("a refusal is HTML", "errors.object", |_, answer, _| {
            if answer.status == 404 {
                answer.body = "<h1>Not Found</h1>".into();
            }
        }),
        &["fetch-instance.unknown"],
    ),
    beside(
        answers(
            "a reserved word comes with 400",
            "errors.reserved-words",
            |_, answer, _| {
                if answer.json()["error"] == "AsyncRequired" {
                    answer.status = 400;
                }
            },
        ),
        &["provision.async-required"],
    ),
    beside(
        answers(
            "a stack trace is shown",
            "errors.no-secrets",
            |_, answer, _| {
                if answer.status == 400 {
                    answer.set(
                        "description",
                        json!("thread 'main' panicked at src/main.rs:1"),
                    );
                }
            },
        ),
        &["provision.missing-plan-id"],
    ),
    beside(
        answers(
            "update_repeatable on a provision",
            "errors.usable-flags",
            |ask, answer, _| {
                if ask.instance("PUT") && answer.status == 400 {
                    answer.set("update_repeatable", json!(true));
                }
            },
        ),
        &["provision.missing-plan-id"],
    ),
    beside(
        answers(
            "503 once in a while",
            "errors.no-5xx",
            |ask, answer, memory| {
                if ask.polls() && memory.count("polls") == 3 {
                    answer.status = 503;
                }
            },
        ),
        &["provision"],
    ),
];
