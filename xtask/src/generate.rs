//! `cargo xtask generate`: writes the files that programs write. They are committed, so that they can
//! be read without building; `cargo xtask check generated` compares them with what would be written
//! now. To add one, add a row to [`GENERATED`].

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::args::Args;
use crate::check::layers;
use crate::workspace::Workspace;
use crate::{cargo, process};

/// A committed file, or a folder of them, and where the text comes from.
pub(crate) struct Generated {
    pub(crate) path: &'static str,
    pub(crate) source: Source,
}

/// What should be there: paths in the tree with their texts, and in a folder nothing else.
pub(crate) type Files = BTreeMap<String, String>;

pub(crate) enum Source {
    /// A function of xtask.
    Own(fn() -> String),
    /// What one of our programs prints: its name, and the words to call it with.
    Printed {
        program: &'static str,
        words: &'static [&'static str],
    },
    /// What one of our programs writes into a folder, which is its last word. The path is that of a folder.
    Pages {
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
        path: "docs/verify-platform-cases.md",
        source: Source::Printed {
            program: "smctl",
            words: &["verify", "list", "platform", "-o", "markdown"],
        },
    },
    Generated {
        path: "docs/cli",
        source: Source::Pages {
            program: "smctl",
            words: &["reference"],
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
        let files = files_of(workspace, generated)?;
        for stray in strays(&workspace.root, generated, &files)? {
            std::fs::remove_file(workspace.root.join(&stray))?;
            println!("{:<9} {stray}", "removed");
        }
        for (name, text) in files {
            let path = workspace.root.join(&name);
            let stale = std::fs::read_to_string(&path).ok().as_ref() != Some(&text);
            if stale {
                if let Some(folder) = path.parent() {
                    std::fs::create_dir_all(folder)?;
                }
                std::fs::write(&path, text)
                    .with_context(|| format!("cannot write {}", path.display()))?;
            }
            let word = if stale { "written" } else { "unchanged" };
            println!("{word:<9} {name}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The files that should be there, with their texts.
pub(crate) fn files_of(workspace: &Workspace, generated: &Generated) -> Result<Files> {
    let one = |text: String| Files::from([(generated.path.to_owned(), text)]);
    match &generated.source {
        Source::Own(function) => Ok(one(function())),
        Source::Printed { program, words } => {
            let mut printing = call(workspace, program, words)?;
            process::text_of(&mut printing)
                .map(one)
                .with_context(|| format!("{} cannot be generated", generated.path))
        }
        Source::Pages { program, words } => {
            let folder = workspace.cache.target().join("pages");
            // Of a run before, maybe with other pages.
            if folder.exists() {
                std::fs::remove_dir_all(&folder)?;
            }
            std::fs::create_dir_all(&folder)?;
            let mut writing = call(workspace, program, words)?;
            process::text_of(writing.arg(&folder))
                .with_context(|| format!("{} cannot be generated", generated.path))?;
            names_in(&folder)?
                .into_iter()
                .map(|name| {
                    let text = std::fs::read_to_string(folder.join(&name))?;
                    Ok((format!("{}/{name}", generated.path), text))
                })
                .collect()
        }
    }
}

/// Committed files of a generated folder that nobody writes any more.
pub(crate) fn strays(root: &Path, generated: &Generated, files: &Files) -> Result<Vec<String>> {
    let folder = root.join(generated.path);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let paths = names_in(&folder)?.into_iter();
    let paths = paths.map(|name| format!("{}/{name}", generated.path));
    Ok(paths.filter(|path| !files.contains_key(path)).collect())
}

fn names_in(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    Ok(names)
}

fn call(workspace: &Workspace, program: &str, words: &[&str]) -> Result<Command> {
    let path = cargo::program(workspace, &["--bin", program], program)?
        .with_context(|| format!("{program} does not build"))?;
    let mut command = Command::new(path);
    command.args(words).current_dir(&workspace.root);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::{Files, Generated, Source, strays};

    #[test]
    fn a_page_that_nobody_writes_is_a_stray() {
        let root = tempfile::tempdir().unwrap();
        let generated = Generated {
            path: "pages",
            source: Source::Pages {
                program: "none",
                words: &[],
            },
        };
        let files = Files::from([("pages/a.md".to_owned(), String::new())]);
        assert!(strays(root.path(), &generated, &files).unwrap().is_empty());
        std::fs::create_dir(root.path().join("pages")).unwrap();
        std::fs::write(root.path().join("pages/a.md"), "").unwrap();
        std::fs::write(root.path().join("pages/b.md"), "").unwrap();
        let found = strays(root.path(), &generated, &files).unwrap();
        assert_eq!(found, ["pages/b.md"]);
    }
}
