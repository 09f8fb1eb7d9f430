//! Logging in and out: every way, what is remembered, what is revoked.

use crate::lab::{Lab, smctl};
use serde_json::Value;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

fn config(lab: &Lab) -> Value {
    let file = lab.home().join(".sm/config.json");
    let mode = std::fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

fn change(lab: &Lab, key: &str, value: &str) {
    let mut settings = config(lab);
    settings[key] = value.into();
    std::fs::write(lab.home().join(".sm/config.json"), settings.to_string()).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_file_is_the_old_one_and_a_token_is_renewed() {
    let lab = Lab::new().await;
    let before = config(&lab);
    for key in [
        "url",
        "user",
        "access_token",
        "refresh_token",
        "expiry",
        "client_id",
        "client_secret",
        "issuer_url",
        "token_url",
        "auth_url",
    ] {
        assert!(before[key].is_string(), "{key}");
    }
    assert_eq!(before["auth_flow"], "password-grant");
    change(&lab, "expiry", "Sun, 15 Nov 2020 20:03:07 +0000");
    lab.done(&["list-brokers"]);
    let after = config(&lab);
    assert_ne!(after["access_token"], before["access_token"]);
    assert_ne!(after["expiry"], "Sun, 15 Nov 2020 20:03:07 +0000");
}

#[tokio::test(flavor = "multi_thread")]
async fn logout_revokes_and_forgets() {
    let lab = Lab::new().await;
    let kept = config(&lab);
    assert_eq!(lab.done(&["logout"]), "You have successfully logged out.\n");
    assert_eq!(config(&lab)["access_token"], "");
    assert_eq!(lab.done(&["logout"]), "You are already logged out.\n");
    // What was copied before is worthless now.
    let mut stolen = kept;
    stolen["expiry"] = "Sun, 15 Nov 2020 20:03:07 +0000".into();
    std::fs::write(lab.home().join(".sm/config.json"), stolen.to_string()).unwrap();
    let (error, code) = lab.fails(&["broker", "list"]);
    assert_eq!(code, 4, "{error}");
    assert!(
        error.contains("the login has expired") && error.contains("try: smctl login"),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_without_a_scheme_is_understood_and_named() {
    let lab = Lab::bare().await;
    let address = lab.manager.address().to_string();
    let mut child = lab
        .smctl()
        .args(["login", "-a", &address, "-u", "admin", "--password-stdin"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    writeln!(child.stdin.take().unwrap(), "{}", lab.password()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error, format!("{address} is taken for http://{address}\n"));
    let (error, code) = lab.fails(&["login", "-a", "ftp://x", "-u", "a", "-p", "b"]);
    assert_eq!(code, 2, "{error}");
    let (error, code) = lab.fails(&["login", "-u", "admin", "-p", "wrong"]);
    assert_eq!(code, 4, "{error}");
    let (error, code) = lab.fails(&["login", "-a", "http://127.0.0.1:1", "-u", "a", "-p", "b"]);
    assert_eq!(code, 3, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_log_in_with_a_secret_or_a_token_from_the_environment() {
    let lab = Lab::new().await;
    let client = lab.json(&["client", "create", "ci", "--role", "admin", "-o", "json"]);
    let secret = client["secret"].as_str().unwrap();
    let url = lab.manager.url();
    lab.done(&[
        "--context",
        "ci",
        "login",
        "-a",
        &url,
        "--auth-flow",
        "client-credentials",
        "--client-id",
        "ci",
        "--client-secret",
        secret,
    ]);
    assert_eq!(config(&lab)["user"], "ci");
    lab.done(&["broker", "list"]);
    let contexts = lab.done(&["context", "list"]);
    assert!(
        contexts.contains("*  ci ") && contexts.contains("default"),
        "{contexts}"
    );
    lab.done(&["context", "use", "default"]);
    assert_eq!(config(&lab)["user"], "admin");
    lab.done(&["--context", "ci", "platform", "list"]);
    lab.done(&["context", "delete", "ci"]);
    let token = config(&lab)["access_token"].as_str().unwrap().to_owned();
    let output = smctl()
        .args(["broker", "list", "-o", "json"])
        .env("SMCTL_TOKEN", token)
        .env("SMCTL_URL", &url)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let output = smctl().args(["broker", "list"]).output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{output:?}");
}
