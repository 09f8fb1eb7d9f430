//! Installs Debian packages as root. Called by set-up only after it has printed what and why.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::process;

const CLUSTER_SETTINGS: &str = "/etc/postgresql-common/createcluster.conf";

pub(super) fn install(packages: &[&str]) -> Result<()> {
    apt(&["update"])?;
    if packages.contains(&"postgresql") {
        // The server package creates a cluster and starts it. We start our own; a second one that
        // nobody asked for must not listen on this machine. The settings come with the common
        // package, so that comes first.
        get(&["postgresql-common"])?;
        forbid_default_cluster(Path::new(CLUSTER_SETTINGS))?;
    }
    get(packages)
}

fn get(packages: &[&str]) -> Result<()> {
    let mut words = vec!["install", "-y", "--no-install-recommends"];
    words.extend(packages);
    apt(&words)
}

fn apt(words: &[&str]) -> Result<()> {
    let mut apt = Command::new("apt-get");
    // Another apt may be at work on a machine that has just started.
    apt.args(["-q", "-o", "DPkg::Lock::Timeout=300"])
        .args(words)
        .env("DEBIAN_FRONTEND", "noninteractive");
    if !process::succeeds(&mut apt)? {
        bail!(
            "`apt-get {}` failed; what it said is above",
            words.join(" ")
        );
    }
    Ok(())
}

fn forbid_default_cluster(settings: &Path) -> Result<()> {
    let text = std::fs::read_to_string(settings).unwrap_or_default();
    if let Some(changed) = without_default_cluster(&text) {
        println!(
            "setting create_main_cluster = false in {}",
            settings.display()
        );
        std::fs::write(settings, changed)?;
    }
    Ok(())
}

/// The settings with the default cluster off; `None` when somebody has decided already.
fn without_default_cluster(text: &str) -> Option<String> {
    let decided = text
        .lines()
        .any(|line| line.trim_start().starts_with("create_main_cluster"));
    (!decided).then(|| format!("{text}\ncreate_main_cluster = false\n"))
}

#[cfg(test)]
mod tests {
    use super::without_default_cluster;

    #[test]
    fn the_default_cluster_is_forbidden_once() {
        let once = without_default_cluster("#create_main_cluster = true\nssl = on\n").unwrap();
        assert!(once.ends_with("\ncreate_main_cluster = false\n"), "{once}");
        assert_eq!(without_default_cluster(&once), None);
        assert_eq!(
            without_default_cluster("create_main_cluster = true\n"),
            None,
            "the owner's word stands"
        );
    }
}
