//! Which foreign crates may be in the graph at all: none that is banned, none from a git repository
//! or from outside the tree. Versions that occur twice are told, not refused: they cost build time,
//! but the fix is upstream.

use std::collections::BTreeMap;

use anyhow::Result;

use super::{Check, Found, Scene};
use crate::metadata::Metadata;

pub(super) const CHECK: Check = Check {
    name: "dependencies",
    holds: "no banned crate, everything from the registry",
    fix: "choose another crate or feature; `cargo tree -i NAME --all-features` shows who brings it",
    run,
};

const BANNED: &[(&str, &str)] = &[
    ("openssl", "TLS is rustls; no system library"),
    ("openssl-sys", "TLS is rustls; no system library"),
    ("native-tls", "TLS is rustls; no system library"),
    ("ring", "one crypto library, and that is aws-lc-rs"),
    ("reqwest", "hyper is the one HTTP client"),
    ("serde_yaml", "not maintained; use serde-saphyr"),
    ("serde_yml", "unsound; use serde-saphyr"),
];

fn run(scene: &Scene<'_>) -> Result<Found> {
    Ok(look(scene.graph))
}

fn look(graph: &Metadata) -> Found {
    let mut problems = Vec::new();
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let members = graph.members();
    for package in &graph.packages {
        if let Some((name, why)) = BANNED.iter().find(|(name, _)| *name == package.name) {
            problems.push(format!("{name} is banned: {why}"));
        }
        match package.source.as_deref() {
            Some(source) if source.starts_with("registry+") || source.starts_with("sparse+") => {}
            Some(source) => problems.push(format!(
                "{} comes from {source}, not from the registry",
                package.name
            )),
            None if members.iter().any(|member| member.id == package.id) => {}
            None => problems.push(format!("{} is a path outside the workspace", package.name)),
        }
        versions
            .entry(&package.name)
            .or_default()
            .push(&package.version);
    }
    let twice: Vec<_> = versions
        .iter()
        .filter(|(_, versions)| versions.len() > 1)
        .map(|(name, versions)| format!("{name} {}", versions.join("/")))
        .collect();
    let notes = if twice.is_empty() {
        vec![]
    } else {
        vec![format!("in several versions: {}", twice.join(", "))]
    };
    Found { problems, notes }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::look;
    use crate::metadata::Metadata;
    use crate::metadata::tests::graph_json;

    #[test]
    fn a_banned_crate_fails_however_it_came() {
        let value = graph_json(
            &[("ours", &["a"])],
            &[
                ("a", "MIT", &["build:openssl-sys"]),
                ("openssl-sys", "MIT", &[]),
            ],
        );
        let found = look(&Metadata::read(&value).unwrap());
        assert_eq!(
            found.problems,
            ["openssl-sys is banned: TLS is rustls; no system library"]
        );
    }

    #[test]
    fn sources_other_than_the_registry_fail() {
        let mut value = graph_json(
            &[("ours", &["a", "b"])],
            &[("a", "MIT", &[]), ("b", "MIT", &[])],
        );
        assert!(look(&Metadata::read(&value).unwrap()).problems.is_empty());
        value["packages"][1]["source"] = json!("git+somewhere#0a1b");
        value["packages"][2]["source"] = json!(null);
        let found = look(&Metadata::read(&value).unwrap());
        assert_eq!(found.problems.len(), 2, "{found:?}");
    }

    #[test]
    fn two_versions_are_a_note() {
        let mut value = graph_json(&[("ours", &[])], &[("a", "MIT", &[]), ("a", "MIT", &[])]);
        value["packages"][2]["version"] = json!("2.0.0");
        let found = look(&Metadata::read(&value).unwrap());
        assert!(found.problems.is_empty());
        assert_eq!(found.notes, ["in several versions: a 1.0.0/2.0.0"]);
    }
}
