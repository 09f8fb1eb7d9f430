//! `smctl logout`: the login is revoked at the issuer and forgotten here.

use crate::config::{Expiry, Settings};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::login;
use crate::output;
use crate::problem::Problem;
use crate::transport::Transport;
use qm_manager_api::Secret;

/// Flags of `smctl logout`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let mut config = global.config()?;
        let context = global.context.as_deref();
        let Some(settings) = config.settings(context)?.cloned() else {
            return Err(Problem::new(Exit::Failed, "nobody is logged in")
                .why("there is no config file")
                .hint("smctl login -a URL"));
        };
        if !settings.is_logged_in() {
            self.tell(&settings, false, "You are already logged out.");
            return Ok(Exit::Done);
        }
        let transport = Transport::new(settings.trust(), global.verbose);
        let revoked = login::revoke(&transport, &settings).await;
        config.change(context, |settings| {
            settings.access_token = Secret::default();
            settings.refresh_token = Secret::default();
            settings.client_secret = Secret::default();
            settings.expiry = Expiry::default();
            settings.user = String::new();
        })?;
        // What is kept here is gone in any case; only the issuer may still take the token.
        match revoked {
            Ok(true) => {}
            Ok(false) if settings.refresh_token.expose().is_empty() => {}
            Ok(false) => eprintln!(
                "The issuer was not told; the token ends at {}.",
                settings.expiry.told()
            ),
            Err(problem) => eprintln!(
                "The issuer was not told: {}.",
                problem.why.unwrap_or(problem.what)
            ),
        }
        self.tell(&settings, true, "You have successfully logged out.");
        Ok(Exit::Done)
    }

    fn tell(&self, settings: &Settings, changed: bool, line: &str) {
        let doc = Doc::map()
            .with("url", &settings.url)
            .with("user", &settings.user)
            .with("logged_in", false)
            .with("changed", changed);
        output::told(&self.output.format, "context", &doc, line);
    }
}
