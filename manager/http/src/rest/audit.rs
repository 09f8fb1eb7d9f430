//! `/v1/audit`: who did what, newest first; page by page, or all of it as lines of JSON.
//!
//! The rule: a parameter that means nothing here is refused. Somebody who searches an audit log must not take what was
//! passed over for what was not found.

use super::Answer;
use crate::decode::{Listing, Params};
use crate::encode::{audit as shape, page};
use crate::{App, Failure};
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use futures_util::stream;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};
use qm_lifecycle::Lifecycle;
use qm_lifecycle::audit::{self, Filter};
use qm_manager_api::{AuditRecord, ErrorBody, Page as PageShape};
use qm_model::audit::Record;
use qm_model::page::{MaxItems, Total};
use qm_model::{Ctx, Error, Kind, Page, Time};

/// What a log that leaves the house is written in: a record a line.
const LINES: &str = "application/x-ndjson";
/// Records that are read at a time for it.
const STEP: u32 = 500;

/// What can be asked for.
const KNOWN: [&str; 8] = [
    "resource_type",
    "resource_id",
    "actor_id",
    "correlation_id",
    "from",
    "until",
    "max_items",
    "token",
];

/// Reads the audit log, newest first. With `Accept: application/x-ndjson` all that matches comes at once, a record a line.
#[utoipa::path(get, path = "/v1/audit", tag = "operating", operation_id = "list_audit", security(("bearer" = [])),
    params(
        ("resource_type" = Option<String>, Query, description = "Only about this collection, as in `/v1/platforms`"),
        ("resource_id" = Option<String>, Query, description = "Only about this resource"),
        ("actor_id" = Option<String>, Query, description = "Only by this caller: a platform's id or a token's subject"),
        ("correlation_id" = Option<String>, Query, description = "Only of this request"),
        ("from" = Option<String>, Query, description = "Not before this time, RFC 3339"),
        ("until" = Option<String>, Query, description = "Before this time, RFC 3339"),
        ("max_items" = Option<u32>, Query, description = "How many at most on a page"),
        ("token" = Option<String>, Query, description = "The `token` of the page before"),
    ),
    responses((status = 200, description = "A page, or all of it", content((PageShape<AuditRecord> = "application/json"), (AuditRecord = "application/x-ndjson"))), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn list(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    headers: HeaderMap,
    params: Result<Params, Failure>,
    listing: Result<Listing, Failure>,
) -> Answer {
    audit::permitted(&app.deeds, &ctx)?;
    let (params, listing) = (params?, listing?);
    let filter = filter(&params)?;
    if wants_lines(&headers) {
        return lines(app.deeds.clone(), ctx, filter, listing.page.after).await;
    }
    let limit = match listing.page.max_items {
        MaxItems::Count(limit) => limit,
        MaxItems::NumberOnly => {
            return Err(Failure::bad_request(
                "max_items: the log is not counted; ask for at least 1",
            ));
        }
    };
    // One more than shown says whether there are more.
    let wanted = limit.saturating_add(1);
    let mut items = audit::list(&app.deeds, &ctx, filter, listing.page.after, wanted).await?;
    let more = items.len() > limit as usize;
    items.truncate(limit as usize);
    let number = items.len() as u64;
    let found = Page {
        next: items.last().filter(|_| more).map(|record| record.seq),
        total: if more || listing.page.after.is_some() {
            Total::AtLeast(number)
        } else {
            Total::Exact(number)
        },
        items,
    };
    Ok(page::answer(&listing, found, shape::record))
}

fn wants_lines(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT).iter();
    let mut kinds = accepted
        .filter_map(|header| header.to_str().ok())
        .flat_map(|header| header.split(','))
        .map(|kind| kind.split(';').next().unwrap_or_default().trim());
    kinds.any(|kind| kind.eq_ignore_ascii_case(LINES))
}

/// Everything that matches. Read while it is sent, so that a log of any length needs little room. What goes wrong on the
/// way ends the connection: a client sees that the end is missing.
async fn lines(deeds: Lifecycle, ctx: Ctx, filter: Filter, after: Option<i64>) -> Answer {
    // The first part comes before the answer begins, so that a refusal still can be one.
    let first = audit::list(&deeds, &ctx, filter.clone(), after, STEP).await?;
    let parts = stream::try_unfold(Some(first), move |part: Option<Vec<Record>>| {
        let (deeds, ctx, filter) = (deeds.clone(), ctx.clone(), filter.clone());
        async move {
            let Some(part) = part.filter(|part| !part.is_empty()) else {
                return Ok::<_, Error>(None);
            };
            let after = part.last().map(|record| record.seq);
            let is_whole = part.len() < STEP as usize;
            let text = text(part)?;
            let next = match is_whole {
                true => None,
                false => Some(audit::list(&deeds, &ctx, filter, after, STEP).await?),
            };
            Ok(Some((text, next)))
        }
    });
    let kind = [(CONTENT_TYPE, HeaderValue::from_static(LINES))];
    let response: Response = (kind, Body::from_stream(parts)).into_response();
    Ok(response)
}

fn text(records: Vec<Record>) -> Result<Bytes, Error> {
    let mut text = Vec::new();
    for record in records {
        serde_json::to_writer(&mut text, &shape::record(record)).map_err(Error::internal)?;
        text.push(b'\n');
    }
    Ok(Bytes::from(text))
}

fn filter(params: &Params) -> Result<Filter, Failure> {
    if let Some((unknown, _)) = params.pairs().find(|(name, _)| !KNOWN.contains(name)) {
        let unknown: String = unknown.chars().take(50).collect();
        return Err(Failure::bad_request(format!(
            "{unknown:?}: means nothing here; what can be asked for is {}",
            KNOWN.join(", ")
        )));
    }
    let text = |name| params.first(name).map(str::to_owned);
    let kind = |path| {
        Kind::from_path(path)
            .ok_or_else(|| Failure::bad_request("resource_type: there is no such collection"))
    };
    Ok(Filter {
        kind: params.first("resource_type").map(kind).transpose()?,
        object_id: text("resource_id"),
        actor_id: text("actor_id"),
        correlation_id: text("correlation_id"),
        from: time(params, "from")?,
        until: time(params, "until")?,
    })
}

fn time(params: &Params, name: &str) -> Result<Option<Time>, Failure> {
    let read = |text| {
        Time::parse(text).ok_or_else(|| {
            Failure::bad_request(format!("{name}: must be a time as in 2024-05-01T10:00:00Z"))
        })
    };
    params.first(name).map(read).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_read_or_refused() {
        let params =
            Params::read("resource_type=%2Fv1%2Fplatforms&from=2024-05-01T10:00:00Z").unwrap();
        let filter = filter(&params).unwrap();
        assert_eq!(filter.kind, Some(Kind::Platform));
        assert!(filter.from.is_some() && filter.until.is_none());
        for bad in [
            "resource_type=x",
            "until=yesterday",
            "fieldQuery=actor_id+eq+%27a%27",
            "labelQuery=",
            "resourceid=1",
        ] {
            assert!(super::filter(&Params::read(bad).unwrap()).is_err(), "{bad}");
        }
    }

    #[test]
    fn lines_are_for_those_who_ask_for_them() {
        let wants = |accept: &'static str| {
            wants_lines(&HeaderMap::from_iter([(
                ACCEPT,
                HeaderValue::from_static(accept),
            )]))
        };
        assert!(wants("application/x-ndjson"));
        assert!(wants("text/plain, Application/X-NDJSON;q=0.5"));
        assert!(!wants("application/json") && !wants("*/*") && !wants_lines(&HeaderMap::new()));
    }
}
