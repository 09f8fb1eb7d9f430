//! The originating identity. Brokers may ignore it; a bad one must not break them.

use super::sections::ORIGINATING;
use crate::case::{Case, must, once, own};
use crate::client::Reply;
use crate::request::Request;
use crate::verdict::{Check, Problems};
use crate::world::{Instance, Settled, World};
use base64::Engine;
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    must("originating.valid", &["B5"], ORIGINATING).says(
        "A provision with a well-formed originating identity is served",
        "Accept `<platform> <base64 JSON object>`; ignore it when you have no use for it.",
        own!(valid),
    ),
    must("originating.kubernetes", &["B5"], ORIGINATING).says(
        "The identity of a Kubernetes user is served",
        "Do not demand the fields of one platform from another.",
        once!(kubernetes),
    ),
    must("originating.malformed", &["B5", "B7"], ORIGINATING).says(
        "A malformed originating identity is ignored or refused with 400; never a 5xx",
        "Answer 400 when you need the identity and cannot read it.",
        once!(malformed),
    ),
    must("originating.disagrees", &["B5", "B7"], ORIGINATING).says(
        "An identity that names another platform than the context is ignored or refused; never a 5xx",
        "Answer 400 when the two disagree and it matters to you.",
        once!(disagrees),
    ),
    must("originating.long", &["B5", "B7"], ORIGINATING).says(
        "An originating identity of 6 kB does not break the broker",
        "Serve it, or refuse it with 400 or 431.",
        once!(long),
    ),
];

const NAME: &str = "x-broker-api-originating-identity";

fn identity(platform: &str, value: &Value) -> String {
    let value = base64::engine::general_purpose::STANDARD.encode(value.to_string());
    format!("{platform} {value}")
}

fn cf() -> String {
    identity(
        "cloudfoundry",
        &json!({"user_id": uuid::Uuid::new_v4().to_string()}),
    )
}

async fn valid(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let reply = world
        .send_patiently(instance.put().header(NAME, cf()))
        .await?;
    reply.status_in(&[200, 201, 202], "the identity is well-formed")?;
    if reply.status == 202 {
        let operation = reply.operation().map(str::to_owned);
        let poll = instance.poll(operation.as_deref()).header(NAME, cf());
        match world.settle(poll).await? {
            Settled::Succeeded(_) => {}
            other => return other.succeeded("the provision").map(|_| ()),
        }
    }
    Ok(())
}

async fn kubernetes(world: &mut World) -> Check {
    let user = json!({
        "username": "system:serviceaccount:conformance:tester",
        "uid": "c2dde242-5ce4-11e7-988c-000c2946f14f",
        "groups": ["admin", "dev"],
        "extra": { "mydata": ["data1", "data3"] },
    });
    let request = Request::catalog().header(NAME, identity("kubernetes", &user));
    let reply = world.send(request).await?;
    reply.status_in(&[200], "the identity is well-formed")
}

fn tolerated(reply: &Reply) -> Check {
    let fine = reply.is_success() || matches!(reply.status, 400 | 404 | 410 | 422 | 431);
    reply.ensure(
        fine,
        "a success or 400; never a 5xx, whatever the identity says",
    )
}

async fn malformed(world: &mut World) -> Check {
    let mut problems = Problems::default();
    let array = base64::engine::general_purpose::STANDARD.encode("[1]");
    let binary = base64::engine::general_purpose::STANDARD.encode([0xff, 0xfe]);
    let bad = [
        "cloudfoundry".to_owned(),
        "cloudfoundry ".to_owned(),
        "cloudfoundry not-base64!".to_owned(),
        " eyJ1c2VyX2lkIjoiYSJ9".to_owned(),
        format!("cloudfoundry {array}"),
        format!("cloudfoundry {binary}"),
        "cloudfoundry eyJ1c2VyX2lkIjoi".to_owned(),
        "cloudfoundry e30= trailing words".to_owned(),
        "\u{e9}t\u{e9} e30=".to_owned(),
    ];
    let plan = world.plan()?;
    for header in bad {
        let reply = world.send(Request::catalog().header(NAME, &header)).await?;
        problems.take(tolerated(&reply))?;
        let unknown = Instance::new(&plan);
        let reply = world.send(unknown.delete().header(NAME, &header)).await?;
        problems.take(tolerated(&reply))?;
    }
    problems.done()
}

async fn disagrees(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let user = identity(
        "kubernetes",
        &json!({"username": "x", "uid": "1", "groups": [], "extra": {}}),
    );
    let reply = world.send(instance.put().header(NAME, user)).await?;
    let fine = reply.is_success() || matches!(reply.status, 400 | 422);
    reply.ensure(fine, "a success, or 400 because the platforms disagree")?;
    world.note(if reply.is_success() {
        "the broker does not compare it with the context"
    } else {
        "the broker refuses it"
    });
    Ok(())
}

async fn long(world: &mut World) -> Check {
    let user = identity("cloudfoundry", &json!({"user_id": "u".repeat(4096)}));
    let reply = world.send(Request::catalog().header(NAME, user)).await?;
    tolerated(&reply)
}
