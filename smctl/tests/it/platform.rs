//! `smctl verify platform` as a person meets it. Whether it judges rightly is tested where the judging is.

use serde_json::Value;
use std::process::{Command, Output};

/// A driver that reads the id of each wish and answers with `$s`.
fn driver(states: &str) -> String {
    format!(
        r#"while read -r line; do id=${{line#*:}}; id=${{id%%,*}}; id=${{id%%\}}*}}; {states}
        echo "{{\"id\":$id,\"state\":\"$s\",\"description\":\"as the test wants it\"}}"; done"#
    )
}

fn verify(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_smctl"))
        .args(["verify", "platform"])
        .args(words)
        .env_remove("SMCTL_PASSWORD")
        .env_remove("SMCTL_TOKEN")
        .env("COLUMNS", "100")
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_platform_that_takes_no_broker_fails_and_is_explained() {
    let program = driver("case $line in *hello*|*unregister*) s=succeeded;; *) s=refused;; esac;");
    let words = [
        "--driver",
        &program,
        "--only",
        "catalog.fetched,provision.500,headers",
    ];
    let output = verify(&words);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let table = text(&output);
    let first = table.lines().next().unwrap();
    assert!(first.contains("while read"), "{first}");
    assert!(table.contains("\ncatalog\n  ✗ catalog.fetched "), "{table}");
    assert!(table.contains("  – provision.500 "), "{table}");
    assert!(
        table.contains("expected   the platform takes the broker and its catalog"),
        "{table}"
    );
    assert!(table.contains("rule       P1 Every request"), "{table}");
    assert!(table.contains("5 cases, 0 calls in "), "{table}");

    let output = verify(&[words.as_slice(), &["-o", "json"]].concat());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["subject"], "platform");
    assert_eq!(report["summary"]["failed"], 1);
    let output = verify(&[words.as_slice(), &["-o", "junit"]].concat());
    assert!(text(&output).contains("<testsuite name=\"catalog\" tests=\"1\" failures=\"1\""));
    let output = verify(&[words.as_slice(), &["-o", "markdown"]].concat());
    assert!(text(&output).contains("| ✗ | `catalog.fetched` | MUST | P1, P4 |"));
}

#[test]
fn the_end_of_the_program_says_what_happened() {
    let code = |words: &[&str]| {
        let output = verify(words);
        let words = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), words)
    };
    let refusing = driver("s=refused;");
    let (status, words) = code(&["--driver", &refusing]);
    assert_eq!(status, Some(3), "{words}");
    assert!(words.contains("as the test wants it"), "{words}");
    let (status, words) = code(&["--driver", "exit 1"]);
    assert_eq!(status, Some(3), "{words}");
    let address = qm_testkit::process::free_address().unwrap();
    let url = format!("http://{address}");
    let (status, words) = code(&["--url", &url, "--user", "u", "--password", "hunter2"]);
    assert_eq!(status, Some(3), "{words}");
    assert!(!words.contains("hunter2"), "{words}");

    for wrong in [
        &[][..],
        &["--url", &url],
        &["--url", "localhost:8080", "--token", "t"],
        &["--url", &url, "--driver", "x"],
        &["--driver", "x", "--token", "t"],
        &["--url", &url, "--token", "t", "--only", "no.such-case"],
        &["--url", &url, "--token", "t", "--public-url", "nowhere"],
        &["--url", &url, "--token", "t", "--listen", "somewhere"],
    ] {
        let (status, words) = code(wrong);
        assert_eq!(status, Some(2), "{wrong:?} {words}");
    }
}

/// Every run of the list makes the same text, so the committed document can be checked against it.
#[test]
fn the_committed_list_is_fresh() {
    let output = Command::new(env!("CARGO_BIN_EXE_smctl"))
        .args(["verify", "list", "platform", "-o", "markdown"])
        .output()
        .unwrap();
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../docs/verify-platform-cases.md"
    );
    let committed = std::fs::read_to_string(path).unwrap();
    assert!(
        text(&output) == committed,
        "docs/verify-platform-cases.md is old: cargo run -p smctl -- verify list platform -o markdown > docs/verify-platform-cases.md"
    );
}
