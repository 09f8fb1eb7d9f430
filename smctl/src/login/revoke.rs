//! Gives a login back: the refresh token, and all that came of the same login, is worthless afterwards.

use super::grant::{Program, post};
use crate::client::Query;
use crate::config::Settings;
use crate::problem::Problem;
use crate::transport::Transport;

/// Whether the issuer was told. Not every issuer has such a door.
pub(crate) async fn revoke(transport: &Transport, settings: &Settings) -> Result<bool, Problem> {
    let refresh = settings.refresh_token.expose();
    let (token, kind) = if refresh.is_empty() {
        (settings.access_token.expose(), "access_token")
    } else {
        (refresh, "refresh_token")
    };
    if settings.revocation_url.is_empty() || token.is_empty() || settings.client_id.is_empty() {
        return Ok(false);
    }
    let form = Query::new()
        .with("token", token)
        .with("token_type_hint", kind);
    let program = Program {
        id: settings.client_id.clone(),
        secret: settings.client_secret.clone(),
        basic: settings.token_basic_auth,
    };
    let reply = post(transport, &settings.revocation_url, &form, &program).await?;
    Ok(reply.status.is_success())
}
