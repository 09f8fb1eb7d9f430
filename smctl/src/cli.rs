//! The words of the top level. One variant per noun; its verbs are in the noun's own file.

mod examples;
mod groups;
mod misread;

pub(crate) use groups::{GROUPS, flag};
pub(crate) use misread::{misread, typed};

use crate::exit::Exit;
use crate::global::Global;
use crate::{command, compat, verify};
use anyhow::Result;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// Service Manager on the command line: find services, make instances, use them.
#[derive(Debug, Parser)]
#[command(
    name = "smctl",
    version,
    propagate_version = true,
    max_term_width = 100,
    arg_required_else_help = true,
    after_help = "\
Start here:
  smctl login -a URL -u USER                        # where, and as whom
  smctl marketplace                                 # what there is
  smctl provision mydb postgresql small --wait      # a database of your own
  smctl exec --service mydb -- psql -c 'select 1'   # use it

Names or ids are taken anywhere. Commands of the old smctl (list-brokers,
register-platform, ...) work as before."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant, reason = "made once per process")]
enum Command {
    #[command(flatten)]
    Own(command::Command),
    #[command(flatten)]
    Old(compat::Command),
    /// Judge whether something keeps to its specification.
    #[command(subcommand)]
    Verify(verify::Verb),
}

impl Cli {
    /// Reads what was typed.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        let mut matches = command().try_get_matches()?;
        Self::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command()))
    }

    /// Whether many things happen at once, so that more than one thread is worth its start.
    pub(crate) fn is_busy(&self) -> bool {
        matches!(self.command, Command::Verify(_))
    }

    /// Does what was typed.
    pub(crate) async fn run(self) -> Result<Exit> {
        match self.command {
            Command::Verify(verb) => verb.run().await,
            Command::Old(old) => Ok(old.run(&self.global).await),
            Command::Own(own) => match own.run(&self.global).await {
                Err(problem) if self.global.compat => Ok(compat::fail(&self.global, "", &problem)),
                done => Ok(done?),
            },
        }
    }
}

/// The whole grammar, for what writes about it.
pub(crate) fn command() -> clap::Command {
    let root = examples::added(Cli::command());
    let help = groups::help(&root);
    root.help_template(help)
}

/// Prints how a command is used.
pub(crate) fn show_usage(name: &str) {
    let mut root = command();
    root.build();
    if let Some(command) = root.find_subcommand_mut(name) {
        eprintln!("{}", command.render_help());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        command().debug_assert();
    }

    fn refuses(words: &[&str]) {
        let words = ["smctl", "verify", "broker", "http://h"]
            .iter()
            .chain(words);
        let error = Cli::try_parse_from(words).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{error}");
    }

    #[test]
    fn credentials_are_one_kind_or_none_on_purpose() {
        refuses(&["--user", "a", "--token", "b"]);
        refuses(&["--user", "a", "--no-auth"]);
        refuses(&["--password", "a", "--no-auth"]);
        refuses(&["--no-auth", "--ca", "x", "--insecure"]);
        refuses(&["--no-auth", "--timeout", "soon"]);
    }
}
