//! `cargo metadata`, read by hand into the few fields that the checks need. Reading is strict: a
//! field that is missing or of another type is an error, because a check that quietly sees nothing
//! is always green.
//!
//! The graph of `cargo metadata` also holds crates that only a weak feature mentions and nobody
//! builds. `cargo tree` knows what is built; the rest is dropped.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::workspace::Workspace;
use crate::{cargo, process};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Normal,
    Dev,
    Build,
}

/// A dependency as a manifest declares it.
pub(crate) struct Declared {
    pub(crate) name: String,
    /// The name the code uses, when the manifest gives another.
    pub(crate) rename: Option<String>,
    pub(crate) kind: Kind,
}

pub(crate) struct Package {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) license: Option<String>,
    /// Absent for packages that lie in the tree.
    pub(crate) source: Option<String>,
    pub(crate) manifest: PathBuf,
    pub(crate) dependencies: Vec<Declared>,
}

impl Package {
    pub(crate) fn folder(&self) -> PathBuf {
        self.manifest
            .parent()
            .map(PathBuf::from)
            .unwrap_or_default()
    }
}

/// One resolved arrow of the graph.
struct Edge {
    to: String,
    kinds: Vec<Kind>,
}

pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    members: BTreeSet<String>,
    edges: BTreeMap<String, Vec<Edge>>,
}

impl Metadata {
    /// The whole graph, with all features, for every platform.
    pub(crate) fn of_everything(workspace: &Workspace) -> Result<Self> {
        let mut graph = Self::ask(workspace, &["--all-features"])?;
        let mut tree = cargo::command(workspace);
        tree.args([
            "tree",
            "--workspace",
            "--all-features",
            "--target=all",
            "--edges=normal,build,dev",
        ]);
        tree.args(["--prefix=none", "--format={p}"]);
        graph.keep_built(&process::text_of(&mut tree)?)?;
        Ok(graph)
    }

    /// Only the crates of the tree.
    pub(crate) fn of_members(workspace: &Workspace) -> Result<Self> {
        Self::ask(workspace, &["--no-deps"])
    }

    /// Keeps the packages that `cargo tree` lists, one `name vVERSION` per line.
    fn keep_built(&mut self, tree: &str) -> Result<()> {
        let built: BTreeSet<(&str, &str)> = tree
            .lines()
            .filter_map(|line| line.split_once(" v"))
            .map(|(name, rest)| (name, rest.split(' ').next().unwrap_or(rest)))
            .collect();
        if let Some(member) = self.members().iter().find(|member| !listed(&built, member)) {
            bail!("`cargo tree` does not list our own {}", member.name);
        }
        self.packages.retain(|package| listed(&built, package));
        Ok(())
    }

    fn ask(workspace: &Workspace, args: &[&str]) -> Result<Self> {
        let text = process::text_of(
            cargo::command(workspace)
                .args(["metadata", "--format-version=1"])
                .args(args),
        )?;
        let value = serde_json::from_str(&text)
            .context("`cargo metadata` printed something that is not JSON")?;
        Self::read(&value).context("`cargo metadata` has changed its shape")
    }

    pub(crate) fn read(value: &Value) -> Result<Self> {
        let packages = list(value, "packages")?
            .iter()
            .map(package)
            .collect::<Result<_>>()?;
        let members = list(value, "workspace_members")?
            .iter()
            .map(|id| {
                id.as_str()
                    .map(str::to_owned)
                    .context("a member id is not text")
            })
            .collect::<Result<_>>()?;
        let mut edges = BTreeMap::new();
        if let Some(resolve) = value.get("resolve").filter(|resolve| !resolve.is_null()) {
            for node in list(resolve, "nodes")? {
                edges.insert(
                    text(node, "id")?,
                    list(node, "deps")?
                        .iter()
                        .map(edge)
                        .collect::<Result<_>>()?,
                );
            }
        }
        Ok(Self {
            packages,
            members,
            edges,
        })
    }

    /// The crates of the tree, by name.
    pub(crate) fn members(&self) -> Vec<&Package> {
        let mut members: Vec<_> = self
            .packages
            .iter()
            .filter(|package| self.members.contains(&package.id))
            .collect();
        members.sort_by(|a, b| a.name.cmp(&b.name));
        members
    }

    pub(crate) fn package(&self, id: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.id == id)
    }

    /// Everything that `from` reaches by normal dependencies, each with a shortest way to it.
    pub(crate) fn reached<'g>(&'g self, from: &'g Package) -> BTreeMap<&'g str, Vec<&'g str>> {
        let mut ways: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut waiting = VecDeque::from([(from.id.as_str(), vec![from.name.as_str()])]);
        while let Some((id, way)) = waiting.pop_front() {
            for edge in self.edges.get(id).map(Vec::as_slice).unwrap_or_default() {
                let Some(package) = self
                    .package(&edge.to)
                    .filter(|_| edge.kinds.contains(&Kind::Normal))
                else {
                    continue;
                };
                let mut longer = way.clone();
                longer.push(&package.name);
                if !ways.contains_key(edge.to.as_str()) {
                    ways.insert(&edge.to, longer.clone());
                    waiting.push_back((&edge.to, longer));
                }
            }
        }
        ways
    }
}

fn listed(built: &BTreeSet<(&str, &str)>, package: &Package) -> bool {
    built.contains(&(&package.name, &package.version))
}

fn package(value: &Value) -> Result<Package> {
    Ok(Package {
        id: text(value, "id")?,
        name: text(value, "name")?,
        version: text(value, "version")?,
        license: optional(value, "license")?,
        source: optional(value, "source")?,
        manifest: text(value, "manifest_path")?.into(),
        dependencies: list(value, "dependencies")?
            .iter()
            .map(declared)
            .collect::<Result<_>>()?,
    })
}

fn declared(value: &Value) -> Result<Declared> {
    Ok(Declared {
        name: text(value, "name")?,
        rename: optional(value, "rename")?,
        kind: kind(value)?,
    })
}

fn edge(value: &Value) -> Result<Edge> {
    let kinds = list(value, "dep_kinds")?
        .iter()
        .map(kind)
        .collect::<Result<_>>()?;
    Ok(Edge {
        to: text(value, "pkg")?,
        kinds,
    })
}

fn kind(value: &Value) -> Result<Kind> {
    Ok(match optional(value, "kind")?.as_deref() {
        None => Kind::Normal,
        Some("dev") => Kind::Dev,
        Some("build") => Kind::Build,
        Some(other) => bail!("unknown kind of dependency `{other}`"),
    })
}

fn text(value: &Value, field: &str) -> Result<String> {
    optional(value, field)?.with_context(|| format!("`{field}` is missing"))
}

fn optional(value: &Value, field: &str) -> Result<Option<String>> {
    match value.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => bail!("`{field}` is not text"),
    }
}

fn list<'v>(value: &'v Value, field: &str) -> Result<&'v [Value]> {
    value
        .get(field)
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .with_context(|| format!("`{field}` is not a list"))
}

#[cfg(test)]
pub(crate) mod tests {
    //! Also the builder of small graphs that the checks are tested on.

    use serde_json::{Value, json};

    use super::Metadata;

    /// Crates of the tree with the names of their dependencies (`dev:` and `build:` in front where
    /// they are no normal ones), and foreign packages with a licence.
    pub(crate) fn graph(
        members: &[(&str, &[&str])],
        foreign: &[(&str, &str, &[&str])],
    ) -> Metadata {
        Metadata::read(&graph_json(members, foreign)).unwrap()
    }

    pub(crate) fn graph_json(
        members: &[(&str, &[&str])],
        foreign: &[(&str, &str, &[&str])],
    ) -> Value {
        let kind = |word: &str| match word.split_once(':') {
            Some((kind, name)) => (json!(kind), name.to_owned()),
            None => (Value::Null, word.to_owned()),
        };
        let package = |name: &str, licence: &str, source: Value, dependencies: &[&str]| {
            let declared: Vec<_> = dependencies.iter().map(|word| kind(word)).collect();
            let declared: Vec<_> = declared
                .iter()
                .map(|(kind, name)| json!({"name": name, "kind": kind}))
                .collect();
            json!({"id": name, "name": name, "version": "1.0.0", "license": licence, "source": source,
                   "manifest_path": format!("/tree/{name}/Cargo.toml"), "dependencies": declared})
        };
        let node = |name: &str, dependencies: &[&str]| {
            let edges: Vec<_> = dependencies.iter().map(|word| kind(word)).collect();
            let edges: Vec<_> = edges
                .iter()
                .map(|(kind, name)| json!({"pkg": name, "dep_kinds": [{"kind": kind}]}))
                .collect();
            json!({"id": name, "deps": edges})
        };
        let mut packages = Vec::new();
        let mut nodes = Vec::new();
        for (name, dependencies) in members {
            packages.push(package(name, "Apache-2.0", Value::Null, dependencies));
            nodes.push(node(name, dependencies));
        }
        for (name, licence, dependencies) in foreign {
            packages.push(package(
                name,
                licence,
                json!("registry+somewhere"),
                dependencies,
            ));
            nodes.push(node(name, dependencies));
        }
        let names: Vec<_> = members.iter().map(|(name, _)| *name).collect();
        json!({"packages": packages, "workspace_members": names, "resolve": {"nodes": nodes}})
    }

    #[test]
    fn only_normal_dependencies_are_followed() {
        let graph = graph(
            &[("ours", &["a", "dev:tool", "build:maker"])],
            &[
                ("a", "MIT", &["b"]),
                ("b", "MIT", &["a"]),
                ("tool", "MIT", &[]),
                ("maker", "MIT", &[]),
            ],
        );
        let reached = graph.reached(graph.members()[0]);
        assert_eq!(reached.keys().copied().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(reached["b"], ["ours", "a", "b"]);
    }

    #[test]
    fn what_nobody_builds_is_dropped() {
        let mut graph = graph(
            &[("ours", &["a"])],
            &[("a", "MIT", &["weak"]), ("weak", "MIT", &[])],
        );
        assert!(graph.reached(graph.members()[0]).contains_key("weak"));
        graph
            .keep_built("ours v1.0.0 (/tree/ours)\na v1.0.0 (*)\n\nweak v2.0.0\n")
            .unwrap();
        assert_eq!(graph.packages.len(), 2);
        assert!(!graph.reached(graph.members()[0]).contains_key("weak"));
        assert!(graph.keep_built("in another form").is_err());
    }

    #[test]
    fn a_changed_shape_is_an_error_and_not_an_empty_graph() {
        let mut value = graph_json(&[("ours", &[])], &[]);
        value["packages"][0]["dependencies"] = json!({});
        assert!(Metadata::read(&value).is_err());
        assert!(Metadata::read(&json!({})).is_err());
    }
}
