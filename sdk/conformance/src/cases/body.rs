//! Bodies that are broken, odd or huge.

use super::sections::{CONTENT, ERRORS};
use crate::case::{Case, must, once, own, should};
use crate::client::Reply;
use crate::plan::Plan;
use crate::request::Request;
use crate::verdict::{Check, Problems};
use crate::world::{Binding, Instance, World};
use serde_json::json;

const FIX: &str =
    "Answer 400 with a description when the body is not a JSON object of the right shape.";

pub(super) const CASES: &[Case] = &[
    must("body.truncated", &["B6", "B22"], CONTENT).says(
        "A truncated JSON body is answered with 400",
        FIX,
        once!(truncated),
    ),
    must("body.empty", &["B6", "B22"], CONTENT).says(
        "An empty body is answered with 400",
        FIX,
        once!(empty),
    ),
    must("body.not-an-object", &["B6", "B22"], CONTENT).says(
        "A body that is JSON but no object is answered with 400",
        FIX,
        once!(not_an_object),
    ),
    must("body.not-json", &["B6", "B22"], CONTENT).says(
        "A body that is not JSON is answered with 400",
        FIX,
        once!(not_json),
    ),
    must("body.invalid-utf8", &["B6", "B7"], CONTENT).says(
        "A body that is not UTF-8 is answered with 400",
        FIX,
        once!(invalid_utf8),
    ),
    must("body.trailing", &["B6", "B7"], CONTENT).says(
        "Words after the JSON object are refused or ignored; never a 5xx",
        FIX,
        once!(trailing),
    ),
    must("body.deep", &["B7"], ERRORS).says(
        "A body nested 20,000 deep is refused with a 4xx, and the broker lives on",
        "Limit the depth of JSON you parse and answer 400.",
        once!(deep),
    ),
    must("body.huge", &["B7"], ERRORS).says(
        "A body of 5 MB is served or refused with a 4xx, and the broker lives on",
        "Limit the size of bodies and answer 413 or 400.",
        once!(huge),
    ),
    must("body.many-fields", &["B7", "B1"], ERRORS).says(
        "A body with 20,000 unknown fields is served or refused with a 4xx",
        "Ignore unknown fields without keeping them all.",
        once!(many_fields),
    ),
    must("body.odd-numbers", &["B7"], ERRORS).says(
        "Numbers beyond every range are no 5xx",
        "Answer 400 for numbers you cannot keep.",
        once!(odd_numbers),
    ),
    must("body.odd-text", &["B7"], ERRORS).says(
        "NUL, surrogates and control characters in text are no 5xx",
        "Answer 400 for text your store cannot hold.",
        once!(odd_text),
    ),
    must("body.duplicate-keys", &["B7"], ERRORS).says(
        "A key that stands twice in the body is no 5xx",
        "Take one of the two, or answer 400.",
        once!(duplicate_keys),
    ),
    should("body.delete-with-body", &["B7"], ERRORS).says(
        "A body on DELETE and GET is ignored",
        "Do not read bodies where the specification has none.",
        own!(delete_with_body),
    ),
];

/// The three endpoints that read a body, about things that do not exist.
fn readers(plan: &Plan) -> Vec<Request> {
    let instance = Instance::new(plan);
    let binding = Binding::new(&instance, plan);
    vec![
        instance.put(),
        instance.patch(&instance.bare_update()),
        binding.put(),
    ]
}

/// Sends each body to provision and wants 400; to update and bind of nothing any 4xx will do.
async fn refused(world: &mut World, bodies: &[&[u8]], why: &str) -> Check {
    let mut problems = Problems::default();
    let plan = world.plan()?;
    for body in bodies {
        for (index, request) in readers(&plan).into_iter().enumerate() {
            let reply = world.send(request.bytes(*body)).await?;
            if index == 0 {
                problems.take(reply.status_in(&[400], why))?;
            } else {
                problems.take(reply.refused(why))?;
            }
        }
    }
    problems.done()
}

async fn truncated(world: &mut World) -> Check {
    let whole = Instance::new(&world.plan()?).body.to_string();
    let half = &whole.as_bytes()[..whole.len() / 2];
    let nearly = &whole.as_bytes()[..whole.len() - 1];
    refused(world, &[half, nearly, b"{"], "the body ends too early").await
}

async fn empty(world: &mut World) -> Check {
    refused(world, &[b"", b"   \n"], "the body is empty").await
}

async fn not_an_object(world: &mut World) -> Check {
    refused(
        world,
        &[b"[]", b"\"text\"", b"null", b"17", b"true", b"[{}]"],
        "the body is no object",
    )
    .await
}

async fn not_json(world: &mut World) -> Check {
    let bodies: [&[u8]; 4] = [
        b"service_id=a&plan_id=b",
        b"<xml/>",
        b"{'service_id': 'a'}",
        b"---\nservice_id: a\n",
    ];
    refused(world, &bodies, "the body is not JSON").await
}

async fn invalid_utf8(world: &mut World) -> Check {
    refused(
        world,
        &[b"{\"service_id\": \"\xff\xfe\"}", b"\xff\xfe\x00{"],
        "the body is not UTF-8",
    )
    .await
}

async fn trailing(world: &mut World) -> Check {
    let plan = world.plan()?;
    let instance = Instance::new(&plan);
    let mut problems = Problems::default();
    for tail in ["x", "{}", "\0"] {
        let request = instance.put().bytes(format!("{}{tail}", instance.body));
        let reply = world.send(request).await?;
        problems.take(tolerated(&reply, "words follow the body"))?;
    }
    problems.done()
}

fn tolerated(reply: &Reply, why: &str) -> Check {
    let fine = reply.is_success() || reply.is_refusal();
    reply.ensure(fine, format!("a success or a 4xx ({why})"))
}

async fn alive(world: &mut World) -> Check {
    // The first connection may still be the one that the broker closed.
    let first = world.exchange(&Request::catalog()).await;
    if first.reply.is_some_and(|reply| reply.status == 200) {
        return Ok(());
    }
    let reply = world.send(Request::catalog()).await?;
    reply.status_in(&[200], "the broker lives on")
}

/// Sends a body that is too much; a broker may close the connection while it is still being sent.
async fn too_much(world: &mut World, body: Vec<u8>, may_succeed: bool) -> Check {
    let instance = Instance::new(&world.plan()?);
    // A connection of its own: a broker that answers early and hangs up must not spoil it for another case.
    let request = instance.put().bytes(body).header("connection", "close");
    let exchanged = world.exchange(&request).await;
    match &exchanged.reply {
        Some(reply) => {
            world.note(format!("answered with {}", reply.status));
            let fine = reply.is_refusal() || (may_succeed && reply.is_success());
            reply.ensure(fine, "a 4xx, or a success")?;
        }
        None if exchanged.exchange.received.line().contains("within") => {
            let mut problems = Problems::default();
            problems.add(
                "an answer or an end of the connection",
                exchanged.exchange.received.line(),
            );
            return problems.done();
        }
        None => world.note("the broker closed the connection while the body was sent"),
    }
    alive(world).await
}

async fn deep(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let mut body = instance.body.clone();
    body["x_deep"] = json!("@");
    let nest = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    let text = body.to_string().replace("\"@\"", &nest);
    too_much(world, text.into_bytes(), true).await
}

async fn huge(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let mut body = instance.body.clone();
    body["parameters"] = json!({"x_conformance": "x".repeat(5 * 1024 * 1024)});
    too_much(world, body.to_string().into_bytes(), true).await
}

async fn many_fields(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let mut body = instance.body.clone();
    for i in 0..20_000 {
        body[format!("x_{i}")] = json!(i);
    }
    too_much(world, body.to_string().into_bytes(), true).await
}

/// Puts raw JSON into the parameters and wants anything but a 5xx.
async fn odd_parameters(world: &mut World, raw: &[&str]) -> Check {
    let plan = world.plan()?;
    let mut problems = Problems::default();
    for text in raw {
        let instance = Instance::new(&plan);
        let mut body = instance.body.clone();
        body["x_conformance"] = json!("@");
        body["parameters"] = json!({"x_conformance": "@"});
        let body = body.to_string().replace("\"@\"", text);
        let reply = world.send(instance.put().bytes(body)).await?;
        problems.take(tolerated(&reply, &format!("a value is {text}")))?;
    }
    problems.done()
}

async fn odd_numbers(world: &mut World) -> Check {
    let digits = "9".repeat(400);
    let raw = [
        "1e400",
        "-1e400",
        digits.as_str(),
        "1E-400",
        "0.1e-9999",
        "-0",
        "18446744073709551616",
    ];
    odd_parameters(world, &raw).await
}

async fn odd_text(world: &mut World) -> Check {
    let raw = [
        r#""\u0000""#,
        r#""a\u0000b""#,
        r#""\ud800""#,
        r#""\udc00\ud800""#,
        r#""\u001b[31m""#,
        "\"\u{202e}\u{feff}\"",
        r#""'; DROP TABLE instances; --""#,
    ];
    odd_parameters(world, &raw).await
}

async fn duplicate_keys(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let text = instance.body.to_string();
    let doubled = format!("{{\"plan_id\": \"x\", {}", &text[1..]);
    let reply = world.send(instance.put().bytes(doubled)).await?;
    tolerated(&reply, "plan_id stands twice")
}

async fn delete_with_body(world: &mut World) -> Check {
    let instance = world.fresh().await?;
    let poll = world.send(instance.poll(None).bytes("not json {")).await?;
    poll.not_5xx("a body on GET has no meaning")?;
    let reply = world.send_patiently(instance.delete().bytes("{}")).await?;
    reply.status_in(&[200, 202], "a body on DELETE has no meaning")?;
    if reply.status == 202 {
        world.settle(instance.poll(reply.operation())).await?;
    }
    Ok(())
}
