//! `cargo xtask generate`: writes the files that programs write. They are committed, so that they can
//! be read without building; `cargo xtask check generated` compares them with what would be written
//! now. To add one, add a row to [`GENERATED`].

use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::args::Args;
use crate::check::layers;
use crate::workspace::Workspace;
use crate::{cargo, process};

/// A committed file and where its text comes from.
pub(crate) struct Generated {
    pub(crate) path: &'static str,
    pub(crate) source: Source,
}

pub(crate) enum Source {
    /// A function of xtask.
    Own(fn() -> String),
    /// What one of our programs prints: its name, and the words to call it with.
    Printed {
        program: &'static str,
        words: &'static [&'static str],
    },
}

pub(crate) const GENERATED: &[Generated] = &[
    Generated {
        path: "docs/layers.md",
        source: Source::Own(layers::markdown),
    },
    Generated {
        path: "docs/conformance-cases.md",
        source: Source::Printed {
            program: "smctl",
            words: &["verify", "list", "-o", "markdown"],
        },
    },
    Generated {
        path: "docs/configuration.md",
        source: Source::Printed {
            program: "quartermaster",
            words: &["config", "--reference"],
        },
    },
    Generated {
        path: "docs/openapi.json",
        source: Source::Printed {
            program: "quartermaster",
            words: &["openapi"],
        },
    },
];

pub(crate) fn run(workspace: &Workspace, args: Args) -> Result<ExitCode> {
    args.finish()?;
    let _claim = cargo::claim(workspace)?;
    for generated in GENERATED {
        let text = text_of(workspace, generated)?;
        let path = workspace.root.join(generated.path);
        let stale = std::fs::read_to_string(&path).ok().as_ref() != Some(&text);
        if stale {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(&path, text)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        println!(
            "{:<9} {}",
            if stale { "written" } else { "unchanged" },
            generated.path
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// The text that the file should have.
pub(crate) fn text_of(workspace: &Workspace, generated: &Generated) -> Result<String> {
    match &generated.source {
        Source::Own(function) => Ok(function()),
        Source::Printed { program, words } => {
            let path = cargo::program(workspace, &["--bin", program], program)?
                .with_context(|| format!("{program} does not build"))?;
            let mut printing = Command::new(path);
            process::text_of(printing.args(*words).current_dir(&workspace.root))
                .with_context(|| format!("{} cannot be generated", generated.path))
        }
    }
}
