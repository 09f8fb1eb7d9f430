//! `smctl man`: manual pages.

use crate::exit::Exit;
use crate::problem::Problem;
use std::io::Write;
use std::path::PathBuf;

/// Flags of `smctl man`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Write a page for every command into this folder; without it, the first page is printed.
    folder: Option<PathBuf>,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Problem> {
        let failed = |error: std::io::Error| {
            Problem::new(Exit::Failed, "the manual pages cannot be written").why(error.to_string())
        };
        let command = crate::cli::command();
        match self.folder {
            Some(folder) => {
                std::fs::create_dir_all(&folder).map_err(failed)?;
                clap_mangen::generate_to(command, &folder).map_err(failed)?;
            }
            None => {
                let mut page = Vec::new();
                clap_mangen::Man::new(command)
                    .render(&mut page)
                    .map_err(failed)?;
                std::io::stdout().write_all(&page).map_err(failed)?;
            }
        }
        Ok(Exit::Done)
    }
}
