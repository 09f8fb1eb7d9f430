//! `/v1/tenants/**`, and what lies beside the doors in `/v1/osb/**`: paths that are known to clients and behind which
//! nothing is. They stand behind a guard, so nobody without a proof learns even that.
//!
//! A tenant is a label and no record. It can be deleted with all it has, and nothing else can be done to it.

use super::{Answer, cascade, operation_of};
use crate::decode::removal::{self, Removal};
use crate::decode::{Params, Path};
use crate::{App, Failure};
use axum::Extension;
use axum::extract::State;
use http::Uri;
use qm_manager_api::{DeleteQuery, Empty, ErrorBody, Operation};
use qm_model::{Ctx, Kind};

/// Deletes all that a tenant has: its platforms, brokers, instances and bindings. Needs `cascade=true`.
#[utoipa::path(delete, path = "/v1/tenants/{id}", tag = "tenants", operation_id = "delete_tenant",
    params(("id" = String, Path), DeleteQuery), security(("bearer" = [])),
    responses(
        (status = 202, body = Empty, description = "Under way", headers(("Location" = String, description = "Path of the operation"))),
        (status = "default", body = ErrorBody, description = "Refused"),
    ))]
pub(crate) async fn delete(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    params: Params,
) -> Answer {
    match removal::of(&params, Kind::Tenant)? {
        Removal::Alone => Err(Failure::bad_request(
            "a tenant is all that it has; say cascade=true to delete that",
        )),
        Removal::Cascade { force } => cascade(&app, ctx, Kind::Tenant, id, force).await,
    }
}

/// How far the deletion of a tenant is.
#[utoipa::path(get, path = "/v1/tenants/{id}/operations/{operation}", tag = "tenants", operation_id = "get_tenant_operation",
    params(("id" = String, Path), ("operation" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Operation, description = "The operation"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn operation(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path((id, operation)): Path<(String, String)>,
) -> Answer {
    operation_of(&app, &ctx, Kind::Tenant, &id, &operation).await
}

/// 404, for whoever came so far.
pub(crate) async fn nothing(uri: Uri) -> Answer {
    Err(Failure::no_such_path(uri.path()))
}
