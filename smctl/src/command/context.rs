//! `smctl context`: several managers, or several logins.

use crate::complete;
use crate::config::{Config, Settings};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::output::{self, fit};
use crate::problem::Problem;
use clap::Subcommand;

/// Verbs of contexts.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  smctl login -a https://sm.example.com --context production
  smctl context list
  smctl context use production
  smctl --context test instance list")]
pub(crate) enum Verb {
    /// List contexts; the current one has a star.
    #[command(visible_alias = "ls")]
    List(ListArgs),
    /// Make a context the current one.
    Use(Named),
    /// Forget a context.
    Delete(Named),
}

/// Flags of `smctl context list`.
#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    output: output::Flag,
}

/// A context by its name.
#[derive(Debug, clap::Args)]
pub(crate) struct Named {
    /// Its name.
    #[arg(add = complete::contexts())]
    name: String,
    #[command(flatten)]
    output: output::Flag,
}

impl Verb {
    pub(super) fn run(self, global: &Global) -> Result<Exit, Problem> {
        let mut config = global.config()?;
        match self {
            Self::List(args) => list(&config, &args.output.format),
            Self::Use(args) => {
                config.switch(&args.name)?;
                let doc = Doc::map().with("name", &args.name).with("current", true);
                let line = format!("The context is {} now.", args.name);
                output::told(&args.output.format, "context", &doc, &line);
            }
            Self::Delete(args) => {
                config.forget(&args.name)?;
                let doc = Doc::map()
                    .with("kind", "context")
                    .with("name", &args.name)
                    .with("state", "deleted");
                let line = format!("context/{} deleted", args.name);
                output::told(&args.output.format, "context", &doc, &line);
            }
        }
        Ok(Exit::Done)
    }
}

fn list(config: &Config, format: &output::Format) {
    let Some(contents) = &config.contents else {
        if format.is_table() {
            return eprintln!("There are no contexts. smctl login makes one.");
        }
        return output::machine(format, "context", &Doc::map().with("items", Vec::new()));
    };
    let one = |name: &str, settings: &Settings, current: bool| {
        Doc::map()
            .with("name", name)
            .with("current", current)
            .with("url", &settings.url)
            .with("user", &settings.user)
            .with("logged_in", settings.is_logged_in())
    };
    let mut docs = vec![one(contents.name(), &contents.current, true)];
    docs.extend(
        contents
            .contexts
            .iter()
            .map(|(name, settings)| one(name, settings, false)),
    );
    if !format.is_table() {
        return output::machine(format, "context", &Doc::map().with("items", docs));
    }
    let headers = ["", "NAME", "URL", "USER"].map(ToOwned::to_owned);
    let row = |doc: &Doc| {
        let star = if doc.is("current") { "*" } else { "" };
        let user = if doc.is("logged_in") {
            doc.str("user")
        } else {
            "(logged out)"
        };
        [star, doc.str("name"), doc.str("url"), user]
            .map(ToOwned::to_owned)
            .to_vec()
    };
    let rows: Vec<_> = docs.iter().map(row).collect();
    print!("{}", fit::table(&headers, &rows, None, false));
}
