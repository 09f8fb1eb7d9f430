//! Authentication: 401 everywhere, before anything else is looked at.

use super::endpoints;
use super::sections::AUTH;
use crate::Auth;
use crate::case::{Case, must, once, should};
use crate::client::basic;
use crate::request::{Credentials, Request};
use crate::verdict::{Check, Problems, Stop};
use crate::world::{Instance, World};

const FIX: &str = "Check credentials first on every endpoint, before version, body and existence, and answer 401.";

pub(super) const CASES: &[Case] = &[
    must("auth.none", &["B3"], AUTH).says(
        "Every endpoint answers 401 to a request without credentials",
        FIX,
        once!(none),
    ),
    must("auth.wrong-password", &["B3"], AUTH).says(
        "Every endpoint answers 401 to a wrong password or token",
        FIX,
        once!(wrong_password),
    ),
    must("auth.wrong-user", &["B3"], AUTH).says(
        "Every endpoint answers 401 to an unknown user",
        FIX,
        once!(wrong_user),
    ),
    must("auth.malformed", &["B3"], AUTH).says(
        "An Authorization header that cannot be read is answered with 401",
        "Treat an unreadable Authorization header like missing credentials: 401, never 400 or 500.",
        once!(malformed),
    ),
    must("auth.before-version", &["B3", "B2"], AUTH).says(
        "Wrong credentials are answered with 401 even when the version header is missing or bad",
        FIX,
        once!(before_version),
    ),
    must("auth.before-body", &["B3"], AUTH).says(
        "Wrong credentials are answered with 401 even when the body cannot be parsed",
        FIX,
        once!(before_body),
    ),
    must("auth.creates-nothing", &["B3", "B7"], AUTH).says(
        "A provision with wrong credentials creates nothing",
        "Refuse the request before it reaches the code that creates things.",
        once!(creates_nothing),
    ),
    should("auth.challenge", &["B3"], AUTH).says(
        "A 401 carries a WWW-Authenticate header (RFC 9110, 15.5.2)",
        "Add `WWW-Authenticate: Basic realm=\"...\"` (or Bearer) to 401 answers.",
        once!(challenge),
    ),
];

/// Credentials that are wrong in the password or token.
fn bad(world: &World) -> Credentials {
    match &world.scene.target.auth {
        Auth::Basic { user, .. } => Credentials::Raw(basic(user, "not the password")),
        Auth::Bearer(_) | Auth::None => Credentials::Raw("Bearer not-the-token".to_owned()),
    }
}

async fn everywhere(
    world: &mut World,
    credentials: Credentials,
    change: impl Fn(Request) -> Request,
) -> Check {
    let mut problems = Problems::default();
    for request in endpoints::all(&world.plan()?) {
        let reply = world
            .send(change(request.credentials(credentials.clone())))
            .await?;
        problems.take(reply.status_in(&[401], "the credentials are not right"))?;
    }
    problems.done()
}

async fn none(world: &mut World) -> Check {
    world.needs_auth()?;
    everywhere(world, Credentials::Absent, |request| request).await
}

async fn wrong_password(world: &mut World) -> Check {
    world.needs_auth()?;
    let bad = bad(world);
    everywhere(world, bad, |request| request).await
}

async fn wrong_user(world: &mut World) -> Check {
    let Auth::Basic { password, .. } = world.scene.target.auth.clone() else {
        return Err(Stop::skip("the run does not use HTTP basic"));
    };
    let bad = Credentials::Raw(basic("nobody-conformance", password.expose()));
    everywhere(world, bad, |request| request).await
}

async fn malformed(world: &mut World) -> Check {
    world.needs_auth()?;
    let mut problems = Problems::default();
    for header in [
        "Basic",
        "Basic !!!",
        "Basic bm8tY29sb24=",
        "Bearer",
        "Nonsense abc",
        "Basic /w==",
    ] {
        let request = Request::catalog().credentials(Credentials::Raw(header.to_owned()));
        let reply = world.send(request).await?;
        problems.take(reply.status_in(&[401], "the Authorization header cannot be read"))?;
    }
    problems.done()
}

async fn before_version(world: &mut World) -> Check {
    world.needs_auth()?;
    let bad = bad(world);
    everywhere(world, bad.clone(), Request::unversioned).await?;
    everywhere(world, bad, |request| request.version("garbage")).await
}

async fn before_body(world: &mut World) -> Check {
    world.needs_auth()?;
    let bad = bad(world);
    everywhere(world, bad, |request| {
        if request.body.is_empty() {
            request
        } else {
            request.bytes("{\"service_id\": ")
        }
    })
    .await
}

async fn creates_nothing(world: &mut World) -> Check {
    world.needs_auth()?;
    let instance = Instance::new(&world.plan()?);
    let bad = bad(world);
    let reply = world.send(instance.put().credentials(bad)).await?;
    reply.status_in(&[401], "the credentials are not right")?;
    let reply = world.send(instance.delete()).await?;
    reply.status_in(&[410], "a refused provision created nothing")
}

async fn challenge(world: &mut World) -> Check {
    world.needs_auth()?;
    let request = Request::catalog().credentials(Credentials::Absent);
    let reply = world.send(request).await?;
    let named = reply.header("www-authenticate").is_some();
    reply.ensure(named, "a WWW-Authenticate header on the 401")
}
