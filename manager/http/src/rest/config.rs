//! `/v1/config`: the configuration in force, secrets starred, and how the process logs.

use super::Answer;
use crate::decode::Body;
use crate::encode::answer;
use crate::{App, Failure};
use axum::Extension;
use axum::extract::State;
use http::StatusCode;
use qm_manager_api::{EffectiveConfig, Empty, ErrorBody, LoggingConfig, LoggingPatch};
use qm_model::identity::Role;
use qm_model::{Caller, Ctx, Error};

/// The configuration in force. Secrets are stars.
#[utoipa::path(get, path = "/v1/config", tag = "operating", operation_id = "get_config", security(("bearer" = [])),
    responses((status = 200, body = EffectiveConfig, description = "By section and key"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn get(State(app): State<App>, Extension(ctx): Extension<Ctx>) -> Answer {
    administrator(&ctx)?;
    Ok(answer::json(StatusCode::OK, &app.outside.config))
}

/// How the process logs.
#[utoipa::path(get, path = "/v1/config/logging", tag = "operating", operation_id = "get_logging", security(("bearer" = [])),
    responses((status = 200, body = LoggingConfig, description = "As it is"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn logging(State(app): State<App>, Extension(ctx): Extension<Ctx>) -> Answer {
    administrator(&ctx)?;
    Ok(answer::json(StatusCode::OK, &app.outside.logging.current()))
}

/// Changes how this process logs until it ends.
#[utoipa::path(put, path = "/v1/config/logging", tag = "operating", operation_id = "set_logging",
    request_body = LoggingPatch, security(("bearer" = [])),
    responses((status = 200, body = Empty, description = "Changed"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn set_logging(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Body(patch): Body<LoggingPatch>,
) -> Answer {
    administrator(&ctx)?;
    app.outside
        .logging
        .change(patch)
        .map_err(Failure::bad_request)?;
    tracing::info!(by = %ctx.caller, "logging was changed");
    Ok(answer::empty())
}

/// What concerns the process and no resource is for administrators of all tenants.
pub(super) fn administrator(ctx: &Ctx) -> Result<(), Error> {
    match &ctx.caller {
        Caller::Person(person)
            if person.tenant.is_none() && person.roles.contains(&Role::Admin) =>
        {
            Ok(())
        }
        Caller::Person(person) => Err(Error::Forbidden {
            rule: "role",
            message: format!(
                "the role admin, without a tenant, is needed; {} has it not",
                person.name
            ),
        }),
        _ => Err(Error::Unauthenticated {
            message: "No authenticated user found: this needs a Bearer token".to_owned(),
        }),
    }
}
