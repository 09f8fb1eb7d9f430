//! `/v1/audit`: who did what, newest first.

use super::Answer;
use crate::decode::{Listing, Params};
use crate::encode::{audit as shape, page};
use crate::{App, Failure};
use axum::Extension;
use axum::extract::State;
use qm_lifecycle::audit::{self, Filter};
use qm_manager_api::{AuditRecord, ErrorBody, Page as PageShape};
use qm_model::page::{MaxItems, Total};
use qm_model::{Ctx, Kind, Page, Time};

/// Reads the audit log, newest first.
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
    responses((status = 200, body = PageShape<AuditRecord>, description = "A page"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn list(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    params: Params,
    listing: Listing,
) -> Answer {
    let filter = filter(&params)?;
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

fn filter(params: &Params) -> Result<Filter, Failure> {
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
        for bad in ["resource_type=x", "until=yesterday"] {
            assert!(super::filter(&Params::read(bad).unwrap()).is_err(), "{bad}");
        }
    }
}
