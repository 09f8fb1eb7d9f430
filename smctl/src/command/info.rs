//! `smctl info`: who is logged in, and where. Asks nobody.

use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::output::{self, Format};
use crate::problem::Problem;

/// Flags of `smctl info`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) fn run(self, global: &Global) -> Result<Exit, Problem> {
        let config = global.config()?;
        let settings = config.settings(global.context.as_deref())?;
        let Some(settings) = settings.filter(|settings| !settings.user.is_empty()) else {
            let line = "There is no logged user. Use \"smctl login\" to log in.";
            let doc = Doc::map().with("logged_in", false);
            output::told(&self.output.format, "context", &doc, line);
            return Ok(Exit::Done);
        };
        if matches!(self.output.format, Format::Table) {
            println!("Service Manager URL: {}", settings.url);
            println!("User: {}", settings.user);
            return Ok(Exit::Done);
        }
        let context = config
            .contents
            .as_ref()
            .map_or("default", |contents| contents.name());
        let doc = Doc::map()
            .with("name", global.context.as_deref().unwrap_or(context))
            .with("url", &settings.url)
            .with("user", &settings.user)
            .with("issuer_url", &settings.issuer_url)
            .with("auth_flow", &settings.auth_flow)
            .with("expires_at", settings.expiry.told())
            .with("logged_in", settings.is_logged_in());
        output::machine(&self.output.format, "context", &doc);
        Ok(Exit::Done)
    }
}
