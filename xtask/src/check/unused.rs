//! Each dependency that a manifest declares is named in the code it is declared for: a normal one in
//! `src/`, a build one in `build.rs`, a dev one anywhere in the crate, examples in documentation
//! included. Names are looked for as whole words; that finds what was forgotten, which is all it is
//! for.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::{Check, Found, Scene};
use crate::metadata::{Declared, Kind, Package};

pub(super) const CHECK: Check = Check {
    name: "unused",
    holds: "every declared dependency is used",
    fix: "remove it from the manifest, or move it to the section of the code that uses it",
    run,
};

/// Declared for a feature of another crate and not named in code: crate, dependency, why.
const FOR_A_FEATURE: &[(&str, &str, &str)] = &[];

fn run(scene: &Scene<'_>) -> Result<Found> {
    let mut problems = Vec::new();
    let members = scene.graph.members();
    let folders: Vec<_> = members.iter().map(|member| member.folder()).collect();
    for package in &members {
        let code = Code::of(package, &folders)?;
        problems.extend(
            package
                .dependencies
                .iter()
                .filter_map(|dependency| code.problem(package, dependency)),
        );
    }
    Ok(problems.into())
}

/// The text of one crate, by who may use it.
#[derive(Default)]
struct Code {
    /// `src/`, without comments.
    source: String,
    build: String,
    /// Everything, comments and README too: they hold code that is tested.
    anywhere: String,
}

impl Code {
    fn of(package: &Package, members: &[std::path::PathBuf]) -> Result<Self> {
        let folder = package.folder();
        let mut code = Self::default();
        for part in ["src", "tests", "examples", "benches"] {
            read(&folder.join(part), members, &mut code.anywhere)?;
        }
        let mut source = String::new();
        read(&folder.join("src"), members, &mut source)?;
        code.source = without_comments(&source);
        code.anywhere
            .push_str(&fs::read_to_string(folder.join("README.md")).unwrap_or_default());
        code.build =
            without_comments(&fs::read_to_string(folder.join("build.rs")).unwrap_or_default());
        Ok(code)
    }

    fn problem(&self, package: &Package, dependency: &Declared) -> Option<String> {
        let Declared { name, rename, kind } = dependency;
        let word = rename.as_ref().unwrap_or(name).replace('-', "_");
        let used = match kind {
            Kind::Normal => names(&self.source, &word),
            Kind::Build => names(&self.build, &word),
            Kind::Dev => names(&self.anywhere, &word),
        };
        let excused = FOR_A_FEATURE
            .iter()
            .any(|(owner, what, _)| *owner == package.name && what == name);
        (!used && !excused).then(|| {
            format!(
                "{} declares {name} ({kind:?}) and does not use it",
                package.name
            )
        })
    }
}

/// All Rust text below a folder, other members' folders left out.
fn read(folder: &Path, members: &[std::path::PathBuf], text: &mut String) -> Result<()> {
    if !folder.is_dir() || members.iter().any(|member| member == folder) {
        return Ok(());
    }
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?
    {
        let path = entry?.path();
        if path.is_dir() {
            read(&path, members, text)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let file = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            text.push_str(&file);
        }
    }
    Ok(())
}

/// Only comments on lines of their own; a name after code on the same line is rare and harmless.
fn without_comments(text: &str) -> String {
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .fold(String::new(), |mut kept, line| {
            kept.push_str(line);
            kept.push('\n');
            kept
        })
}

fn names(text: &str, word: &str) -> bool {
    let part_of_a_name = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(part_of_a_name)
            && !text[at + word.len()..].starts_with(part_of_a_name)
    })
}

#[cfg(test)]
mod tests {
    use super::{Code, names, without_comments};
    use crate::metadata::tests::graph;

    #[test]
    fn a_forgotten_dependency_is_named_and_a_used_one_is_not() {
        let graph = graph(
            &[("ours", &["serde-json", "http", "dev:tempfile", "build:cc"])],
            &[],
        );
        let ours = graph.members()[0];
        let problems = |code: &Code| -> Vec<_> {
            ours.dependencies
                .iter()
                .filter_map(|d| code.problem(ours, d))
                .collect()
        };
        assert_eq!(problems(&Code::default()).len(), 4);
        let code = Code {
            source: "use serde_json::Value;".into(),
            anywhere: "/// tempfile::tempdir(); http::Uri".into(),
            build: "cc::Build::new()".into(),
        };
        assert_eq!(
            problems(&code),
            ["ours declares http (Normal) and does not use it"]
        );
    }

    #[test]
    fn only_whole_words_in_code_count() {
        assert!(names("use http::Uri;", "http"));
        assert!(!names("use http_body::Body; let shttp = 1;", "http"));
        assert!(!names(
            &without_comments("// http\n  //! http\nfn a() {}"),
            "http"
        ));
    }
}
