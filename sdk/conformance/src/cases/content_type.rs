//! Content types of requests and answers.

use super::sections::CONTENT;
use crate::case::{Case, How, Seen, must, once, own, should};
use crate::client::Reply;
use crate::request::Request;
use crate::verdict::{Check, Problems};
use crate::world::{Instance, Settled, World};

pub(super) const CASES: &[Case] = &[
    should("content-type.answers", &["B6"], CONTENT).says(
        "Every answer with a JSON body says Content-Type: application/json",
        "Set Content-Type: application/json on every answer with a body, errors included.",
        How::Watch(answers),
    ),
    must("content-type.charset", &["B6"], CONTENT).says(
        "A body sent as application/json; charset=utf-8 is read",
        "Compare the media type without its parameters.",
        own!(charset),
    ),
    must("content-type.missing", &["B6", "B7"], CONTENT).says(
        "A body without Content-Type is read, or refused with 400",
        "Parse the body anyway, or answer 400.",
        once!(missing),
    ),
    should("content-type.mismatch", &["B6"], CONTENT).says(
        "A body with another content type is refused with 400 (not 415, not 422)",
        "Answer 400 when Content-Type is present and not JSON.",
        once!(mismatch),
    ),
    must("content-type.mismatch-safe", &["B6", "B7"], CONTENT).says(
        "A body with another content type never leads to a 5xx",
        "Check the content type before parsing and answer 400.",
        once!(mismatch_safe),
    ),
];

fn answers(_: &Request, reply: &Reply) -> Seen {
    if reply.json.is_none() || reply.body.is_empty() || reply.status == 304 {
        return Seen::NotMine;
    }
    let kind = reply.header("content-type").unwrap_or_default();
    let media = kind.split(';').next().unwrap_or_default().trim();
    if media.eq_ignore_ascii_case("application/json") {
        Seen::Right
    } else {
        Seen::Wrong("Content-Type: application/json on a JSON body".to_owned())
    }
}

async fn charset(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let request = instance
        .put()
        .content_type(Some("application/json; charset=utf-8"));
    let reply = world.send_patiently(request).await?;
    reply.status_in(&[200, 201, 202], "the body is JSON and says so")?;
    if reply.status == 202 {
        let operation = reply.operation().map(str::to_owned);
        let settled = world.settle(instance.poll(operation.as_deref())).await?;
        if let Settled::Failed(_) | Settled::Odd(_) = settled {
            settled.succeeded("the provision")?;
        }
    }
    Ok(())
}

async fn missing(world: &mut World) -> Check {
    let instance = Instance::new(&world.plan()?);
    let reply = world.send(instance.put().content_type(None)).await?;
    reply.status_in(
        &[200, 201, 202, 400],
        "the body is JSON but does not say so",
    )?;
    world.note(if reply.status == 400 {
        "refused"
    } else {
        "read"
    });
    Ok(())
}

const OTHERS: [&str; 4] = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/xml",
    "not a media type",
];

async fn mismatch(world: &mut World) -> Check {
    let mut problems = Problems::default();
    let plan = world.plan()?;
    for kind in OTHERS {
        let request = Instance::new(&plan).put().content_type(Some(kind));
        let reply = world.send(request).await?;
        problems.take(reply.status_in(&[400], "the body says that it is not JSON"))?;
    }
    problems.done()
}

async fn mismatch_safe(world: &mut World) -> Check {
    let mut problems = Problems::default();
    let plan = world.plan()?;
    for kind in OTHERS {
        let instance = Instance::new(&plan);
        for request in [instance.put(), instance.patch(&instance.bare_update())] {
            let reply = world.send(request.content_type(Some(kind))).await?;
            problems.take(reply.not_5xx("a wrong content type is the caller's fault"))?;
        }
    }
    problems.done()
}
