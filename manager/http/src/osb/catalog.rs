//! `GET .../v2/catalog`: what the broker offers to the calling platform. From memory; the broker is not asked.

use crate::App;
use crate::decode::Path;
use crate::encode::door;
use crate::rest::Answer;
use axum::Extension;
use axum::extract::State;
use http::HeaderMap;
use qm_manager_api::ErrorBody;
use qm_model::Ctx;

/// What the broker offers to the calling platform.
#[utoipa::path(get, path = "/v1/osb/{broker_id}/v2/catalog",
    tag = "osb", operation_id = "osb_catalog", security(("platform" = [])),
    params(("broker_id" = String, Path, description = "The manager's id of the broker"), ("If-None-Match" = Option<String>, Header, description = "The ETag of an earlier answer")),
    responses((status = 200, body = Object, description = "The catalog of OSB 2.17, with sm_offering_id and sm_plan_id in the metadata"),
        (status = 304, description = "As it was"),
        (status = "default", body = ErrorBody, description = "Refused, by the manager or by the broker")))]
pub(crate) async fn catalog(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(broker): Path<String>,
    headers: HeaderMap,
) -> Answer {
    let catalog = qm_lifecycle::door::catalog(&app.deeds, &ctx, &broker).await?;
    Ok(door::catalog(&headers, &catalog))
}
