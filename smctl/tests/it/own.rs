//! Our own grammar: nouns and verbs, formats, waiting, errors.

use crate::lab::{Lab, through};

#[tokio::test(flavor = "multi_thread")]
async fn from_a_broker_to_a_bound_service() {
    let lab = Lab::with_broker().await;
    let output = lab.run(&["-v", "marketplace"]);
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("instant, relaxed"), "{table}");
    let requests = String::from_utf8(output.stderr).unwrap();
    let lists = requests.lines().filter(|line| line.contains("> GET "));
    assert_eq!(lists.count(), 1, "{requests}");
    let shown = lab.done(&["plan", "describe", "token/instant"]);
    assert!(
        shown.contains("label  string, at most characters: 64"),
        "{shown}"
    );

    lab.done(&["instance", "create", "slow", "token/relaxed", "--wait"]);
    let table = lab.done(&["instance", "list"]);
    assert!(table.starts_with("NAME"), "{table}");
    assert!(
        table.contains("slow  token/relaxed  ready  service-manager"),
        "{table}"
    );
    lab.done(&[
        "instance", "create", "quick", "token", "instant", "--set", "label=x", "--label",
        "env=dev", "--wait",
    ]);
    let names = lab.done(&["instance", "list", "--label", "env=dev", "-o", "name"]);
    assert_eq!(names, "instance/quick\n");
    let one = lab.done(&[
        "instance",
        "list",
        "--limit",
        "1",
        "-o",
        "jsonpath={.items[*].name}",
    ]);
    assert_eq!(one.trim().split(' ').count(), 1, "{one}");

    lab.done(&["binding", "create", "slow", "app", "--wait"]);
    let token = lab.done(&["credentials", "slow/app", "-o", "jsonpath={.token}"]);
    assert_eq!(token.trim().len(), 36, "{token}");
    let env = lab.done(&["env", "app"]);
    assert!(
        env.contains(&format!("export SLOW_TOKEN='{}'", token.trim())),
        "{env}"
    );
    let described = lab.done(&["instance", "describe", "slow"]);
    assert!(
        described.contains("Timeline") && described.contains("Bindings"),
        "{described}"
    );

    lab.done(&[
        "instance", "update", "quick", "--rename", "quicker", "--wait",
    ]);
    lab.done(&["instance", "label", "quicker", "env-", "team=a"]);
    let labels = lab.json(&["instance", "get", "quicker", "-o", "json"]);
    assert_eq!(labels["labels"], serde_json::json!({"team": ["a"]}));
    lab.done(&["binding", "delete", "app", "--yes", "--wait"]);
    lab.done(&["instance", "delete", "slow", "quicker", "--yes", "--wait"]);
    assert_eq!(
        lab.json(&["instance", "list", "-o", "json"]),
        serde_json::json!({"items": []})
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn every_format_works_for_lists_and_for_one() {
    let lab = Lab::with_broker().await;
    for noun in [
        "broker",
        "platform",
        "visibility",
        "offering",
        "plan",
        "instance",
        "binding",
        "operation",
        "user",
        "client",
    ] {
        for format in [
            "table",
            "wide",
            "json",
            "yaml",
            "name",
            "jsonpath={.items[*].id}",
            "go-template={{len .items}}",
        ] {
            lab.done(&[noun, "list", "-o", format]);
        }
    }
    let yaml = lab.done(&["broker", "get", "tokens", "-o", "yaml"]);
    assert!(yaml.contains("name: tokens\n"), "{yaml}");
    let name = lab.done(&["broker", "get", "tokens", "-o", "go-template={{.name}}"]);
    assert_eq!(name, "tokens");
    lab.done(&["audit", "-o", "wide"]);
    lab.done(&["manager", "health"]);
    lab.done(&["top", "--once"]);
    lab.done(&["doctor"]);
    lab.done(&["broker", "refresh", "tokens"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_say_what_why_and_what_to_do() {
    let lab = Lab::with_broker().await;
    let (error, code) = lab.fails(&["instance", "get", "nobody"]);
    assert_eq!(code, 5, "{error}");
    let lines: Vec<_> = error.lines().collect();
    assert!(
        lines[0].starts_with("Error: there is no instance nobody"),
        "{error}"
    );
    assert!(
        lines[1].starts_with("  why: ") && lines[2].starts_with("  try: smctl instance list"),
        "{error}"
    );
    let (error, code) = lab.fails(&[
        "broker",
        "register",
        "tokens",
        &lab.broker.url(),
        "--basic",
        "u:p",
    ]);
    assert_eq!(code, 6, "{error}");
    assert!(error.contains("correlation id: "), "{error}");
    let (_, code) = lab.fails(&["instance", "create"]);
    assert_eq!(code, 2);
    let (error, code) = lab.fails(&[
        "instance",
        "create",
        "x",
        "token/instant",
        "--set",
        "unknown=1",
    ]);
    assert_eq!(code, 7, "{error}");
    // The old names know 0 and 1, and what is not there is 1 with a hint.
    let (error, code) = lab.fails(&["get-broker", "nobody"]);
    assert_eq!(
        (code, error.contains("try: smctl broker list")),
        (1, true),
        "{error}"
    );
    assert_eq!(
        lab.run(&["--compat", "get-broker", "nobody"]).status.code(),
        Some(0)
    );
    let (error, code) = lab.fails(&["instance", "delete", "nobody", "--yes"]);
    assert_eq!(code, 5, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn verbose_shows_requests_without_secrets() {
    let lab = Lab::new().await;
    let url = lab.broker.url();
    let output = lab.run(&[
        "-v",
        "broker",
        "register",
        "b",
        &url,
        "--basic",
        "user:very-secret",
    ]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("> POST ") && error.contains("/v1/service_brokers"),
        "{error}"
    );
    assert!(
        error.contains("\"credentials\":\"***\"") && error.contains("authorization: ***"),
        "{error}"
    );
    assert!(
        !error.contains("very-secret") && !error.contains("Bearer"),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn completion_knows_the_names_of_the_server_and_kubectl_finds_it() {
    let lab = Lab::with_broker().await;
    lab.done(&["provision", "mydb", "token", "instant", "--wait"]);
    for shell in ["fish", "zsh", "powershell"] {
        let output = lab
            .smctl()
            .env("SMCTL_COMPLETE", shell)
            .env("_CLAP_COMPLETE_INDEX", "3")
            .args(["--", "smctl", "instance", "get", "my"])
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains("mydb"), "{shell}: {said}");
        assert!(lab.done(&["completion", shell]).contains("smctl"));
    }
    let plugin = lab.home().join("kubectl-sm");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_smctl"), &plugin).unwrap();
    let output = through(plugin)
        .env("SM_HOME", lab.home())
        .args(["instance", "list", "-o", "name"])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "instance/mydb\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_whole_and_a_reader_may_leave() {
    let lab = Lab::new().await;
    let page = |number| format!("kind: platform\nname: platform-{number}\ntype: kubernetes\n");
    let pages: Vec<_> = (0..60).map(page).collect();
    let file = lab.folder.path().join("platforms.yaml");
    std::fs::write(&file, pages.join("---\n")).unwrap();
    lab.done(&["apply", "-f", file.to_str().unwrap()]);
    // More than the audit log once showed.
    let audit = lab.json(&["audit", "--type", "/v1/platforms", "-o", "json"]);
    assert_eq!(audit["items"].as_array().unwrap().len(), 60);
    let some = lab.json(&["audit", "--limit", "7", "-o", "json"]);
    assert_eq!(some["items"].as_array().unwrap().len(), 7);
    let script = format!(
        "'{}' platform list -o yaml | true",
        env!("CARGO_BIN_EXE_smctl")
    );
    let output = through("sh")
        .env("SM_HOME", lab.home())
        .args(["-c", &script])
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!error.contains("panicked"), "{error}");
}
