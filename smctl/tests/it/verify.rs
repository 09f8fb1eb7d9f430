//! `smctl verify` against the `minimal` example.

use qm_testkit::process::{Process, Program, free_address};
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};

struct Broker {
    process: Process,
    _folder: tempfile::TempDir,
}

async fn broker() -> Broker {
    let folder = tempfile::tempdir().unwrap();
    let process = Program::example("minimal")
        .unwrap()
        .args([
            "--listen",
            "127.0.0.1:0",
            "--user",
            "admin",
            "--password",
            "hunter2",
        ])
        .arg("--store")
        .arg(folder.path().join("minimal.db"))
        .start()
        .await
        .unwrap();
    Broker {
        process,
        _folder: folder,
    }
}

fn smctl() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smctl"));
    command
        .env_remove("SMCTL_PASSWORD")
        .env_remove("SMCTL_TOKEN")
        .env("COLUMNS", "100");
    command
}

fn verify(url: &str, words: &[&str]) -> Output {
    smctl()
        .args([
            "verify",
            "broker",
            url,
            "--user",
            "admin",
            "--password",
            "hunter2",
        ])
        .args(words)
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sound_broker_gives_a_readable_table_and_zero() {
    let broker = broker().await;
    let output = verify(
        &broker.process.url(),
        &["--only", "catalog,bind.works", "--plan", "instant"],
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let table = text(&output);
    let first = table.lines().next().unwrap();
    assert!(first.ends_with("· OSB 2.17 · token/instant"), "{first}");
    assert!(table.contains("\ncatalog\n  ✓ catalog.works "), "{table}");
    assert!(table.contains("\nbind\n  ✓ bind.works "), "{table}");
    assert!(
        table.lines().last().unwrap().contains("0 failed"),
        "{table}"
    );
    assert!(!table.contains('\u{1b}'), "colours only on a terminal");
    assert!(
        table.lines().all(|line| line.chars().count() <= 100),
        "{table}"
    );
    assert!(
        output.stderr.is_empty(),
        "no progress line without a terminal"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn json_and_junit_are_for_programs() {
    let broker = broker().await;
    let words = [
        "--only",
        "bind.works,catalog.etag-match,rotate.not-rotatable",
        "-o",
    ];
    let output = verify(
        &broker.process.url(),
        &[words.as_slice(), &["json", "--verbose"]].concat(),
    );
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["summary"]["failed"], 0);
    assert_eq!(report["plans"].as_array().unwrap().len(), 2);
    let first = &report["results"][0];
    assert_eq!(first["id"], "catalog.etag-match");
    assert_eq!(first["verdict"], "passed");
    assert!(
        first["evidence"][0]["received"]["answer"]["status"].is_u64(),
        "{first}"
    );
    assert!(!text(&output).contains("hunter2"));

    let output = verify(
        &broker.process.url(),
        &[words.as_slice(), &["junit"]].concat(),
    );
    let xml = text(&output);
    assert!(
        xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "),
        "{xml}"
    );
    assert!(
        xml.contains(
            "<testsuite name=\"bind\" tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"0\""
        ),
        "{xml}"
    );
    assert!(
        xml.contains("<skipped message=\"the plan is binding_rotatable\"/>"),
        "{xml}"
    );

    let output = verify(
        &broker.process.url(),
        &[words.as_slice(), &["markdown"]].concat(),
    );
    assert!(text(&output).contains("| ✓ | `bind.works` | MUST | B50 |"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_the_program_says_what_happened() {
    let broker = broker().await;
    let url = broker.process.url();
    let code = |output: Output| {
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };

    let (status, words) = code(verify(&format!("http://{}", free_address().unwrap()), &[]));
    assert_eq!(status, Some(3), "{words}");
    assert!(words.contains("cannot be reached"), "{words}");

    let refused = smctl()
        .args(["verify", "broker", &url, "--token", "wrong"])
        .output()
        .unwrap();
    let (status, words) = code(refused);
    assert_eq!(status, Some(3), "{words}");
    assert!(words.contains("refuses these credentials"), "{words}");

    for wrong in [
        &["--only", "no.such-case"][..],
        &["--plan", "enormous"],
        &["--api-version", "3.0"],
        &["--parameters", "/does/not/exist"],
        &["--no-such-flag"],
    ] {
        let (status, words) = code(verify(&url, wrong));
        assert_eq!(status, Some(2), "{wrong:?} {words}");
        assert!(!words.is_empty());
    }
    let (status, words) = code(verify("localhost:8080", &[]));
    assert_eq!(status, Some(2), "{words}");
    assert!(words.contains("http://"), "{words}");
    let no_password = smctl()
        .args(["verify", "broker", &url, "--user", "admin"])
        .output()
        .unwrap();
    assert_eq!(no_password.status.code(), Some(2));
    let nobody = smctl().args(["verify", "broker", &url]).output().unwrap();
    let (status, words) = code(nobody);
    assert_eq!(status, Some(2), "{words}");
    assert!(words.contains("--no-auth"), "{words}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_password_may_come_from_elsewhere() {
    let broker = broker().await;
    let url = broker.process.url();
    let words = [
        "verify",
        "broker",
        &url,
        "--user",
        "admin",
        "--only",
        "catalog.works",
    ];
    let by_env = smctl()
        .args(words)
        .env("SMCTL_PASSWORD", "hunter2")
        .output()
        .unwrap();
    assert_eq!(by_env.status.code(), Some(0), "{by_env:?}");
    // A variable meant for another broker is no reason to refuse what was typed.
    let token = ["verify", "broker", &url, "--token", "wrong"];
    let typed = smctl()
        .args(token)
        .env("SMCTL_PASSWORD", "x")
        .output()
        .unwrap();
    assert_eq!(typed.status.code(), Some(3), "{typed:?}");
    let mut child = smctl()
        .args(words)
        .arg("--password-stdin")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"hunter2\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_run_reports_what_it_has() {
    let broker = broker().await;
    let child = smctl()
        .args([
            "verify",
            "broker",
            &broker.process.url(),
            "--user",
            "admin",
            "--password",
            "hunter2",
        ])
        .args([
            "--only",
            "unbind,deprovision,update",
            "--plan",
            "relaxed",
            "-o",
            "json",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first provision was answered: the run is under way, and its asynchronous work far from its end.
    assert!(
        broker
            .process
            .wait_for_output("\"verb\":\"provision\"")
            .await
    );
    let pid = child.id().to_string();
    let sent = Command::new("sh")
        .args(["-c", "kill -s INT \"$1\"", "sh", &pid])
        .status()
        .unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["interrupted"], true);
    assert_eq!(report["leftovers"], Value::Array(Vec::new()));
    assert!(report["summary"]["skipped"].as_u64().unwrap() > 0);
}

#[test]
fn the_list_names_every_case() {
    let table = text(&smctl().args(["verify", "list"]).output().unwrap());
    assert!(table.contains("  provision.repeat-identical"), "{table}");
    let json = smctl()
        .args(["verify", "list", "-o", "json"])
        .output()
        .unwrap();
    let cases: Value = serde_json::from_slice(&json.stdout).unwrap();
    let count = cases.as_array().unwrap().len();
    assert!(count >= 120, "{count}");
    assert!(table.contains(&format!("\n{count} cases\n")), "{table}");
}

/// Every run of the list makes the same text, so the committed document can be checked against it.
#[test]
fn the_committed_list_is_fresh() {
    let made = text(
        &smctl()
            .args(["verify", "list", "-o", "markdown"])
            .output()
            .unwrap(),
    );
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/conformance-cases.md");
    let committed = std::fs::read_to_string(path).unwrap();
    assert!(
        made == committed,
        "docs/conformance-cases.md is old: cargo run -p smctl -- verify list -o markdown > docs/conformance-cases.md"
    );
}
