//! A new token for one that ended.

use super::grant::{Program, ask};
use crate::client::Query;
use crate::config::{Expiry, Settings};
use crate::exit::Exit;
use crate::problem::Problem;
use crate::transport::Transport;

/// The settings with a token that is valid.
pub(crate) async fn refresh(
    transport: &Transport,
    settings: &Settings,
) -> Result<Settings, Problem> {
    if settings.refresh_token.expose().is_empty() || settings.client_id.is_empty() {
        return Err(over());
    }
    let form = Query::new()
        .with("grant_type", "refresh_token")
        .with("refresh_token", settings.refresh_token.expose());
    let program = Program {
        id: settings.client_id.clone(),
        secret: settings.client_secret.clone(),
        basic: settings.token_basic_auth,
    };
    let token = ask(transport, &settings.token_url, &form, &program)
        .await
        .map_err(|problem| {
            if problem.status.is_none() {
                return problem;
            }
            let why = problem.why.unwrap_or_default();
            over()
                .old(format!("error refreshing token: {why}"))
                .why(why)
        })?;
    let mut settings = settings.clone();
    settings.access_token = token.access_token;
    if let Some(next) = token.refresh_token {
        settings.refresh_token = next;
    }
    settings.expiry = Expiry::in_seconds(token.expires_in);
    Ok(settings)
}

fn over() -> Problem {
    Problem::new(Exit::Auth, "the login has expired")
        .why("its token has ended and cannot be renewed")
        .hint("smctl login")
        .old("access token has expired, use \"smctl login\" to log in")
}
