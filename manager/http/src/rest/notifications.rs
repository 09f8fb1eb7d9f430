//! `/v1/notifications`: the door of the notification stream, described. What happens behind it is in `ws`.

use super::Answer;
use crate::{App, ws};
use axum::Extension;
use axum::extract::{Request, State};
use qm_manager_api::{ErrorBody, NotificationQuery};
use qm_model::Ctx;

/// Opens a WebSocket on which the calling platform is told of every change that concerns it.
#[utoipa::path(get, path = "/v1/notifications", tag = "notifications", operation_id = "notifications",
    params(NotificationQuery), security(("platform" = [])),
    responses(
        (status = 101, description = "The stream is open", headers(
            ("max_ping_period" = String, description = "How long the client may be silent, as a Go duration"),
            ("last_notification_revision" = i64, description = "The highest revision there is"),
        )),
        (status = 410, description = "The revision is no longer kept: read everything anew"),
        (status = "default", body = ErrorBody, description = "Refused"),
    ))]
pub(crate) async fn open(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    request: Request,
) -> Answer {
    ws::notifications(State(app), Extension(ctx), request).await
}
