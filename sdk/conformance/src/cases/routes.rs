//! Paths and methods that are no endpoints.

use super::sections::ERRORS;
use crate::case::{Case, must, once, should};
use crate::request::Request;
use crate::verdict::{Check, Problems};
use crate::world::{Binding, Instance, World};
use http::Method;

pub(super) const CASES: &[Case] = &[
    must("routes.unknown", &["B7"], ERRORS).says(
        "Paths that are no endpoints are answered with 404 (or another 4xx)",
        "Answer 404 for paths you do not serve.",
        once!(unknown),
    ),
    must("routes.method", &["B7"], ERRORS).says(
        "Methods that an endpoint does not have are answered with a 4xx",
        "Answer 405 (or 404).",
        once!(method),
    ),
    must("routes.empty-id", &["B7"], ERRORS).says(
        "An empty id in the path is answered with a 4xx",
        "Answer 404 or 400; an id is never empty.",
        once!(empty_id),
    ),
    should("routes.trailing-slash", &["B7"], ERRORS).says(
        "A slash too many in a path is served or refused with a 4xx; it is no redirect and no 5xx",
        "Platforms do not follow redirects; answer 404 or serve it.",
        once!(trailing_slash),
    ),
    must("routes.unknown-method", &["B7"], ERRORS).says(
        "A method that HTTP does not know is answered with a 4xx or 501",
        "Answer 405 or 501.",
        once!(unknown_method),
    ),
    must("routes.head", &["B7"], ERRORS).says(
        "HEAD and OPTIONS on the catalog are no 5xx",
        "Answer like GET without body, or 405.",
        once!(head),
    ),
    must("routes.alive", &["B7"], ERRORS).says(
        "After several hundred bad requests the broker still serves its catalog",
        "Find out which request broke it; run with --verbose and --only.",
        once!(alive),
    ),
];

async fn unknown(world: &mut World) -> Check {
    let mut problems = Problems::default();
    for path in [
        "/v2",
        "/v2/no_such_endpoint",
        "/v2/catalog/more",
        "/v2/service_instances",
        "/v2/service_instances/a/b",
        "/v2/service_instances/a/service_bindings",
        "/v2/service_instances/a/last_operation/b",
        "/v2/service_instances/a/service_bindings/b/last_operation/c",
        "/v3/catalog",
        "/v2/CATALOG",
    ] {
        let reply = world.send(Request::get(path)).await?;
        problems.take(reply.refused(&format!("{path} is no endpoint")))?;
    }
    problems.done()
}

async fn method(world: &mut World) -> Check {
    let plan = world.plan()?;
    let instance = Instance::new(&plan);
    let binding = Binding::new(&instance, &plan);
    let catalog = "/v2/catalog".to_owned();
    let poll = format!("{}/last_operation", instance.path());
    let mut problems = Problems::default();
    for (method, path) in [
        (Method::POST, catalog.clone()),
        (Method::PUT, catalog.clone()),
        (Method::DELETE, catalog.clone()),
        (Method::PATCH, catalog),
        (Method::POST, instance.path()),
        (Method::POST, binding.path()),
        (Method::PATCH, binding.path()),
        (Method::PUT, poll.clone()),
        (Method::DELETE, poll),
    ] {
        let request = Request::new(method.clone(), path.clone()).json(&instance.body);
        let reply = world.send(request).await?;
        problems.take(reply.refused(&format!("{method} {path} is no endpoint")))?;
    }
    problems.done()
}

async fn empty_id(world: &mut World) -> Check {
    let plan = world.plan()?;
    let instance = Instance::new(&plan);
    let mut problems = Problems::default();
    for path in [
        "/v2/service_instances/".to_owned(),
        "/v2/service_instances//last_operation".to_owned(),
        format!("{}/service_bindings/", instance.path()),
        "/v2/service_instances//service_bindings/b".to_owned(),
    ] {
        for method in [Method::PUT, Method::GET, Method::DELETE] {
            let request = Request::new(method, path.clone())
                .query("service_id", &plan.service_id)
                .query("plan_id", &plan.id)
                .query("accepts_incomplete", "true")
                .json(&instance.body);
            let reply = world.send(request).await?;
            // A redirect leads to another path that is no endpoint either.
            let fine = reply.is_refusal() || (300..400).contains(&reply.status);
            problems.take(reply.ensure(fine, "a 4xx (an id is never empty)"))?;
        }
    }
    problems.done()
}

async fn trailing_slash(world: &mut World) -> Check {
    let mut problems = Problems::default();
    for path in ["/v2/catalog/", "//v2//catalog"] {
        let reply = world.send(Request::get(path)).await?;
        let fine = reply.status == 200 || reply.is_refusal();
        problems.take(reply.ensure(fine, "200 or a 4xx"))?;
    }
    problems.done()
}

async fn unknown_method(world: &mut World) -> Check {
    let Ok(method) = Method::from_bytes(b"BREW") else {
        return world.need(false, "the suite cannot send it");
    };
    let reply = world.send(Request::new(method, "/v2/catalog")).await?;
    let fine = reply.is_refusal() || reply.status == 501;
    reply.ensure(fine, "a 4xx or 501")
}

async fn head(world: &mut World) -> Check {
    for method in [Method::HEAD, Method::OPTIONS] {
        let reply = world.send(Request::new(method, "/v2/catalog")).await?;
        reply.not_5xx("a harmless method")?;
    }
    Ok(())
}

async fn alive(world: &mut World) -> Check {
    let plan = world.plan()?;
    let instance = Instance::new(&plan);
    for i in 0..200 {
        let request = match i % 4 {
            0 => instance.put().bytes("{"),
            1 => Request::get(format!("/v2/x{i}")),
            2 => instance.put().bytes(vec![0xff; i]),
            _ => instance.poll(Some(&"%".repeat(i))),
        };
        world.exchange(&request).await;
    }
    let reply = world.send(Request::catalog()).await?;
    reply.status_in(&[200], "the broker lives on")
}
