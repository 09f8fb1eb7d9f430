//! `PATCH /v1/service_instances/{id}`: changes an instance, shares it or moves it to the manager.
//!
//! The rule: sharing is never answered 202, because clients in the field cannot take that.

use crate::App;
use crate::decode::instance::{self as decode, Wish};
use crate::decode::{Asked, Body, Params, Path};
use crate::encode::answer;
use crate::rest::Answer;
use axum::Extension;
use axum::extract::State;
use qm_lifecycle::{instance, read};
use qm_manager_api::{AsyncQuery, Empty, ErrorBody, Instance as Shape, InstancePatch};
use qm_model::Ctx;
use qm_model::instance::Instance;

/// Changes a service instance. `shared` stands alone and is always done at once; `platform_id` moves an instance of a
/// platform to the manager.
#[utoipa::path(patch, path = "/v1/service_instances/{id}", tag = "instances", operation_id = "update_instance",
    params(("id" = String, Path), AsyncQuery, ("X-Originating-Identity" = Option<String>, Header, description = "Who asked the caller: a JSON object, for the broker")),
    request_body = InstancePatch, security(("bearer" = [])),
    responses(
        (status = 200, body = Shape, description = "Changed"),
        (status = 202, body = Empty, description = "Under way", headers(("Location" = String, description = "Path of the operation"))),
        (status = 502, body = ErrorBody, description = "The broker refused or broke; with its own words"),
        (status = "default", body = ErrorBody, description = "Refused"),
    ))]
pub(crate) async fn change(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    params: Params,
    Asked(how): Asked,
    Body(patch): Body<InstancePatch>,
) -> Answer {
    let mode = how.mode;
    let done = match decode::change(patch)? {
        Wish::Share(shared) => {
            params.not_async()?;
            let shown = app
                .act(move |deeds| async move { instance::share(&deeds, &ctx, &id, shared).await })
                .await?;
            return Ok(answer::ok(shown));
        }
        Wish::Transfer(to) => {
            app.act(
                move |deeds| async move { instance::transfer(&deeds, &ctx, &id, &to, how).await },
            )
            .await?
        }
        Wish::Change { change, at_home } => {
            if at_home {
                let found = read::one::<Instance>(&app.deeds, &ctx, &id).await?;
                if !found.resource.platform_id.is_manager() {
                    return Err(decode::moves_alone());
                }
            }
            app.act(
                move |deeds| async move { instance::change(&deeds, &ctx, &id, change, how).await },
            )
            .await?
        }
    };
    Ok(answer::done(mode, done, answer::ok))
}
