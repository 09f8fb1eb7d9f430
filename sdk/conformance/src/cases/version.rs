//! The version header. Refusing is the broker's choice (B2); how it refuses is not.
//!
//! 2.16 and later name 400 for a missing header, earlier versions and both public checkers 412; both pass here.

use super::endpoints;
use super::sections::VERSION;
use crate::case::{Case, must, once, should};
use crate::client::Reply;
use crate::request::Request;
use crate::verdict::{Check, Problems};
use crate::world::World;

pub(super) const CASES: &[Case] = &[
    must("version.missing", &["B2", "B7"], VERSION).says(
        "A request without version header is refused with 400 (or 412 as before 2.16), or served",
        "Answer 400 with a description when X-Broker-API-Version is missing.",
        once!(missing),
    ),
    should("version.missing-alike", &["B2"], VERSION).says(
        "A missing version header gets the same treatment on every endpoint",
        "Check the version in one place in front of all endpoints.",
        once!(missing_alike),
    ),
    must("version.higher-minor", &["B2"], VERSION).says(
        "A higher minor version (2.999) is served: minor versions only add",
        "Compare the version as numbers and refuse only what is lower than you need.",
        once!(higher_minor),
    ),
    must("version.lower-minor", &["B2", "B7"], VERSION).says(
        "Lower minor versions are served or refused with 412",
        "Refuse versions below your minimum with 412, nothing else.",
        once!(lower_minor),
    ),
    must("version.other-major", &["B2", "B7"], VERSION).says(
        "Another major version (1.0, 3.0) is refused with 412 or 400, or served; never a 5xx",
        "Answer 412 with the version you support.",
        once!(other_major),
    ),
    must("version.malformed", &["B2", "B7"], VERSION).says(
        "A version that is not MAJOR.MINOR is refused with 400 or 412, or served; never a 5xx",
        "Parse the version defensively and answer 400 or 412.",
        once!(malformed),
    ),
    must("version.repeated", &["B2", "B7"], VERSION).says(
        "Two version headers are refused with 400 or 412, or served; never a 5xx",
        "Use the first value, or refuse with 400.",
        once!(repeated),
    ),
    should("version.refusal-says-why", &["B2", "B8"], VERSION).says(
        "A refusal for the version says in its description which version is wanted",
        "Name the supported versions in `description`.",
        once!(says_why),
    ),
];

fn served_or(reply: &Reply, refusals: &[u16], why: &str) -> Check {
    let fine = reply.status == 200 || refusals.contains(&reply.status);
    reply.ensure(fine, format!("200, or a refusal with {refusals:?} ({why})"))
}

async fn missing(world: &mut World) -> Check {
    let reply = world.send(Request::catalog().unversioned()).await?;
    served_or(&reply, &[400, 412], "the version header is missing")?;
    world.note(match reply.status {
        400 => "400, as 2.16 and later say",
        412 => "412, as versions before 2.16 and both public checkers say",
        _ => "served without a version header",
    });
    Ok(())
}

async fn missing_alike(world: &mut World) -> Check {
    let mut problems = Problems::default();
    let reply = world.send(Request::catalog().unversioned()).await?;
    let refused = reply.is_refusal().then_some(reply.status);
    for request in endpoints::all(&world.plan()?) {
        let reply = world.send(request.unversioned()).await?;
        let alike = match refused {
            Some(status) => reply.status == status,
            None => !matches!(reply.status, 412) && reply.status < 500,
        };
        let expected = match refused {
            Some(status) => format!("{status}, as for the catalog"),
            None => "no refusal for the version, as for the catalog".to_owned(),
        };
        problems.take(reply.ensure(alike, expected))?;
    }
    problems.done()
}

async fn higher_minor(world: &mut World) -> Check {
    let reply = world.send(Request::catalog().version("2.999")).await?;
    reply.status_in(&[200], "2.999 can do all that 2.17 can")
}

async fn lower_minor(world: &mut World) -> Check {
    let mut problems = Problems::default();
    for version in ["2.0", "2.11", "2.12", "2.13", "2.14", "2.15", "2.16"] {
        let reply = world.send(Request::catalog().version(version)).await?;
        problems.take(served_or(&reply, &[412], "a lower minor version"))?;
        if reply.status == 412 {
            world.note(format!("{version} is refused"));
        }
    }
    problems.done()
}

async fn each(world: &mut World, versions: &[&str], why: &str) -> Check {
    let mut problems = Problems::default();
    for version in versions {
        let reply = world.send(Request::catalog().version(version)).await?;
        problems.take(served_or(&reply, &[400, 412], why))?;
    }
    problems.done()
}

async fn other_major(world: &mut World) -> Check {
    each(
        world,
        &["1.0", "3.0", "0.0", "20.17"],
        "another major version",
    )
    .await
}

async fn malformed(world: &mut World) -> Check {
    let bad = [
        "2",
        "abc",
        "2.",
        ".17",
        "2.x",
        "-2.17",
        "2.17.1.1",
        "2,17",
        "2.99999999999999999999",
        "",
    ];
    each(world, &bad, "not a version").await
}

async fn repeated(world: &mut World) -> Check {
    let request = Request::catalog()
        .version("2.17")
        .header("x-broker-api-version", "2.13");
    let reply = world.send(request).await?;
    served_or(&reply, &[400, 412], "the version header stands twice")
}

async fn says_why(world: &mut World) -> Check {
    let mut refusals = Vec::new();
    for request in [
        Request::catalog().unversioned(),
        Request::catalog().version("1.0"),
        Request::catalog().version("abc"),
    ] {
        let reply = world.send(request).await?;
        if reply.is_refusal() {
            refusals.push(reply);
        }
    }
    world.need(
        !refusals.is_empty(),
        "the broker refuses no version, which it may",
    )?;
    let mut problems = Problems::default();
    for reply in refusals {
        let says = reply
            .text("description")
            .is_some_and(|text| text.contains("2."));
        problems.take(reply.ensure(says, "a description that names the wanted version"))?;
    }
    problems.done()
}
