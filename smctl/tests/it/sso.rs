//! Logins at an issuer of somebody else: browser with PKCE, device code, certificate; refresh and logout after them.

use crate::issuer::Issuer;
use crate::lab::smctl;
use http::Request;
use qm_testkit::http::Client;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// smctl with a home of its own.
fn at(home: &Path, words: &[&str]) -> Command {
    let mut command = smctl();
    command
        .env("SM_HOME", home)
        .env("BROWSER", "true")
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn config(home: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(home.join(".sm/config.json")).unwrap()).unwrap()
}

/// Runs it to its end beside the issuer, which lives in this process.
async fn run(mut command: Command) -> Output {
    tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap()
}

/// Begins a login with the browser; the address that the person is sent to.
async fn begun(
    home: &Path,
    issuer: &Issuer,
) -> (Child, BufReader<std::process::ChildStderr>, String) {
    let mut command = at(home, &["login", "-a", &issuer.url, "--browser"]);
    tokio::task::spawn_blocking(move || {
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("/authorize?") {
            line.clear();
            assert_ne!(lines.read_line(&mut line).unwrap(), 0, "no address came");
        }
        (child, lines, line.trim().to_owned())
    })
    .await
    .unwrap()
}

async fn ended(mut child: Child, mut lines: BufReader<std::process::ChildStderr>) -> (i32, String) {
    tokio::task::spawn_blocking(move || {
        let code = child.wait().unwrap().code().unwrap();
        let mut rest = String::new();
        lines.read_to_string(&mut rest).unwrap();
        (code, rest)
    })
    .await
    .unwrap()
}

/// What a browser does with an address: the status, and where it is sent next.
async fn visit(address: &str) -> (u16, String) {
    let (origin, path) = address.split_at(address[7..].find('/').unwrap() + 7);
    let request = Request::get(path).body(bytes::Bytes::new()).unwrap();
    let answer = Client::new(origin, "", "").send(request).await.unwrap();
    let location = answer.headers().get("location");
    let location = location.map_or("", |value| value.to_str().unwrap());
    (answer.status().as_u16(), location.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_comes_back_with_a_code_and_the_login_lives_on() {
    let issuer = Issuer::start().await;
    let home = tempfile::tempdir().unwrap();
    let (child, lines, page) = begun(home.path(), &issuer).await;
    assert!(page.contains("code_challenge_method=S256"), "{page}");
    let (status, back) = visit(&page).await;
    assert_eq!(status, 302);
    // Neither an icon nor somebody with another state ends it.
    let place = back.split("/callback").next().unwrap();
    assert_eq!(visit(&format!("{place}/favicon.ico")).await.0, 404);
    assert_eq!(
        visit(&format!("{place}/callback?code=x&state=y")).await.0,
        400
    );
    assert_eq!(visit(&back).await.0, 200);
    let (code, rest) = ended(child, lines).await;
    assert_eq!(code, 0, "{rest}");

    let kept = config(home.path());
    assert_eq!(kept["auth_flow"], "browser");
    assert_eq!(kept["user"], "jane");
    assert_eq!(kept["refresh_token"], "again-1");
    let exchange = &issuer.seen("/token")[0].values;
    assert_eq!(exchange["grant_type"], "authorization_code");
    assert!(exchange["redirect_uri"].starts_with("http://127.0.0.1:"));

    // What ended is renewed without a question, and given back in the end.
    let mut old = kept;
    old["expiry"] = "Sun, 15 Nov 2020 20:03:07 +0000".into();
    std::fs::write(home.path().join(".sm/config.json"), old.to_string()).unwrap();
    let listed = run(at(home.path(), &["broker", "list", "-o", "json"])).await;
    assert!(listed.status.success(), "{listed:?}");
    assert_eq!(config(home.path())["refresh_token"], "again-2");
    let out = run(at(home.path(), &["logout"])).await;
    assert!(out.status.success(), "{out:?}");
    assert_eq!(issuer.seen("/revoke")[0].values["token"], "again-2");
    assert_eq!(config(home.path())["refresh_token"], "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_in_the_browser_ends_the_login() {
    let issuer = Issuer::start().await;
    let home = tempfile::tempdir().unwrap();
    let (child, lines, page) = begun(home.path(), &issuer).await;
    let (_, back) = visit(&page).await;
    let (place, state) = back.split_once("&state=").unwrap();
    let place = place.split('?').next().unwrap();
    let refused = format!("{place}?error=access_denied&error_description=not+today&state={state}");
    assert_eq!(visit(&refused).await.0, 200);
    let (code, rest) = ended(child, lines).await;
    assert_eq!(code, 4, "{rest}");
    assert!(rest.contains("why: not today"), "{rest}");
    assert!(!home.path().join(".sm/config.json").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_asks_until_somebody_has_entered_the_code() {
    let issuer = Issuer::start().await;
    let home = tempfile::tempdir().unwrap();
    issuer.script_device(&["authorization_pending", "authorization_pending"]);
    let done = run(at(home.path(), &["login", "-a", &issuer.url, "--device"])).await;
    assert!(done.status.success(), "{done:?}");
    let told = String::from_utf8(done.stderr).unwrap();
    assert!(
        told.contains("/activate and enter the code ABCD-EFGH"),
        "{told}"
    );
    assert_eq!(issuer.seen("/token").len(), 3);
    assert_eq!(config(home.path())["auth_flow"], "device-code");

    issuer.script_device(&["access_denied"]);
    let refused = run(at(home.path(), &["login", "-a", &issuer.url, "--device"])).await;
    assert_eq!(refused.status.code(), Some(4), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_is_shown_where_the_issuer_wants_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(file("trusted.pem"), own.cert.pem()).unwrap();
    let (client, stranger) = (
        rcgen::generate_simple_self_signed(["ci".to_owned()]).unwrap(),
        rcgen::generate_simple_self_signed(["ci".to_owned()]).unwrap(),
    );
    for (name, made) in [("client", &client), ("stranger", &stranger)] {
        std::fs::write(file(&format!("{name}.pem")), made.cert.pem()).unwrap();
        std::fs::write(
            file(&format!("{name}.key")),
            made.signing_key.serialize_pem(),
        )
        .unwrap();
    }
    let issuer = Issuer::start().await;
    issuer.certify(&own, &client.cert).await;
    let home = folder.path().to_owned();
    let log_in = |name: &str| {
        let (cert, key) = (file(&format!("{name}.pem")), file(&format!("{name}.key")));
        let flow = [
            "login",
            "-a",
            &issuer.url,
            "--auth-flow",
            "client-credentials",
        ];
        let mut command = at(&home, &flow);
        command.args(["--client-id", "ci", "--cert"]).arg(cert);
        command.arg("--key").arg(key);
        command.env("SSL_CERT_FILE", file("trusted.pem"));
        command
    };
    let refused = run(log_in("stranger")).await;
    assert_eq!(refused.status.code(), Some(3), "{refused:?}");
    assert!(issuer.seen("/token").is_empty());

    let done = run(log_in("client")).await;
    assert!(done.status.success(), "{done:?}");
    let seen = issuer.seen("/token");
    assert_eq!(seen.len(), 1);
    assert!(seen[0].certified);
    assert_eq!(seen[0].values["grant_type"], "client_credentials");
    assert_eq!(seen[0].values["client_id"], "ci");
    assert_eq!(
        config(&home)["cert"],
        file("client.pem").display().to_string()
    );
    let listed = run(at(&home, &["broker", "list"])).await;
    assert!(listed.status.success(), "{listed:?}");
}
