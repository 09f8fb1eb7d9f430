//! `DELETE /v1/service_instances/{id}`.

use crate::App;
use crate::decode::removal::{self, Removal};
use crate::decode::{Asked, Params, Path};
use crate::encode::answer;
use crate::rest::{Answer, cascade};
use axum::Extension;
use axum::extract::State;
use qm_lifecycle::instance;
use qm_manager_api::{DeleteQuery, Empty, ErrorBody};
use qm_model::{Ctx, Kind};

/// Deletes a service instance: the broker is asked to. With `cascade=true` its bindings and what refers to it go
/// first; with `force=true` as well, what the broker refuses to delete is forgotten.
#[utoipa::path(delete, path = "/v1/service_instances/{id}", tag = "instances", operation_id = "delete_instance",
    params(("id" = String, Path), DeleteQuery, ("X-Originating-Identity" = Option<String>, Header, description = "Who asked the caller: a JSON object, for the broker")),
    security(("bearer" = [])),
    responses(
        (status = 200, body = Empty, description = "Deleted"),
        (status = 202, body = Empty, description = "Under way", headers(("Location" = String, description = "Path of the operation"))),
        (status = 502, body = ErrorBody, description = "The broker refused or broke; with its own words"),
        (status = "default", body = ErrorBody, description = "Refused"),
    ))]
pub(crate) async fn delete(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    params: Params,
    Asked(how): Asked,
) -> Answer {
    match removal::of(&params, Kind::Instance)? {
        Removal::Alone => {
            let mode = how.mode;
            let done = app
                .act(move |deeds| async move { instance::delete(&deeds, &ctx, &id, how).await })
                .await?;
            Ok(answer::done(mode, done, |_| answer::empty()))
        }
        Removal::Cascade { force } => cascade(&app, ctx, Kind::Instance, id, force).await,
    }
}
