//! The executable's own promises: one address line, a password that is shown once, one manager per SQLite
//! file, keys that are never made up for a store that has others, a doctor that tells the truth, a clean
//! stop.

mod doctor;
mod http;
mod traces;

use qm_testkit::process::{Process, Program};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Output;

fn program() -> Program {
    Program::new(Path::new(env!("CARGO_BIN_EXE_quartermaster")))
}

async fn manager(data: &Path) -> Process {
    let program = program().args(["manager", "--listen", "127.0.0.1:0", "--data"]);
    program.arg(data).start().await.unwrap()
}

fn run(words: &[&str], data: &Path) -> Output {
    program()
        .args(words)
        .arg("--data")
        .arg(data)
        .command()
        .output()
        .unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test]
async fn the_password_is_shown_once_and_kept_for_its_owner() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut first = manager(&data).await;
    let file = data.join("admin-password");
    let password = std::fs::read_to_string(&file).unwrap();
    assert!(password.len() >= 16, "{}", password.len());
    for (name, mode) in [
        ("", 0o700),
        ("admin-password", 0o600),
        ("keys", 0o600),
        ("manager.db", 0o600),
    ] {
        let found = std::fs::metadata(data.join(name)).unwrap();
        assert_eq!(found.permissions().mode() & 0o777, mode, "{name}");
    }
    assert!(first.terminate().await.unwrap().success());
    assert_eq!(first.output().matches(&password).count(), 1);
    let mut second = manager(&data).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), password);
    assert!(second.terminate().await.unwrap().success());
    assert!(!second.output().contains(&password));
}

/// As if the process had died between making the administrator and keeping the password.
#[tokio::test]
async fn a_password_that_was_lost_at_the_first_start_is_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = manager(folder.path()).await;
    first.kill9();
    let file = folder.path().join("admin-password");
    let lost = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    std::fs::write(folder.path().join("admin-password.mark"), "being made\n").unwrap();
    let mut second = manager(folder.path()).await;
    let new = std::fs::read_to_string(&file).unwrap();
    assert_ne!(new, lost);
    assert!(!folder.path().join("admin-password.mark").exists());
    let client = qm_testkit::http::Client::new(&format!("http://{}", second.address()), "", "");
    for (password, code) in [(&new, 200), (&lost, 400)] {
        let form = format!(
            "grant_type=password&username=admin&password={}",
            percent_encoding::utf8_percent_encode(password, percent_encoding::NON_ALPHANUMERIC)
        );
        let request = ::http::Request::post("/oauth/token")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(bytes::Bytes::from(form))
            .unwrap();
        let answer = client.send(request).await.unwrap();
        assert_eq!(answer.status().as_u16(), code, "{:?}", answer.body());
    }
    assert!(second.terminate().await.unwrap().success());
}

#[tokio::test]
async fn a_second_manager_on_the_same_file_is_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = manager(folder.path()).await;
    let second = run(&["manager", "--listen", "127.0.0.1:0"], folder.path());
    assert_eq!(second.status.code(), Some(1));
    assert!(
        err(&second).contains("is in use by another manager"),
        "{}",
        err(&second)
    );
    let migrate = run(&["migrate"], folder.path());
    assert!(err(&migrate).contains("is in use"), "{}", err(&migrate));
    first.kill9();
    // The lock dies with its holder.
    let mut third = manager(folder.path()).await;
    assert!(third.terminate().await.unwrap().success());
}

#[tokio::test]
async fn lost_keys_are_not_replaced_by_new_ones() {
    let folder = tempfile::tempdir().unwrap();
    manager(folder.path()).await.terminate().await.unwrap();
    let keys = folder.path().join("keys");
    std::fs::rename(&keys, folder.path().join("away")).unwrap();
    let started = run(&["manager", "--listen", "127.0.0.1:0"], folder.path());
    assert_eq!(started.status.code(), Some(1));
    assert!(
        err(&started).contains("its keys are not"),
        "{}",
        err(&started)
    );
    assert!(!keys.exists());
    // Other keys are told apart from its own.
    let other = program().args(["keys", "new"]).command().output().unwrap();
    let output = program()
        .args(["manager", "--listen", "127.0.0.1:0", "--data"])
        .arg(folder.path())
        .env("QM_KEYS", out(&other).trim())
        .command()
        .output()
        .unwrap();
    assert!(
        err(&output).contains("sealed with other keys"),
        "{}",
        err(&output)
    );
}

#[tokio::test]
async fn a_taken_address_is_told_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let started = run(&["manager", "--listen", &address], folder.path());
    assert_eq!(started.status.code(), Some(1));
    let said = err(&started);
    assert!(
        said.contains(&address) && said.contains("--listen"),
        "{said}"
    );
}

#[tokio::test]
async fn keys_rotate_beside_a_running_manager() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = manager(folder.path()).await;
    let before = out(&run(&["keys", "show-ids"], folder.path()));
    let rotated = run(&["keys", "rotate"], folder.path());
    assert!(rotated.status.success(), "{}", err(&rotated));
    let after = out(&run(&["keys", "show-ids"], folder.path()));
    assert_eq!(
        (before.lines().count(), after.lines().count()),
        (1, 2),
        "{after}"
    );
    let old = before.split_whitespace().next().unwrap();
    assert!(!after.starts_with(old), "the new key seals: {after}");
    assert!(after.contains(old), "the old one still opens: {after}");
    assert!(running.output().contains("the keys have changed"));
    assert!(running.terminate().await.unwrap().success());
    let mut again = manager(folder.path()).await;
    assert!(again.terminate().await.unwrap().success());
}

#[test]
fn help_names_every_command_and_an_unknown_one_is_refused() {
    let help = program().arg("--help").command().output().unwrap();
    for command in ["manager", "migrate", "openapi", "config", "doctor", "keys"] {
        assert!(out(&help).contains(command), "{}", out(&help));
    }
    let unknown = program().arg("manger").command().output().unwrap();
    assert_eq!(unknown.status.code(), Some(2));
    assert!(err(&unknown).contains("manager"), "{}", err(&unknown));
}

#[test]
fn the_api_describes_itself() {
    let output = program().arg("openapi").command().output().unwrap();
    assert!(output.status.success(), "{}", err(&output));
    let text = out(&output);
    for path in [
        "/v1/service_brokers",
        "/v1/platforms",
        "/v1/visibilities",
        "/v1/info",
    ] {
        assert!(text.contains(&format!("\"{path}\"")), "{path} is missing");
    }
}
