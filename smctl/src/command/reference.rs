//! `smctl reference FOLDER`: the pages of `docs/cli/`, from the definitions of the commands. `cargo xtask generate` calls it.
//!
//! The rule: nothing is written here that a command could say itself.

mod index;
mod page;

use crate::cli::GROUPS;
use crate::exit::Exit;
use crate::problem::Problem;
use std::path::{Path, PathBuf};

/// Flags of `smctl reference`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder to write to; it must be there.
    folder: PathBuf,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Problem> {
        let mut root = crate::cli::command().disable_help_subcommand(true);
        root.build();
        write(&self.folder, "README", &index::text(&root))?;
        for group in GROUPS {
            let commands = group.commands.iter();
            let commands: Vec<_> = commands
                .filter_map(|one| root.find_subcommand(one))
                .collect();
            let (nouns, plain): (Vec<_>, Vec<_>) =
                commands.into_iter().partition(|one| one.has_subcommands());
            for noun in nouns {
                write(&self.folder, noun.get_name(), &page::noun(noun))?;
            }
            if !plain.is_empty() {
                write(
                    &self.folder,
                    group.page,
                    &page::several(group.title, &plain),
                )?;
            }
        }
        let old = root.get_subcommands().filter(|one| one.is_hide_set());
        let old: Vec<_> = old.filter(|one| one.get_name() != "reference").collect();
        write(&self.folder, index::OLD, &page::old(&old))?;
        Ok(Exit::Done)
    }
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), Problem> {
    let file = folder.join(format!("{name}.md"));
    std::fs::write(&file, text).map_err(|error| {
        Problem::new(
            Exit::Failed,
            format!("{} cannot be written", file.display()),
        )
        .why(error.to_string())
        .hint("make the folder first")
    })
}
