//! Child cargos. Everything here runs cargo through [`command`], so that every child builds into the
//! cache folder, and calls [`claim`] before the first that builds.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::cache::Claim;
use crate::metadata::Metadata;
use crate::process;
use crate::workspace::Workspace;

/// A cargo in the root of the tree, with the shared build folder.
pub(crate) fn command(workspace: &Workspace) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .current_dir(&workspace.root)
        .env("CARGO_TARGET_DIR", workspace.cache.target());
    // `cargo run` described xtask's own package to us; a child that compiles something else must
    // not inherit that.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if [
            "CARGO_PKG_",
            "CARGO_MANIFEST_",
            "CARGO_BIN_",
            "CARGO_CRATE_",
        ]
        .iter()
        .any(|start| text.starts_with(start))
        {
            command.env_remove(&name);
        }
    }
    command
}

/// Takes the shared build folder for this tree; see [`crate::cache`].
pub(crate) fn claim(workspace: &Workspace) -> Result<Claim> {
    workspace.cache.claim(&workspace.root, || {
        let members = Metadata::of_members(workspace)?;
        println!(
            "another tree built last in {}: our crates are built anew",
            workspace.cache.target().display()
        );
        // Without `--release` cargo cleans the dev profile only.
        for profile in [&[][..], &["--release"]] {
            let mut clean = command(workspace);
            clean.args(["clean", "--quiet"]).args(profile);
            for package in &members.packages {
                clean.args(["-p", &package.name]);
            }
            process::text_of(&mut clean)
                .context("cannot clean our crates in the shared build folder")?;
        }
        Ok(())
    })
}

/// A program that cargo built.
pub(crate) struct Built {
    pub(crate) package_id: String,
    pub(crate) target: String,
    pub(crate) path: PathBuf,
}

/// Runs a building cargo with JSON messages and returns the programs it made; `None` when the build
/// failed, which cargo has then explained on standard error.
pub(crate) fn build(command: &mut Command) -> Result<Option<Vec<Built>>> {
    let output = command
        .arg("--message-format=json-render-diagnostics")
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    if !output.status.success() {
        return Ok(None);
    }
    Ok(Some(
        String::from_utf8_lossy(&output.stdout)
            .lines()
            .filter_map(artifact)
            .collect(),
    ))
}

/// Builds one program of ours as the tests build it, with the same features of everything, so that
/// neither builds the other's dependencies again. `None` as for [`build`].
pub(crate) fn program(
    workspace: &Workspace,
    which: &[&str],
    name: &str,
) -> Result<Option<PathBuf>> {
    let mut command = command(workspace);
    command
        .args(["build", "--workspace", "--all-features"])
        .args(which);
    let Some(built) = build(&mut command)? else {
        return Ok(None);
    };
    let program = built.into_iter().find(|built| built.target == name);
    Ok(Some(
        program
            .with_context(|| format!("cargo built no {name}"))?
            .path,
    ))
}

fn artifact(line: &str) -> Option<Built> {
    let message: Value = serde_json::from_str(line).ok()?;
    Some(Built {
        package_id: message.get("package_id")?.as_str()?.to_owned(),
        target: message.get("target")?.get("name")?.as_str()?.to_owned(),
        path: message.get("executable")?.as_str()?.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::artifact;

    #[test]
    fn only_messages_about_programs_are_taken() {
        let built = artifact(
            r#"{"reason":"compiler-artifact","package_id":"path+file:///t/db#qm-db@0.1.0",
                "target":{"name":"it","kind":["test"]},"executable":"/t/deps/it-0a1b"}"#,
        )
        .unwrap();
        assert_eq!(
            (built.target.as_str(), built.path.to_str().unwrap()),
            ("it", "/t/deps/it-0a1b")
        );
        let library = r#"{"reason":"compiler-artifact","package_id":"x","target":{"name":"x"},"executable":null}"#;
        assert!(artifact(library).is_none());
        assert!(artifact(r#"{"reason":"build-finished","success":true}"#).is_none());
        assert!(artifact("not json").is_none());
    }
}
