//! Every crate in the graph, for every platform, is under a licence that lets us ship it: the SPDX
//! expression in its manifest is read and must be satisfiable from the list here.

use anyhow::{Result, bail};

use super::{Check, Found, Scene};
use crate::metadata::Package;

pub(super) const CHECK: Check = Check {
    name: "licences",
    holds: "every crate is under a permitted licence",
    fix: "choose another crate; a further licence is added to xtask/src/check/licences.rs only after reading it",
    run,
};

/// Permissive licences: they ask for a notice, and nothing of our own sources.
const PERMITTED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

fn run(scene: &Scene<'_>) -> Result<Found> {
    Ok(scene
        .graph
        .packages
        .iter()
        .filter_map(problem)
        .collect::<Vec<_>>()
        .into())
}

fn problem(package: &Package) -> Option<String> {
    let Package {
        name,
        version,
        license,
        ..
    } = package;
    let Some(expression) = license else {
        return Some(format!("{name} {version} names no licence"));
    };
    match permitted(expression) {
        Ok(true) => None,
        Ok(false) => Some(format!("{name} {version} is under `{expression}`")),
        Err(error) => Some(format!(
            "{name} {version}: `{expression}` cannot be read: {error}"
        )),
    }
}

/// Whether the expression can be satisfied from the list. `OR` binds weaker than `AND`, `AND` weaker
/// than `WITH`; the old `A/B` means `A OR B`.
fn permitted(expression: &str) -> Result<bool> {
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader { words: &words };
    let answer = reader.any()?;
    match reader.words.first() {
        None => Ok(answer),
        Some(word) => bail!("`{word}` is not expected"),
    }
}

struct Reader<'w> {
    words: &'w [&'w str],
}

impl Reader<'_> {
    fn take(&mut self, word: &str) -> bool {
        match self.words.split_first() {
            Some((first, rest)) if first.eq_ignore_ascii_case(word) => {
                self.words = rest;
                true
            }
            _ => false,
        }
    }

    fn any(&mut self) -> Result<bool> {
        let mut answer = self.all()?;
        while self.take("OR") {
            answer |= self.all()?;
        }
        Ok(answer)
    }

    fn all(&mut self) -> Result<bool> {
        let mut answer = self.one()?;
        while self.take("AND") {
            answer &= self.one()?;
        }
        Ok(answer)
    }

    fn one(&mut self) -> Result<bool> {
        if self.take("(") {
            let answer = self.any()?;
            if !self.take(")") {
                bail!("a bracket is not closed");
            }
            return Ok(answer);
        }
        let name = self.name()?;
        if self.take("WITH") {
            let exception = self.name()?;
            return Ok(PERMITTED.contains(&format!("{name} WITH {exception}").as_str()));
        }
        Ok(PERMITTED.contains(&name.as_str()))
    }

    fn name(&mut self) -> Result<String> {
        match self.words.split_first() {
            Some((word, rest)) if !["(", ")", "AND", "OR", "WITH"].contains(word) => {
                self.words = rest;
                Ok((*word).to_owned())
            }
            Some((word, _)) => bail!("a licence is expected before `{word}`"),
            None => bail!("a licence is expected at the end"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{permitted, problem};
    use crate::metadata::tests::graph;

    #[test]
    fn expressions_are_read_with_their_precedence() {
        for good in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-3.0 OR MIT",
            "MIT AND ISC OR GPL-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0",
            "ISC AND (GPL-3.0 OR MIT)",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
        ] {
            assert!(permitted(good).unwrap(), "{good}");
        }
        for bad in [
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "GPL-3.0 OR MIT AND AGPL-3.0",
            "(MIT OR ISC) AND (GPL-3.0 OR MPL-2.0)",
            "MIT WITH GPL-exception",
            "mit",
        ] {
            assert!(!permitted(bad).unwrap(), "{bad}");
        }
    }

    #[test]
    fn a_broken_expression_is_an_error() {
        for broken in [
            "",
            "MIT OR",
            "(MIT",
            "MIT)",
            "MIT ISC",
            "AND MIT",
            "Apache-2.0 WITH",
        ] {
            assert!(permitted(broken).is_err(), "{broken:?}");
        }
    }

    #[test]
    fn a_crate_without_a_permitted_licence_is_named() {
        let graph = graph(&[], &[("good", "MIT", &[]), ("bad", "AGPL-3.0", &[])]);
        assert_eq!(problem(&graph.packages[0]), None);
        assert_eq!(
            problem(&graph.packages[1]).unwrap(),
            "bad 1.0.0 is under `AGPL-3.0`"
        );
    }
}
