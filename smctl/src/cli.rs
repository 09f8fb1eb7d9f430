//! The words of the top level. One variant per noun; its verbs are in the noun's own file.

use crate::exit::Exit;
use crate::verify;
use anyhow::Result;
use clap::{Parser, Subcommand};

/// The command line of Quartermaster.
#[derive(Debug, Parser)]
#[command(
    name = "smctl",
    version,
    propagate_version = true,
    max_term_width = 100
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge whether something keeps to its specification.
    #[command(subcommand)]
    Verify(verify::Verb),
}

impl Cli {
    /// Does what was typed.
    pub(crate) async fn run(self) -> Result<Exit> {
        match self.command {
            Command::Verify(verb) => verb.run().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
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
