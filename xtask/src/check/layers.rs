//! What may use what. The table is held against the manifests (which of our crates a crate names)
//! and against the resolved graph (which foreign crates it reaches, however far away). A crate that
//! is not in the table fails: a new one must be given its place. `docs/layers.md` is written from
//! here by `cargo xtask generate`.

use std::fmt::Write as _;

use anyhow::Result;

use super::{Check, Found, Scene};
use crate::metadata::{Kind, Metadata, Package};

pub(super) const CHECK: Check = Check {
    name: "layers",
    holds: "crates use only what their layer may",
    fix: "turn the arrow round or move the code; the table is xtask/src/check/layers.rs",
    run,
};

enum Ours {
    Any,
    Only(&'static [&'static str]),
}

/// A reason, and the foreign crates that would break it.
struct Ban {
    what: &'static str,
    crates: &'static [&'static str],
}

struct Layer {
    name: &'static str,
    folder: &'static str,
    may_use: Ours,
    /// Besides `may_use`, in tests and examples.
    tests_may_use: &'static [&'static str],
    must_not_contain: &'static [Ban],
}

const RUNTIME: Ban = Ban {
    what: "async runtime",
    crates: &["tokio", "async-std", "smol"],
};
const HTTP: Ban = Ban {
    what: "HTTP client or server",
    crates: &["hyper", "hyper-util", "axum", "h2"],
};
const HTTP_FRAMEWORK: Ban = Ban {
    what: "HTTP framework",
    crates: &["axum", "actix-web", "warp"],
};
const SQL: Ban = Ban {
    what: "SQL",
    crates: &["rusqlite", "tokio-postgres", "postgres", "sqlx"],
};
const RANDOMNESS: Ban = Ban {
    what: "randomness except handed in",
    crates: &["uuid", "rand", "rand_core", "fastrand", "getrandom"],
};

const LAYERS: &[Layer] = &[
    Layer {
        name: "quartermaster-osb",
        folder: "api/osb",
        may_use: Ours::Only(&[]),
        tests_may_use: &["qm-testkit"],
        must_not_contain: &[RUNTIME, HTTP, SQL, RANDOMNESS],
    },
    Layer {
        name: "qm-db",
        folder: "db",
        may_use: Ours::Only(&[]),
        tests_may_use: &["qm-testkit"],
        must_not_contain: &[HTTP],
    },
    Layer {
        name: "qm-manager-api",
        folder: "api/manager",
        may_use: Ours::Only(&["quartermaster-osb"]),
        tests_may_use: &[],
        must_not_contain: &[RUNTIME, HTTP, SQL, RANDOMNESS],
    },
    Layer {
        name: "qm-model",
        folder: "model",
        may_use: Ours::Only(&["quartermaster-osb"]),
        tests_may_use: &[],
        must_not_contain: &[RUNTIME, HTTP, SQL, RANDOMNESS],
    },
    Layer {
        name: "qm-policy",
        folder: "manager/policy",
        may_use: Ours::Only(&["qm-model"]),
        tests_may_use: &[],
        must_not_contain: &[RUNTIME, HTTP, SQL, RANDOMNESS],
    },
    Layer {
        name: "qm-relay",
        folder: "manager/relay",
        may_use: Ours::Only(&["qm-model", "quartermaster-osb"]),
        tests_may_use: &["qm-testkit"],
        must_not_contain: &[SQL, HTTP_FRAMEWORK],
    },
    Layer {
        name: "qm-store",
        folder: "manager/store",
        may_use: Ours::Only(&["qm-db", "qm-model", "qm-policy"]),
        tests_may_use: &["qm-testkit"],
        must_not_contain: &[HTTP],
    },
    Layer {
        name: "qm-stream",
        folder: "manager/stream",
        may_use: Ours::Only(&["qm-model", "qm-store"]),
        tests_may_use: &["qm-db", "qm-policy", "qm-testkit"],
        must_not_contain: &[HTTP],
    },
    Layer {
        name: "qm-lifecycle",
        folder: "manager/lifecycle",
        may_use: Ours::Only(&[
            "qm-model",
            "qm-policy",
            "qm-relay",
            "qm-store",
            "quartermaster-osb",
        ]),
        tests_may_use: &["qm-testkit"],
        must_not_contain: &[HTTP_FRAMEWORK],
    },
    Layer {
        name: "qm-tasks",
        folder: "manager/tasks",
        may_use: Ours::Only(&[
            "qm-model",
            "qm-lifecycle",
            "qm-relay",
            "qm-store",
            "qm-stream",
        ]),
        tests_may_use: &["qm-testkit"],
        must_not_contain: &[HTTP_FRAMEWORK],
    },
    Layer {
        name: "qm-http",
        folder: "manager/http",
        may_use: Ours::Only(&[
            "qm-manager-api",
            "qm-model",
            "qm-lifecycle",
            "qm-stream",
            "quartermaster-osb",
        ]),
        tests_may_use: &["qm-testkit"],
        must_not_contain: &[],
    },
    Layer {
        name: "qm-gotemplate",
        folder: "render/gotemplate",
        may_use: Ours::Only(&[]),
        tests_may_use: &[],
        must_not_contain: &[RUNTIME, HTTP, SQL, RANDOMNESS],
    },
    Layer {
        name: "qm-sprig",
        folder: "render/sprig",
        may_use: Ours::Only(&["qm-gotemplate"]),
        tests_may_use: &[],
        // Randomness is handed in too, but the crate for bcrypt brings a source that is not asked.
        must_not_contain: &[RUNTIME, HTTP, SQL],
    },
    Layer {
        name: "quartermaster",
        folder: "quartermaster",
        may_use: Ours::Any,
        tests_may_use: &[],
        must_not_contain: &[],
    },
    Layer {
        name: "quartermaster-sdk",
        folder: "sdk",
        may_use: Ours::Only(&["quartermaster-osb", "qm-db"]),
        tests_may_use: &["qm-testkit", "qm-conformance"],
        must_not_contain: &[HTTP_FRAMEWORK],
    },
    Layer {
        name: "qm-conformance",
        folder: "sdk/conformance",
        may_use: Ours::Only(&["quartermaster-osb"]),
        tests_may_use: &["qm-testkit", "quartermaster-sdk"],
        must_not_contain: &[SQL, HTTP_FRAMEWORK],
    },
    Layer {
        name: "smctl",
        folder: "smctl",
        may_use: Ours::Only(&["quartermaster-osb", "qm-manager-api", "qm-conformance"]),
        tests_may_use: &["qm-testkit", "quartermaster-sdk"],
        must_not_contain: &[SQL, HTTP_FRAMEWORK],
    },
    Layer {
        name: "qm-testkit",
        folder: "testkit",
        may_use: Ours::Only(&["quartermaster-osb"]),
        tests_may_use: &[],
        must_not_contain: &[],
    },
    Layer {
        name: "qm-bench",
        folder: "bench",
        may_use: Ours::Any,
        tests_may_use: &[],
        must_not_contain: &[],
    },
    Layer {
        name: "xtask",
        folder: "xtask",
        may_use: Ours::Only(&[]),
        tests_may_use: &[],
        must_not_contain: &[],
    },
];

fn run(scene: &Scene<'_>) -> Result<Found> {
    Ok(problems(scene.graph).into())
}

fn problems(graph: &Metadata) -> Vec<String> {
    let members = graph.members();
    let mut problems = Vec::new();
    for package in &members {
        let Some(layer) = LAYERS.iter().find(|layer| layer.name == package.name) else {
            problems.push(format!("{} has no row in the layer table", package.name));
            continue;
        };
        for dependency in &package.dependencies {
            let ours = members.iter().any(|member| member.name == dependency.name);
            if ours && !layer.allows(&dependency.name, dependency.kind) {
                problems.push(layer.refusal(&dependency.name, dependency.kind));
            }
        }
        problems.extend(banned(graph, package, layer));
    }
    for layer in LAYERS {
        if !members.iter().any(|package| package.name == layer.name) {
            problems.push(format!(
                "the table has a row for {}, which is no crate here",
                layer.name
            ));
        }
    }
    problems
}

fn banned(graph: &Metadata, package: &Package, layer: &Layer) -> Vec<String> {
    let reached = graph.reached(package);
    let mut problems = Vec::new();
    for way in reached.values() {
        let Some(last) = way.last() else { continue };
        for ban in layer.must_not_contain {
            if ban.crates.contains(last) {
                problems.push(format!(
                    "{} must contain no {}: {}",
                    package.name,
                    ban.what,
                    way.join(" -> ")
                ));
            }
        }
    }
    problems
}

impl Layer {
    fn allows(&self, name: &str, kind: Kind) -> bool {
        match &self.may_use {
            Ours::Any => true,
            // A crate's examples may name the crate itself.
            Ours::Only(names) => {
                names.contains(&name)
                    || (kind == Kind::Dev
                        && (self.tests_may_use.contains(&name) || name == self.name))
            }
        }
    }

    fn refusal(&self, name: &str, kind: Kind) -> String {
        let whom = if kind == Kind::Dev {
            "the tests of "
        } else {
            ""
        };
        format!("{whom}{} must not use {name}", self.name)
    }
}

/// `docs/layers.md`.
pub(crate) fn markdown() -> String {
    let mut text = String::from(
        "# What may use what\n\n\
         <!-- Written by `cargo xtask generate` from xtask/src/check/layers.rs; change it there. -->\n\n\
         Arrows point one way. `cargo xtask check` holds this table against the manifests and against\n\
         everything they reach; foreign crates are named where they would break the rule.\n\n\
         | crate | folder | may use (ours) | its tests also | must not contain |\n|---|---|---|---|---|\n",
    );
    for Layer {
        name,
        folder,
        may_use,
        tests_may_use,
        must_not_contain,
    } in LAYERS
    {
        let uses = match may_use {
            Ours::Any => "all".to_owned(),
            Ours::Only(names) => names.join(", "),
        };
        let bans: Vec<_> = must_not_contain
            .iter()
            .map(|ban| format!("{} ({})", ban.what, ban.crates.join(", ")))
            .collect();
        let cells = [
            name,
            *folder,
            &uses,
            &tests_may_use.join(", "),
            &bans.join("; "),
        ];
        let cells = cells.map(|cell| if cell.is_empty() { "-" } else { cell });
        // Writing to a String cannot fail.
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{LAYERS, markdown, problems};
    use crate::metadata::tests::graph;

    /// A tree in which every row has its crate and nothing is used.
    fn with(
        changed: (&'static str, &'static [&'static str]),
        foreign: &[(&str, &str, &[&str])],
    ) -> Vec<String> {
        let members: Vec<(&str, &[&str])> = LAYERS
            .iter()
            .map(|layer| {
                if layer.name == changed.0 {
                    changed
                } else {
                    (layer.name, &[][..])
                }
            })
            .collect();
        problems(&graph(&members, foreign))
    }

    #[test]
    fn allowed_arrows_pass() {
        assert!(
            with(
                (
                    "quartermaster-sdk",
                    &["quartermaster-osb", "qm-db", "dev:qm-testkit"]
                ),
                &[]
            )
            .is_empty()
        );
        assert!(with(("qm-bench", &["qm-testkit", "quartermaster-sdk"]), &[]).is_empty());
    }

    #[test]
    fn a_forbidden_arrow_is_named() {
        assert_eq!(
            with(("qm-db", &["quartermaster-osb"]), &[]),
            ["qm-db must not use quartermaster-osb"]
        );
        assert_eq!(
            with(("quartermaster-osb", &["dev:qm-db"]), &[]),
            ["the tests of quartermaster-osb must not use qm-db"]
        );
    }

    #[test]
    fn the_test_kit_is_for_tests_only() {
        assert!(with(("qm-db", &["dev:qm-testkit"]), &[]).is_empty());
        assert_eq!(
            with(("qm-db", &["qm-testkit"]), &[]),
            ["qm-db must not use qm-testkit"]
        );
        assert_eq!(with(("qm-db", &["build:qm-testkit"]), &[]).len(), 1);
    }

    #[test]
    fn a_banned_crate_is_found_however_far_away() {
        let foreign: &[(&str, &str, &[&str])] = &[
            ("a", "MIT", &["b"]),
            ("b", "MIT", &["tokio"]),
            ("tokio", "MIT", &[]),
        ];
        assert_eq!(
            with(("quartermaster-osb", &["a"]), foreign),
            [
                "quartermaster-osb must contain no async runtime: quartermaster-osb -> a -> b -> tokio"
            ]
        );
        assert!(
            with(("quartermaster-osb", &["dev:a"]), foreign).is_empty(),
            "tests may"
        );
        assert!(with(("qm-db", &["a"]), foreign).is_empty(), "db may");
    }

    #[test]
    fn a_crate_without_a_row_and_a_row_without_a_crate_fail() {
        let found = problems(&graph(&[("newcomer", &[])], &[]));
        assert!(
            found.contains(&"newcomer has no row in the layer table".to_owned()),
            "{found:?}"
        );
        assert!(
            found
                .iter()
                .any(|problem| problem.contains("a row for qm-db")),
            "{found:?}"
        );
    }

    #[test]
    fn the_page_has_a_row_per_crate() {
        let page = markdown();
        for layer in LAYERS {
            assert!(
                page.contains(&format!("| {} | {} |", layer.name, layer.folder)),
                "{page}"
            );
        }
    }
}
