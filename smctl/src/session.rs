//! From what is remembered to a client that can be used: token from the environment or the file, renewed when it ended.
//!
//! Every command that asks the manager something begins here. The rule: a token is never exchanged for one of another
//! identity; what cannot be renewed needs a new login.

use crate::client::Client;
use crate::config::Settings;
use crate::exit::Exit;
use crate::global::Global;
use crate::login;
use crate::problem::Problem;
use crate::transport::Transport;
use qm_manager_api::Secret;

/// A client for the manager that is logged in to.
pub(crate) async fn open(global: &Global) -> Result<Client, Problem> {
    let mut config = global.config()?;
    let settings = config.settings(global.context.as_deref())?.cloned();
    if let Some(client) = from_environment(global, settings.as_ref())? {
        return Ok(client);
    }
    let Some(mut settings) = settings else {
        return Err(not_logged_in());
    };
    check(&settings)?;
    let transport = Transport::new(settings.trust(), global.verbose);
    if settings.expiry.is_over() {
        let renewed = login::refresh(&transport, &settings).await?;
        let kept = renewed.clone();
        config.change(global.context.as_deref(), |settings| *settings = kept)?;
        settings = renewed;
    }
    Ok(Client::new(
        transport,
        &settings.url,
        Some(settings.access_token),
    ))
}

/// `SMCTL_TOKEN`, with `SMCTL_URL` unless the file has one.
fn from_environment(
    global: &Global,
    settings: Option<&Settings>,
) -> Result<Option<Client>, Problem> {
    let Some(token) = variable("SMCTL_TOKEN") else {
        return Ok(None);
    };
    let url = match (variable("SMCTL_URL"), settings) {
        (Some(url), _) => login::with_scheme(&url).0,
        (None, Some(settings)) if !settings.url.is_empty() => settings.url.clone(),
        _ => {
            return Err(
                Problem::new(Exit::Auth, "SMCTL_TOKEN is set, but not for which manager")
                    .why("no login on this machine names one")
                    .hint("set SMCTL_URL too"),
            );
        }
    };
    let trust = settings.map(Settings::trust).unwrap_or_default();
    let transport = Transport::new(trust, global.verbose);
    Ok(Some(Client::new(transport, &url, Some(Secret::new(token)))))
}

fn check(settings: &Settings) -> Result<(), Problem> {
    if settings.url.is_empty() {
        return Err(not_logged_in());
    }
    if settings.user.is_empty() {
        return Err(not_logged_in().old("user must not be empty"));
    }
    if !settings.is_logged_in() {
        return Err(not_logged_in());
    }
    Ok(())
}

fn not_logged_in() -> Problem {
    Problem::new(Exit::Auth, "nobody is logged in")
        .why("no login is kept on this machine, and SMCTL_TOKEN is not set")
        .hint("smctl login -a URL -u USER")
        .old("no logged user, use \"smctl login\" to log in")
}

/// A variable of the environment that is set and not empty.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
