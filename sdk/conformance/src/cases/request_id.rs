//! The request identity comes back unchanged, on every kind of answer.

use super::sections::IDENTITY;
use crate::case::{Case, How, Seen, must, once, shared, should};
use crate::client::Reply;
use crate::request::{Credentials, Request};
use crate::verdict::{Check, Problems};
use crate::world::{Instance, World};
use serde_json::json;

const FIX: &str =
    "Copy X-Broker-API-Request-Identity from the request to every answer, in the outermost layer.";

pub(super) const CASES: &[Case] = &[
    should("request-id.success", &["B4"], IDENTITY)
        .says("The identity is echoed on a success", FIX, once!(success))
        .since(15),
    should("request-id.unauthorized", &["B4"], IDENTITY)
        .says("The identity is echoed on 401", FIX, once!(unauthorized))
        .since(15),
    should("request-id.bad-request", &["B4"], IDENTITY)
        .says("The identity is echoed on 400", FIX, once!(bad_request))
        .since(15),
    should("request-id.not-found", &["B4"], IDENTITY)
        .says(
            "The identity is echoed on 404 for an unknown resource",
            FIX,
            once!(not_found),
        )
        .since(15),
    should("request-id.unknown-route", &["B4"], IDENTITY)
        .says(
            "The identity is echoed on 404 for a path that is no endpoint",
            FIX,
            once!(unknown_route),
        )
        .since(15),
    should("request-id.gone", &["B4"], IDENTITY)
        .says("The identity is echoed on 410", FIX, once!(gone))
        .since(15),
    should("request-id.version-refused", &["B4"], IDENTITY)
        .says(
            "The identity is echoed when the version is refused",
            FIX,
            once!(version_refused),
        )
        .since(15),
    should("request-id.conflict", &["B4"], IDENTITY)
        .says("The identity is echoed on 409", FIX, shared!(conflict))
        .since(15),
    should("request-id.everywhere", &["B4"], IDENTITY)
        .says(
            "The identity is echoed on every answer of the whole run",
            FIX,
            How::Watch(everywhere),
        )
        .since(15),
    should("request-id.verbatim", &["B4"], IDENTITY)
        .says(
            "An identity with blanks and punctuation is echoed byte by byte",
            "Treat the identity as opaque; do not parse, trim or fold it.",
            once!(verbatim),
        )
        .since(15),
    must("request-id.long", &["B4", "B7"], IDENTITY)
        .says(
            "An identity of 4 kB is echoed or refused; never a 5xx and never cut",
            "Echo it, or refuse it with 400 or 431.",
            once!(long),
        )
        .since(15),
    must("request-id.non-ascii", &["B4", "B7"], IDENTITY)
        .says(
            "An identity with bytes beyond ASCII does not break the broker",
            "Handle header values as bytes; never fail on them with a 5xx.",
            once!(non_ascii),
        )
        .since(15),
    must("request-id.absent", &["B4"], IDENTITY)
        .says(
            "A request without identity is served",
            "The header is optional for platforms; do not demand it.",
            once!(absent),
        )
        .since(15),
];

const NAME: &str = "x-broker-api-request-identity";

fn echoed(request: &Request, reply: &Reply) -> Check {
    let sent = request.identity.clone().unwrap_or_default();
    let back = reply.headers.get(NAME).map(http::HeaderValue::as_bytes);
    let expected = format!("{NAME}: {} on the answer", String::from_utf8_lossy(&sent));
    let seen = match back {
        None => format!("{} without that header", reply.status),
        Some(back) => format!(
            "{} with {NAME}: {}",
            reply.status,
            String::from_utf8_lossy(back)
        ),
    };
    if back == Some(sent.as_slice()) {
        Ok(())
    } else {
        Err(reply.fail_seen(expected, seen))
    }
}

async fn ask(world: &mut World, request: Request, statuses: &[u16]) -> Check {
    let reply = world.send(request.clone()).await?;
    world.need(
        statuses.contains(&reply.status),
        &format!("the answer was {} in place of {statuses:?}", reply.status),
    )?;
    echoed(&request, &reply)
}

async fn success(world: &mut World) -> Check {
    ask(world, Request::catalog(), &[200]).await
}

async fn unauthorized(world: &mut World) -> Check {
    world.needs_auth()?;
    let request = Request::catalog().credentials(Credentials::Absent);
    ask(world, request, &[401]).await
}

async fn bad_request(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    ask(world, instance.put().bytes("{"), &[400]).await
}

async fn not_found(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    ask(world, instance.poll(None), &[404]).await
}

async fn unknown_route(world: &mut World) -> Check {
    ask(world, Request::get("/v2/no_such_endpoint"), &[404]).await
}

async fn gone(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    ask(world, instance.delete(), &[410]).await
}

async fn version_refused(world: &mut World) -> Check {
    let request = Request::catalog().unversioned();
    let reply = world.send(request.clone()).await?;
    world.need(
        reply.is_refusal(),
        "the broker serves requests without version header, which it may",
    )?;
    echoed(&request, &reply)
}

async fn conflict(world: &mut World) -> Check {
    let instance = world.standing().await?;
    let mut body = instance.body.clone();
    body["organization_guid"] = json!(uuid::Uuid::new_v4().to_string());
    body["context"]["organization_guid"] = body["organization_guid"].clone();
    ask(world, instance.put_body(&body), &[409]).await
}

fn everywhere(request: &Request, reply: &Reply) -> Seen {
    let plain = request
        .identity
        .as_ref()
        .is_some_and(|identity| identity.len() < 100 && identity.is_ascii());
    if !plain {
        return Seen::NotMine;
    }
    match echoed(request, reply) {
        Ok(()) => Seen::Right,
        Err(_) => Seen::Wrong(format!("{NAME} echoed on every answer")),
    }
}

async fn verbatim(world: &mut World) -> Check {
    let mut problems = Problems::default();
    for identity in [
        "a b  c",
        "{\"x\":1};q=0.5, \"y\"",
        "0",
        "UPPER-lower_~!@#$%^&*()",
    ] {
        let request = Request::catalog().identity(Some(identity.as_bytes()));
        let reply = world.send(request.clone()).await?;
        problems.take(echoed(&request, &reply))?;
    }
    problems.done()
}

async fn long(world: &mut World) -> Check {
    let identity = "i".repeat(4096);
    let request = Request::catalog().identity(Some(identity.as_bytes()));
    let reply = world.send(request.clone()).await?;
    reply.not_5xx("a long header is not the broker's fault")?;
    if reply.is_refusal() {
        world.note(format!("refused with {}", reply.status));
        return Ok(());
    }
    match reply.headers.get(NAME) {
        None => world.note("not echoed"),
        Some(_) => echoed(&request, &reply)?,
    }
    Ok(())
}

async fn non_ascii(world: &mut World) -> Check {
    let request = Request::catalog().identity(Some(b"caf\xc3\xa9-\xff"));
    let reply = world.send(request).await?;
    reply.status_in(&[200, 400], "the identity is odd, not wrong")
}

async fn absent(world: &mut World) -> Check {
    let reply = world.send(Request::catalog().identity(None)).await?;
    reply.status_in(&[200], "the header is optional")
}
