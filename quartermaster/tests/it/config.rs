//! `quartermaster config` as a person meets it: what is in force, where it came from, what is wrong.

use std::process::{Command, Output};

fn quartermaster() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quartermaster"));
    // What the shell of whoever runs the tests has set is not for the program under test.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("QM_") {
            command.env_remove(name);
        }
    }
    command
}

fn said(output: &Output) -> (String, String) {
    (
        String::from_utf8(output.stdout.clone()).unwrap(),
        String::from_utf8(output.stderr.clone()).unwrap(),
    )
}

#[test]
fn layers_are_shown_with_their_origin_and_secrets_as_stars() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sm.toml");
    std::fs::write(&file, "[api]\nmax_page_size = 100\n").unwrap();
    let output = quartermaster()
        .args(["config", "--listen", "127.0.0.1:0", "--config"])
        .arg(&file)
        .env("QM_DATABASE_URL", "postgres://u:hunter2@db.example/sm")
        .output()
        .unwrap();
    let (out, err) = said(&output);
    assert!(output.status.success(), "{err}");
    assert!(!out.contains("hunter2"), "{out}");
    let line = |key: &str| {
        let mut lines = out.lines();
        let line = lines.find(|line| line.starts_with(key));
        line.unwrap_or_else(|| panic!("{key} is missing in {out}"))
            .to_owned()
    };
    assert!(line("listen = \"127.0.0.1:0\"").ends_with("# from --listen"));
    assert!(line("max_page_size = 100").ends_with("sm.toml"));
    assert!(line("url = \"postgres://u:***@").ends_with("# from QM_DATABASE_URL"));
    assert!(line("default_page_size = 50").ends_with("# default"));
}

#[test]
fn what_is_printed_is_a_configuration() {
    for flag in [None, Some("--defaults")] {
        let printed = quartermaster().arg("config").args(flag).output().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("again.toml");
        std::fs::write(&file, &printed.stdout).unwrap();
        let again = quartermaster()
            .args(["config", "--config"])
            .arg(&file)
            .output()
            .unwrap();
        assert!(again.status.success(), "{}", said(&again).1);
    }
}

#[test]
fn every_mistake_is_told_at_once_and_nothing_is_started() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let output = quartermaster()
        .arg("manager")
        .arg("--data")
        .arg(&data)
        .env("QM_SERVER_LISEN", "x")
        .env("QM_API_MAX_PAGE_SIZE", "many")
        .env("QM_BROKERS_TIMEOUT", "soon")
        .output()
        .unwrap();
    let (out, err) = said(&output);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(out, "");
    assert!(err.contains("did you mean QM_SERVER_LISTEN?"), "{err}");
    assert!(
        err.contains("api.max_page_size (QM_API_MAX_PAGE_SIZE)"),
        "{err}"
    );
    assert!(err.contains("\"soon\" is no duration"), "{err}");
    assert!(!data.exists(), "a wrong configuration must leave no trace");
}

#[test]
fn the_reference_explains_every_key() {
    let output = quartermaster()
        .args(["config", "--reference"])
        .output()
        .unwrap();
    let (page, _) = said(&output);
    let defaults = quartermaster()
        .args(["config", "--defaults"])
        .output()
        .unwrap();
    let (defaults, _) = said(&defaults);
    let keys = defaults
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(" = "));
    let mut count = 0;
    for (key, _) in keys {
        assert!(page.contains(&format!("### `{key}`")), "{key} is missing");
        count += 1;
    }
    assert!(count > 40, "only {count} keys were found");
}
