//! Faults with bindings: bind, fetch, rotate, unbind.

use super::{Mutant, answers, asks, beside};
use serde_json::json;

pub(super) const MUTANTS: &[Mutant] = &[
    answers("a new binding is a 200", "bind.works", |ask, answer, _| {
        if ask.binding("PUT") {
            answer.turn(201, 200);
        }
    }),
    answers(
        "credentials in a 202",
        "bind.accepted-shape",
        |ask, answer, _| {
            if ask.binding("PUT") && answer.status == 202 {
                answer.set("credentials", json!({"token": "x"}));
            }
        },
    ),
    answers(
        "no credentials in the 201",
        "bind.credentials",
        |ask, answer, _| {
            if ask.binding("PUT") && answer.status == 201 {
                answer.remove("credentials");
            }
        },
    ),
    answers(
        "credentials are text",
        "bind.answer-shape",
        |ask, answer, _| {
            if ask.binding("PUT") && answer.status == 201 {
                answer.set("credentials", json!("token"));
            }
        },
    ),
    answers(
        "a repeat gets other credentials",
        "bind.repeat-identical",
        |ask, answer, memory| {
            if ask.binding("PUT") && answer.status == 200 {
                let n = memory.count(&ask.path);
                answer.set("credentials", json!({"token": n}));
            }
        },
    ),
    answers(
        "a repeat is a 409",
        "bind.repeat-identical",
        |ask, answer, _| {
            if ask.binding("PUT") {
                answer.turn(200, 409);
            }
        },
    ),
    answers(
        "the operation of a bind changes",
        "bind.repeat-in-progress",
        |ask, answer, memory| {
            if ask.binding("PUT") && answer.status == 202 {
                let n = memory.count(&ask.path);
                answer.set("operation", json!(format!("op-{n}")));
            }
        },
    ),
    answers(
        "no conflict over the application",
        "bind.conflict-app",
        |ask, answer, _| {
            if ask.binding("PUT") && answer.status == 409 {
                answer.become_json(200, &json!({}));
            }
        },
    ),
    answers(
        "a missing plan_id is a 422",
        "bind.missing-plan-id",
        |ask, answer, _| {
            if ask.binding("PUT") {
                answer.turn(400, 422);
            }
        },
    ),
    answers(
        "an unknown plan can be bound",
        "bind.unknown-plan",
        |ask, answer, _| {
            if ask.binding("PUT") && answer.status == 400 {
                answer.become_json(201, &json!({"credentials": {}}));
            }
        },
    ),
    answers(
        "an unknown instance can be bound",
        "bind.unknown-instance",
        |ask, answer, _| {
            if ask.binding("PUT") && !answer.ok() {
                answer.become_json(201, &json!({"credentials": {}}));
            }
        },
    ),
    asks(
        "a bind is asynchronous without leave",
        "bind.async-required",
        |ask, _| {
            if ask.binding("PUT") && ask.query.is_empty() {
                "accepts_incomplete=true".clone_into(&mut ask.query);
            }
        },
    ),
    answers(
        "unknown fields are refused",
        "bind.unknown-fields",
        |ask, answer, _| {
            if ask.binding("PUT") && ask.json().get("x_vendor").is_some() {
                answer.become_json(400, &json!({"description": "unknown field"}));
            }
        },
    ),
    answers(
        "an application is needed without the word",
        "bind.no-app",
        |ask, answer, _| {
            if ask.binding("PUT") && ask.json().get("bind_resource").is_none() {
                answer.become_json(422, &json!({"description": "no application"}));
            }
        },
    ),
    answers(
        "a drain that was not announced",
        "bind.requires-announced",
        |ask, answer, _| {
            if ask.binding("PUT") && answer.status == 201 {
                answer.set("syslog_drain_url", json!("syslog://example.com"));
            }
        },
    ),
    answers("a time without T and Z", "bind.times", |ask, answer, _| {
        if ask.binding("PUT") && answer.status == 201 {
            answer.set("metadata", json!({"expires_at": "2030-01-01 00:00:00"}));
        }
    }),
    answers("renewal after the end", "bind.times", |ask, answer, _| {
        if ask.binding("PUT") && answer.status == 201 {
            let times = json!({"expires_at": "2030-01-01T00:00:00.0Z", "renew_before": "2031-01-01T00:00:00.0Z"});
            answer.set("metadata", times);
        }
    }),
    answers(
        "ports are numbers",
        "bind.endpoint-shape",
        |ask, answer, _| {
            if ask.binding("PUT") && answer.status == 201 {
                answer.set("endpoints", json!([{"host": "h", "ports": [443]}]));
            }
        },
    ),
    answers(
        "two binds at once both make it",
        "concurrency.same-bind",
        |ask, answer, _| {
            if ask.binding("PUT") && answer.ok() {
                answer.become_json(201, &json!({"credentials": {"token": 1}}));
            }
        },
    ),
    answers(
        "fetch makes new credentials",
        "fetch-binding.agrees",
        |ask, answer, memory| {
            if ask.binding("GET") && answer.ok() {
                let n = memory.count(&ask.path);
                answer.set("credentials", json!({"token": n}));
            }
        },
    ),
    answers(
        "an unknown binding is a 410 on fetch",
        "fetch-binding.unknown",
        |ask, answer, _| {
            if ask.binding("GET") {
                answer.turn(404, 410);
            }
        },
    ),
    answers(
        "a binding can be fetched while it is made",
        "fetch-binding.while-creating",
        |ask, answer, _| {
            if ask.binding("GET") && answer.status == 404 {
                answer.become_json(200, &json!({"credentials": {}}));
            }
        },
    ),
    answers(
        "a deleted binding can be fetched",
        "fetch-binding.after-unbind",
        |ask, answer, _| {
            if ask.binding("GET") && answer.status == 404 {
                answer.become_json(200, &json!({"credentials": {}}));
            }
        },
    ),
    answers(
        "rotation needs the ids",
        "rotate.minimal-body",
        |ask, answer, _| {
            let body = ask.json();
            if ask.binding("PUT")
                && body.get("predecessor_binding_id").is_some()
                && body.get("service_id").is_none()
            {
                answer.become_json(400, &json!({"description": "service_id is missing"}));
            }
        },
    ),
    answers(
        "rotation ends the predecessor",
        "rotate.both-valid",
        |ask, answer, memory| {
            if ask.binding("PUT")
                && answer.ok()
                && let Some(old) = ask.json()["predecessor_binding_id"].as_str()
            {
                memory.count(old);
            }
            let id = ask.path.rsplit('/').next().unwrap_or_default();
            if ask.binding("GET") && memory.knows(id) {
                answer.become_json(404, &json!({"description": "rotated"}));
            }
        },
    ),
    answers(
        "any predecessor will do",
        "rotate.unknown-predecessor",
        |ask, answer, _| {
            if ask.binding("PUT")
                && ask.json().get("predecessor_binding_id").is_some()
                && !answer.ok()
            {
                answer.become_json(201, &json!({"credentials": {}}));
            }
        },
    ),
    answers(
        "a predecessor of another instance will do",
        "rotate.predecessor-of-other-instance",
        |ask, answer, _| {
            if ask.binding("PUT")
                && ask.json().get("predecessor_binding_id").is_some()
                && !answer.ok()
            {
                answer.become_json(201, &json!({"credentials": {}}));
            }
        },
    ),
    answers(
        "a rotation cannot be repeated",
        "rotate.repeat-identical",
        |ask, answer, _| {
            if ask.json().get("predecessor_binding_id").is_some() {
                answer.turn(200, 409);
            }
        },
    ),
    answers(
        "an unknown binding is deleted",
        "unbind.unknown",
        |ask, answer, _| {
            if ask.binding("DELETE") && answer.status == 410 {
                answer.become_json(200, &json!({}));
            }
        },
    ),
    answers("404 in place of 410", "unbind.gone", |ask, answer, _| {
        if ask.binding("DELETE") {
            answer.turn(410, 404);
        }
    }),
    answers(
        "an unbind without service_id is fine",
        "unbind.missing-service-id",
        |ask, answer, _| {
            if ask.binding("DELETE") && answer.status == 400 {
                answer.become_json(200, &json!({}));
            }
        },
    ),
    answers(
        "the operation of an unbind changes",
        "unbind.repeat-in-progress",
        |ask, answer, memory| {
            if ask.binding("DELETE") && answer.status == 202 {
                let n = memory.count(&ask.path);
                answer.set("operation", json!(format!("op-{n}")));
            }
        },
    ),
    answers(
        "an unbind answers null",
        "unbind.answer-shape",
        |ask, answer, _| {
            if ask.binding("DELETE") && answer.ok() {
                answer.body = "null".into();
            }
        },
    ),
    answers(
        "an id cannot be used again",
        "unbind.again",
        |ask, answer, memory| {
            if ask.binding("PUT") && memory.count(&ask.path) > 0 && answer.status != 200 {
                answer.become_json(409, &json!({"description": "the id was used"}));
            }
        },
    ),
    answers(
        "an unbind takes all bindings",
        "unbind.keeps-others",
        |ask, answer, memory| {
            let instance = ask
                .path
                .split("/service_bindings/")
                .next()
                .unwrap_or_default()
                .to_owned();
            if ask.binding("DELETE") && answer.ok() {
                memory.count(&instance);
            }
            if ask.binding("PUT") && memory.knows(&instance) {
                answer.turn(200, 201);
            }
        },
    ),
    beside(
        answers(
            "instance_usable for a binding",
            "last-operation.flags",
            |ask, answer, _| {
                if ask.polls() && ask.path.contains("/service_bindings/") && answer.ok() {
                    answer.set("instance_usable", json!(true));
                }
            },
        ),
        &["bind.works"],
    ),
    answers(
        "an unknown binding has an operation",
        "last-operation.unknown-binding",
        |ask, answer, _| {
            if ask.polls() && answer.status == 404 {
                answer.become_json(200, &json!({"state": "succeeded"}));
            }
        },
    ),
];
