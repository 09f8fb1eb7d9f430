//! The files that programs write are as those programs write them now. The table of them is in
//! [`crate::generate`].

use anyhow::Result;

use super::{Check, Found, Scene};
use crate::generate::{self, GENERATED};

pub(super) const CHECK: Check = Check {
    name: "generated",
    holds: "generated files are fresh",
    fix: "cargo xtask generate, and commit what changed",
    run,
};

fn run(scene: &Scene<'_>) -> Result<Found> {
    let mut problems = Vec::new();
    for generated in GENERATED {
        let files = match generate::files_of(scene.workspace, generated) {
            Ok(files) => files,
            Err(error) => {
                problems.push(format!("{} cannot be made: {error:#}", generated.path));
                continue;
            }
        };
        let root = &scene.workspace.root;
        let strays = generate::strays(root, generated, &files)?;
        problems.extend(
            strays
                .iter()
                .map(|path| format!("{path} is no longer written")),
        );
        for (path, text) in &files {
            let committed = std::fs::read_to_string(root.join(path)).ok();
            problems.extend(problem(path, committed.as_deref(), text));
        }
    }
    Ok(problems.into())
}

fn problem(path: &str, committed: Option<&str>, now: &str) -> Option<String> {
    let Some(committed) = committed else {
        return Some(format!("{path} is missing"));
    };
    if committed == now {
        return None;
    }
    let same = committed
        .lines()
        .zip(now.lines())
        .take_while(|(a, b)| a == b)
        .count();
    Some(format!("{path} is stale from line {} on", same + 1))
}

#[cfg(test)]
mod tests {
    use super::super::tests::on_a_crate;
    use super::{CHECK, problem};

    #[test]
    fn stale_and_missing_files_are_named() {
        assert_eq!(problem("a.md", Some("1\n2\n"), "1\n2\n"), None);
        assert_eq!(
            problem("a.md", Some("1\n2\n"), "1\n3\n").unwrap(),
            "a.md is stale from line 2 on"
        );
        assert_eq!(
            problem("a.md", Some("1\n2\n"), "1\n2\n3\n").unwrap(),
            "a.md is stale from line 3 on"
        );
        assert_eq!(problem("a.md", None, "1\n").unwrap(), "a.md is missing");
    }

    #[test]
    fn a_tree_without_its_generated_files_fails() {
        let found = on_a_crate(&CHECK, "");
        assert!(
            found
                .problems
                .contains(&"docs/layers.md is missing".to_owned()),
            "{found:?}"
        );
        let made = "docs/conformance-cases.md cannot be made";
        assert!(
            found
                .problems
                .iter()
                .any(|problem| problem.starts_with(made)),
            "{found:?}"
        );
    }
}
