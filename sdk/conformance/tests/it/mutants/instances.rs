//! Faults with instances: provision, fetch, update, deprovision, polling, ids.

use super::{Mutant, answers, asks, beside};
use serde_json::json;

pub(super) const MUTANTS: &[Mutant] = &[
    answers(
        "a new instance is a 200",
        "provision.works",
        |ask, answer, _| {
            if ask.instance("PUT") {
                answer.turn(201, 200);
            }
        },
    ),
    answers(
        "a repeat is a 201",
        "provision.repeat-identical",
        |ask, answer, _| {
            if ask.instance("PUT") {
                answer.turn(200, 201);
            }
        },
    ),
    answers(
        "a repeat is a 409",
        "provision.repeat-reordered",
        |ask, answer, _| {
            if ask.instance("PUT") {
                answer.turn(200, 409);
            }
        },
    ),
    answers(
        "no conflict",
        "provision.conflict-place",
        |ask, answer, _| {
            if ask.instance("PUT") && answer.status == 409 {
                answer.become_json(200, &json!({}));
            }
        },
    ),
    answers(
        "no conflict over the plan",
        "provision.conflict-plan",
        |ask, answer, _| {
            if ask.instance("PUT") && answer.status == 409 {
                answer.become_json(201, &json!({}));
            }
        },
    ),
    answers(
        "a conflict is a 400",
        "provision.conflict-in-progress",
        |ask, answer, _| {
            if ask.instance("PUT") {
                answer.turn(409, 400);
            }
        },
    ),
    answers(
        "the operation changes on repeat",
        "provision.repeat-in-progress",
        |ask, answer, memory| {
            if ask.instance("PUT") && answer.status == 202 {
                let n = memory.count(&ask.path);
                answer.set("operation", json!(format!("op-{n}")));
            }
        },
    ),
    answers(
        "concurrent requests get different operations",
        "concurrency.same-provision",
        |ask, answer, memory| {
            if ask.instance("PUT") && answer.status == 202 {
                let n = memory.count(&ask.path);
                answer.set("operation", json!(format!("op-{n}")));
            }
        },
    ),
    answers(
        "two different requests both succeed",
        "concurrency.different-provision",
        |ask, answer, _| {
            if ask.instance("PUT") && answer.status == 409 {
                answer.become_json(202, &json!({}));
            }
        },
    ),
    asks(
        "asynchronous without leave",
        "provision.async-required",
        |ask, _| {
            if ask.instance("PUT") && !ask.query.contains("accepts_incomplete") {
                "accepts_incomplete=true".clone_into(&mut ask.query);
            }
        },
    ),
    asks(
        "accepts_incomplete=false is taken as true",
        "provision.async-false",
        |ask, _| {
            if ask.instance("PUT") {
                ask.query = ask.query.replace("=false", "=true");
            }
        },
    ),
    answers(
        "the word AsyncRequired is lost",
        "provision.async-required",
        |_, answer, _| {
            if answer.status == 422 {
                answer.remove("error");
            }
        },
    ),
    answers(
        "422 for a missing field",
        "provision.missing-service-id",
        |ask, answer, _| {
            if ask.instance("PUT") {
                answer.turn(400, 422);
            }
        },
    ),
    answers(
        "a missing space is fine",
        "provision.missing-space",
        |ask, answer, _| {
            if ask.instance("PUT") && answer.status == 400 {
                answer.become_json(201, &json!({}));
            }
        },
    ),
    answers(
        "500 for an unknown plan",
        "provision.unknown-plan",
        |ask, answer, _| {
            if ask.instance("PUT") {
                answer.turn(400, 500);
            }
        },
    ),
    answers(
        "404 for an unknown service",
        "provision.unknown-service",
        |ask, answer, _| {
            if ask.instance("PUT") {
                answer.turn(400, 404);
            }
        },
    ),
    Mutant {
        name: "a refused provision is carried out",
        found_by: "provision.refusal-leaves-nothing",
        beside: &[],
        ask: |ask, memory| {
            if ask.instance("PUT") {
                let mut body = ask.json();
                let plan = body["plan_id"].as_str().unwrap_or_default().to_owned();
                if !plan.starts_with("5c0ff1ce") {
                    memory.count(&ask.path);
                    body["plan_id"] = json!("5c0ff1ce-0001-4000-8000-000000000012");
                    body.as_object_mut()
                        .map(|body| body.remove("maintenance_info"));
                    ask.set_json(&body);
                }
            }
        },
        answer: |ask, answer, memory| {
            if ask.instance("PUT") && memory.knows(&ask.path) {
                answer.become_json(400, &json!({"description": "unknown plan"}));
            }
        },
    },
    answers(
        "unknown fields are refused",
        "provision.unknown-fields",
        |ask, answer, _| {
            if ask.instance("PUT") && ask.json().get("x_vendor_text").is_some() {
                answer.become_json(400, &json!({"description": "unknown field x_vendor_text"}));
            }
        },
    ),
    answers(
        "wrong types are served",
        "provision.wrong-types",
        |ask, answer, _| {
            if ask.instance("PUT") && ask.json()["parameters"].is_string() {
                answer.become_json(201, &json!({}));
            }
        },
    ),
    answers(
        "the dashboard URL is a number",
        "provision.answer-shape",
        |ask, answer, _| {
            if ask.instance("PUT") && answer.ok() {
                answer.set("dashboard_url", json!(7));
            }
        },
    ),
    answers(
        "the operation is too long",
        "provision.answer-shape",
        |ask, answer, _| {
            if ask.instance("PUT") && answer.status == 202 {
                answer.set("operation", json!("o".repeat(10_001)));
            }
        },
    ),
    answers(
        "the dashboard URL comes late",
        "provision.dashboard-first",
        |ask, answer, _| {
            if ask.instance("GET") && answer.ok() {
                answer.set("dashboard_url", json!("https://example.com/dashboard"));
            }
        },
    ),
    asks(
        "maintenance_info is ignored",
        "maintenance.provision-conflict",
        |ask, _| {
            let mut body = ask.json();
            if body["maintenance_info"].is_object() {
                body.as_object_mut()
                    .map(|body| body.remove("maintenance_info"));
                ask.set_json(&body);
            }
        },
    ),
    answers(
        "409 for a maintenance conflict",
        "maintenance.update-conflict",
        |ask, answer, _| {
            if ask.instance("PATCH") {
                answer.turn(422, 409);
            }
        },
    ),
    answers(
        "fetch shows another maintenance version",
        "maintenance.fetch",
        |ask, answer, _| {
            if ask.instance("GET") && answer.ok() {
                answer.set("maintenance_info", json!({"version": "0.0.1"}));
            }
        },
    ),
    answers(
        "unknown instances can be fetched",
        "fetch-instance.unknown",
        |ask, answer, _| {
            if ask.instance("GET") && answer.status == 404 {
                answer.become_json(200, &json!({}));
            }
        },
    ),
    answers(
        "an instance can be fetched while it is made",
        "fetch-instance.while-creating",
        |ask, answer, _| {
            if ask.instance("GET") && answer.status == 404 {
                answer.become_json(200, &json!({}));
            }
        },
    ),
    answers(
        "a deleted instance is a 410 on fetch",
        "fetch-instance.after-delete",
        |ask, answer, _| {
            if ask.instance("GET") {
                answer.turn(404, 410);
            }
        },
    ),
    answers(
        "fetch shows another plan",
        "fetch-instance.agrees",
        |ask, answer, _| {
            if ask.instance("GET") && answer.ok() {
                answer.set("plan_id", json!("another"));
            }
        },
    ),
    answers(
        "fetch needs the hints",
        "fetch-instance.no-hints",
        |ask, answer, _| {
            if ask.instance("GET") && !ask.query.contains("plan_id") {
                answer.become_json(400, &json!({"description": "plan_id is missing"}));
            }
        },
    ),
    asks(
        "a plan change is not applied",
        "update.plan-shown",
        |ask, _| {
            if ask.instance("PATCH") {
                let mut body = ask.json();
                body.as_object_mut().map(|body| body.remove("plan_id"));
                ask.set_json(&body);
            }
        },
    ),
    answers(
        "the operation of an update changes",
        "update.repeat-in-progress",
        |ask, answer, memory| {
            if ask.instance("PATCH") && answer.status == 202 {
                let n = memory.count(&ask.path);
                answer.set("operation", json!(format!("op-{n}")));
            }
        },
    ),
    answers(
        "an unknown plan is taken",
        "update.unknown-plan",
        |ask, answer, _| {
            if ask.instance("PATCH") && !answer.ok() {
                answer.become_json(200, &json!({}));
            }
        },
    ),
    answers(
        "an unknown instance is updated",
        "update.unknown-instance",
        |ask, answer, _| {
            if ask.instance("PATCH") && !answer.ok() {
                answer.become_json(200, &json!({}));
            }
        },
    ),
    answers(
        "an update without service_id is a 500",
        "update.missing-service-id",
        |ask, answer, _| {
            if ask.instance("PATCH") {
                answer.turn(400, 500);
            }
        },
    ),
    asks(
        "an update is asynchronous without leave",
        "update.async-required",
        |ask, _| {
            if ask.instance("PATCH") && ask.query.is_empty() {
                "accepts_incomplete=true".clone_into(&mut ask.query);
            }
        },
    ),
    answers(
        "an unknown instance is deleted",
        "deprovision.unknown",
        |ask, answer, _| {
            if ask.instance("DELETE") && answer.status == 410 {
                answer.become_json(200, &json!({}));
            }
        },
    ),
    answers(
        "404 in place of 410",
        "deprovision.gone",
        |ask, answer, _| {
            if ask.instance("DELETE") {
                answer.turn(410, 404);
            }
        },
    ),
    answers(
        "a delete without plan_id is fine",
        "deprovision.missing-plan-id",
        |ask, answer, _| {
            if ask.instance("DELETE") && answer.status == 400 {
                answer.become_json(200, &json!({}));
            }
        },
    ),
    answers(
        "an empty body after a delete",
        "deprovision.answer-shape",
        |ask, answer, _| {
            if ask.instance("DELETE") && answer.ok() {
                answer.body = "".into();
            }
        },
    ),
    answers(
        "the operation of a delete changes",
        "deprovision.repeat-in-progress",
        |ask, answer, memory| {
            if ask.instance("DELETE") && answer.status == 202 {
                let n = memory.count(&ask.path);
                answer.set("operation", json!(format!("op-{n}")));
            }
        },
    ),
    answers(
        "a finished delete is unknown",
        "deprovision.works",
        |ask, answer, memory| {
            if ask.instance("DELETE") && answer.status == 202 {
                memory.count(&format!("{}/last_operation", ask.path));
            }
            if memory.knows(&ask.path) && answer.json()["state"] == "succeeded" {
                answer.become_json(404, &json!({"description": "unknown"}));
            }
        },
    ),
    answers(
        "an id cannot be used again",
        "deprovision.again",
        |ask, answer, memory| {
            if ask.instance("PUT") && memory.count(&ask.path) > 0 && answer.status != 200 {
                answer.become_json(409, &json!({"description": "the id was used"}));
            }
        },
    ),
    answers(
        "500 for a delete during create",
        "concurrency.delete-while-creating",
        |ask, answer, memory| {
            if ask.instance("PUT") && answer.status == 202 {
                memory.count(&format!("creating {}", ask.path));
            }
            if ask.instance("DELETE") && memory.knows(&format!("creating {}", ask.path)) {
                answer.status = 500;
            }
        },
    ),
    beside(
        answers(
            "the state has an underscore",
            "last-operation.state",
            |ask, answer, _| {
                if ask.polls() && answer.json()["state"] == "in progress" {
                    answer.set("state", json!("in_progress"));
                }
            },
        ),
        &["provision.works"],
    ),
    beside(
        answers(
            "the state is in capitals",
            "last-operation.state",
            |ask, answer, _| {
                if ask.polls() && answer.json()["state"] == "succeeded" {
                    answer.set("state", json!("Succeeded"));
                }
            },
        ),
        &["provision.works"],
    ),
    beside(
        answers(
            "the description is empty",
            "last-operation.description",
            |ask, answer, _| {
                if ask.polls() && answer.ok() {
                    answer.set("description", json!(""));
                }
            },
        ),
        &["provision.works"],
    ),
    beside(
        answers(
            "Retry-After is a word",
            "last-operation.retry-after",
            |ask, answer, _| {
                if ask.polls() && answer.ok() {
                    answer.header("retry-after", "soon");
                }
            },
        ),
        &["provision.works"],
    ),
    answers(
        "an unknown instance has an operation",
        "last-operation.unknown-instance",
        |ask, answer, _| {
            if ask.polls() && answer.status == 404 {
                answer.become_json(200, &json!({"state": "succeeded"}));
            }
        },
    ),
    answers(
        "the final state is forgotten",
        "last-operation.stays",
        |ask, answer, memory| {
            if ask.polls() && answer.json()["state"] == "succeeded" && memory.count(&ask.path) > 0 {
                answer.become_json(404, &json!({"description": "unknown"}));
            }
        },
    ),
    answers(
        "a poll needs the hints",
        "last-operation.no-hints",
        |ask, answer, _| {
            if ask.polls() && !ask.query.contains("plan_id") {
                answer.become_json(400, &json!({"description": "plan_id is missing"}));
            }
        },
    ),
    asks("slashes are decoded too early", "ids.slash", |ask, _| {
        ask.path = ask.path.replace("%2F", "/");
    }),
    answers("ids must be UUIDs", "ids.plain-word", |ask, answer, _| {
        if ask.path.contains("/my-database-") {
            answer.become_json(400, &json!({"description": "not a UUID"}));
        }
    }),
    asks("ids are folded to lower case", "ids.case", |ask, _| {
        ask.path = ask.path.to_lowercase();
    }),
    answers(
        "repeated keys are refused",
        "query.repeated-key",
        |ask, answer, _| {
            if ask.query.matches("plan_id=").count() > 1 {
                answer.become_json(400, &json!({"description": "duplicate field plan_id"}));
            }
        },
    ),
];
