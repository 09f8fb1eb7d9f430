//! Fetching the catalog again: stable content, conditional requests.

use super::sections::CATALOG;
use crate::case::{Case, must, once, should};
use crate::client::Reply;
use crate::request::Request;
use crate::verdict::{Check, Problems, Stop};
use crate::world::World;

pub(super) const CASES: &[Case] = &[
    must("catalog.stable", &["B11"], CATALOG).says(
        "Ids are the same each time the catalog is fetched",
        "Keep ids in code or configuration; never make them at start or per request.",
        once!(stable),
    ),
    should("catalog.stable-content", &["B11"], CATALOG).says(
        "The whole catalog is the same when it is fetched several times in a row",
        "Build the catalog once; platforms treat every difference as a change.",
        once!(stable_content),
    ),
    must("catalog.extra-query", &["B1"], CATALOG).says(
        "Unknown query parameters do not disturb the catalog",
        "Ignore query parameters that you do not know.",
        once!(extra_query),
    ),
    must("catalog.etag-match", &["B16"], CATALOG).says(
        "If-None-Match with the catalog's own ETag is answered with 304 and no body",
        "Compare If-None-Match with the ETag you send and answer 304 when they are equal.",
        once!(etag_match),
    ),
    must("catalog.etag-other", &["B16"], CATALOG).says(
        "If-None-Match with another tag is answered with 200 and the catalog",
        "Answer 304 only when the tag is yours.",
        once!(etag_other),
    ),
    should("catalog.etag-list", &["B16"], CATALOG).says(
        "If-None-Match with a list that holds the tag, a weak form of it, or * is answered with 304",
        "Split If-None-Match at commas, compare weakly, and let * match everything (RFC 9110, 13.1.2).",
        once!(etag_list),
    ),
    must("catalog.last-modified", &["B16"], CATALOG).says(
        "If-Modified-Since with the catalog's own Last-Modified is answered with 304",
        "Compare If-Modified-Since with your Last-Modified and answer 304 when nothing changed.",
        once!(last_modified),
    ),
];

fn ids(reply: &Reply) -> Vec<String> {
    let none = Vec::new();
    let json = reply.json.clone().unwrap_or_default();
    let mut ids: Vec<String> = json["services"]
        .as_array()
        .unwrap_or(&none)
        .iter()
        .flat_map(|offering| {
            let plans = offering["plans"].as_array().into_iter().flatten();
            std::iter::once(offering)
                .chain(plans)
                .filter_map(|thing| thing["id"].as_str())
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    ids.sort();
    ids
}

async fn stable(world: &mut World) -> Check {
    let first = ids(&world.scene.catalog);
    let mut problems = Problems::default();
    for _ in 0..3 {
        let reply = world.send(Request::catalog()).await?;
        reply.status_in(&[200], "the catalog is still there")?;
        problems.take(reply.ensure(ids(&reply) == first, "the same ids as in the first fetch"))?;
    }
    problems.done()
}

async fn stable_content(world: &mut World) -> Check {
    let first = world.scene.catalog.json.clone();
    for _ in 0..2 {
        let reply = world.send(Request::catalog()).await?;
        reply.ensure(
            reply.json == first,
            "the same catalog as in the first fetch",
        )?;
    }
    Ok(())
}

async fn extra_query(world: &mut World) -> Check {
    let request = Request::catalog().query("x_vendor", "1").query("limit", "");
    let reply = world.send(request).await?;
    reply.status_in(&[200], "unknown query parameters are ignored")
}

async fn tag(world: &mut World) -> Result<String, Stop> {
    let reply = world.send(Request::catalog()).await?;
    let tag = reply.header("etag").map(str::to_owned);
    tag.ok_or_else(|| Stop::skip("the broker offers no ETag, which is optional"))
}

async fn etag_match(world: &mut World) -> Check {
    let tag = tag(world).await?;
    let quoted = tag.strip_prefix("W/").unwrap_or(&tag);
    let well_formed = quoted.len() >= 2 && quoted.starts_with('"') && quoted.ends_with('"');
    if !well_formed {
        return Err(Stop::failed("an ETag in double quotes", tag));
    }
    let request = Request::catalog().header("if-none-match", &tag);
    let reply = world.send(request).await?;
    reply.status_in(&[304], "the tag is the catalog's own")?;
    reply.ensure(reply.body.is_empty(), "no body with 304")
}

async fn etag_other(world: &mut World) -> Check {
    tag(world).await?;
    let request = Request::catalog().header("if-none-match", "\"some-other-tag\"");
    let reply = world.send(request).await?;
    reply.status_in(&[200], "the tag is not the catalog's")?;
    let whole = ids(&reply) == ids(&world.scene.catalog);
    reply.ensure(whole, "the whole catalog")
}

async fn etag_list(world: &mut World) -> Check {
    let tag = tag(world).await?;
    let strong = tag.strip_prefix("W/").unwrap_or(&tag).to_owned();
    let mut problems = Problems::default();
    for value in [
        format!("\"other\", {tag}"),
        format!("W/{strong}"),
        "*".to_owned(),
    ] {
        let request = Request::catalog().header("if-none-match", &value);
        let reply = world.send(request).await?;
        problems.take(reply.status_in(&[304], &format!("If-None-Match: {value} matches")))?;
    }
    problems.done()
}

async fn last_modified(world: &mut World) -> Check {
    let reply = world.send(Request::catalog()).await?;
    let Some(date) = reply.header("last-modified").map(str::to_owned) else {
        return Err(Stop::skip(
            "the broker offers no Last-Modified, which is optional",
        ));
    };
    let request = Request::catalog().header("if-modified-since", &date);
    let reply = world.send(request).await?;
    reply.status_in(&[304], "nothing changed since that date")
}
