//! What the tests need from the machine. `cargo xtask test` runs it first, `cargo xtask up` asks for
//! PostgreSQL alone. As root it installs Debian packages, saying which and why before; otherwise it
//! says what to run and goes on, and the tests that need it skip, or fail when `CI` is set.

mod apt;
mod openbrokerapi;

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::args::Args;
use crate::workspace::Workspace;
use crate::{oracle, postgres, process};

/// Something the tests use that is not built here.
pub(crate) struct Need {
    what: &'static str,
    why: &'static str,
    /// Debian packages that bring it.
    packages: &'static [&'static str],
    present: fn() -> bool,
}

pub(crate) const POSTGRES: Need = Need {
    what: "PostgreSQL server",
    why: "the store, the test kit and the example broker run on a scratch server",
    packages: &["postgresql"],
    present: || postgres::programs(None).is_some(),
};

const NEEDS: &[Need] = &[
    Need {
        what: "C compiler",
        why: "SQLite and aws-lc are compiled from C",
        packages: &["gcc", "libc6-dev"],
        present: || process::find("cc").is_some(),
    },
    Need {
        what: "cmake",
        why: "aws-lc is configured by it on this processor",
        packages: &["cmake"],
        // Elsewhere the crate brings the configuration along.
        present: || {
            cfg!(any(target_arch = "x86_64", target_arch = "aarch64"))
                || process::find("cmake").is_some()
        },
    },
    POSTGRES,
    Need {
        what: "libfaketime",
        why: "tests set the clock of a running manager forward and back, and only its own",
        packages: &["faketime"],
        present: || process::find("faketime").is_some(),
    },
    Need {
        what: "python3 with venv",
        why: "the conformance suite judges a broker made with openbrokerapi, which nobody here wrote",
        packages: &["python3", "python3-venv"],
        present: || {
            process::succeeds_quietly(
                Command::new("python3").args(["-c", "import venv, ensurepip"]),
            )
        },
    },
];

/// Variables that the tests are started with.
pub(crate) type Environment = Vec<(&'static str, OsString)>;

/// `cargo xtask setup`.
pub(crate) fn command(args: Args) -> Result<ExitCode> {
    args.finish()?;
    for (name, value) in run(&Workspace::open()?)? {
        println!("{name}={}", value.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Brings everything; returns where the tests find it.
pub(crate) fn run(workspace: &Workspace) -> Result<Environment> {
    bring(NEEDS)?;
    let python = openbrokerapi::bring(&workspace.cache);
    let oracle = oracle::bring(workspace);
    let found = [
        (openbrokerapi::VARIABLE, python),
        (oracle::VARIABLE, oracle),
    ];
    let environment = found
        .into_iter()
        .filter_map(|(name, path)| Some((name, path?.into_os_string())));
    Ok(environment.collect())
}

/// Brings what is missing of these. Not having brought it is no error here: whoever needs it will
/// say so.
pub(crate) fn bring(needs: &[Need]) -> Result<()> {
    let missing: Vec<&Need> = needs.iter().filter(|need| !(need.present)()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    for need in &missing {
        println!(
            "missing: {} ({}); Debian: {}",
            need.what,
            need.why,
            need.packages.join(" ")
        );
    }
    let packages: Vec<&str> = missing
        .iter()
        .flat_map(|need| need.packages)
        .copied()
        .collect();
    if process::find("apt-get").is_none() {
        println!("this is no Debian machine: please install them yourself");
    } else if process::is_root() {
        println!("installing as root: {}", packages.join(" "));
        apt::install(&packages)?;
    } else {
        println!(
            "run this once: sudo apt-get install --no-install-recommends {}",
            packages.join(" ")
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{NEEDS, Need, bring};

    #[test]
    fn what_is_present_is_left_alone() {
        let present = Need {
            what: "a",
            why: "b",
            packages: &["no-such-package"],
            present: || true,
        };
        bring(&[present]).unwrap();
    }

    #[test]
    fn every_need_says_why_and_names_packages() {
        for need in NEEDS {
            assert!(
                !need.why.is_empty() && !need.packages.is_empty(),
                "{}",
                need.what
            );
        }
    }
}
