//! The doctor tells what is wrong with each thing it looks at, and only that.

use super::{err, http, manager, out, program, run};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

fn doctor(data: &Path, settings: &[(&str, &str)]) -> Output {
    let words = ["doctor", "--listen", "127.0.0.1:0", "--data"];
    let program = program().args(words).arg(data);
    let program = settings
        .iter()
        .fold(program, |program, (name, value)| program.env(name, value));
    program.command().output().unwrap()
}

#[tokio::test]
async fn it_is_content_with_a_running_manager_and_not_with_open_keys() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let fresh = doctor(&data, &[]);
    assert!(fresh.status.success(), "{}", out(&fresh));
    assert!(!data.exists(), "a look changes nothing");
    let mut running = manager(&data).await;
    let well = doctor(&data, &[]);
    assert!(well.status.success(), "{}{}", out(&well), err(&well));
    assert!(
        out(&well).contains("they open what is stored"),
        "{}",
        out(&well)
    );
    assert!(
        out(&well).contains("not behind what was last written"),
        "{}",
        out(&well)
    );
    running.terminate().await.unwrap();

    let keys = data.join("keys");
    std::fs::set_permissions(&keys, std::fs::Permissions::from_mode(0o644)).unwrap();
    let open = run(&["doctor", "-o", "json", "--listen", "127.0.0.1:0"], &data);
    assert_eq!(open.status.code(), Some(1));
    assert!(out(&open).contains("\"healthy\":false"), "{}", out(&open));
    assert!(out(&open).contains("chmod 600"), "{}", out(&open));
}

#[tokio::test]
async fn a_wrong_configuration_and_other_keys_are_problems() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = doctor(folder.path(), &[("QM_SERVER_LISEN", "x")]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(
        out(&wrong).contains("did you mean QM_SERVER_LISTEN?"),
        "{}",
        out(&wrong)
    );

    manager(folder.path()).await.terminate().await.unwrap();
    let other = program().args(["keys", "new"]).command().output().unwrap();
    let sealed = doctor(folder.path(), &[("QM_KEYS", out(&other).trim())]);
    assert_eq!(sealed.status.code(), Some(1));
    assert!(
        out(&sealed).contains("sealed with other keys"),
        "{}",
        out(&sealed)
    );
}

/// A folder that nobody may write to, gone with the value.
struct Shut(tempfile::TempDir);

impl Shut {
    /// `None`, after one printed line, where root may not mount: modes mean nothing to root.
    fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let user = Command::new("id").arg("-u").output().unwrap();
        if String::from_utf8_lossy(&user.stdout).trim() != "0" {
            let mode = std::fs::Permissions::from_mode(0o500);
            std::fs::set_permissions(folder.path(), mode).unwrap();
            return Some(Self(folder));
        }
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "ro,size=1m,mode=700", "tmpfs"])
            .arg(folder.path())
            .output()
            .unwrap();
        if mounted.status.success() {
            return Some(Self(folder));
        }
        let _ = writeln!(
            std::io::stderr(),
            "skipped: root, and nothing can be mounted here"
        );
        None
    }
}

impl Drop for Shut {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).output();
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_a_problem() {
    let Some(shut) = Shut::new() else { return };
    let seen = doctor(shut.0.path(), &[]);
    assert_eq!(seen.status.code(), Some(1), "{}", out(&seen));
    assert!(
        out(&seen).contains("problem  data folder") && out(&seen).contains("cannot be written"),
        "{}",
        out(&seen)
    );
}

#[tokio::test]
async fn postgres_is_asked_for_its_schema_and_its_clock() {
    let Some(database) = qm_testkit::postgres::database().await else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let url = database.url();
    let settings = [("QM_DATABASE_URL", url.as_str())];
    let fresh = doctor(folder.path(), &settings);
    assert!(
        out(&fresh).contains("it answers and is empty"),
        "{}",
        out(&fresh)
    );
    let migrated = program()
        .args(["migrate", "--data"])
        .arg(folder.path())
        .env("QM_DATABASE_URL", &url)
        .command()
        .output()
        .unwrap();
    assert!(migrated.status.success(), "{}", err(&migrated));
    let well = doctor(folder.path(), &settings);
    assert!(well.status.success(), "{}", out(&well));
    assert!(
        out(&well).contains("its schema is at version"),
        "{}",
        out(&well)
    );
    assert!(
        out(&well).contains("agrees with that of the database"),
        "{}",
        out(&well)
    );

    let away = doctor(
        folder.path(),
        &[("QM_DATABASE_URL", "postgres://u:hunter2@127.0.0.1:1/x")],
    );
    assert_eq!(away.status.code(), Some(1));
    assert!(out(&away).contains("problem  database"), "{}", out(&away));
    assert!(!out(&away).contains("hunter2"));
}

#[test]
fn an_issuer_that_is_away_or_lives_in_the_past_is_a_problem() {
    let folder = tempfile::tempdir().unwrap();
    let away = r#"[{"url":"http://127.0.0.1:1"}]"#;
    let away = doctor(folder.path(), &[("QM_IDENTITY_ISSUERS", away)]);
    assert_eq!(away.status.code(), Some(1));
    assert!(out(&away).contains("problem  issuers"), "{}", out(&away));

    let (issuer, _) = http::serve(|address, path| {
        let date = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n".to_owned();
        let body = match path.ends_with("openid-configuration") {
            true => {
                format!(r#"{{"issuer":"http://{address}","jwks_uri":"http://{address}/keys"}}"#)
            }
            false => r#"{"keys":[]}"#.to_owned(),
        };
        (date, body)
    });
    let issuers = format!(r#"[{{"url":"http://{issuer}"}}]"#);
    let past = doctor(folder.path(), &[("QM_IDENTITY_ISSUERS", &issuers)]);
    assert_eq!(past.status.code(), Some(1));
    assert!(
        out(&past).contains("answers and shows its keys"),
        "{}",
        out(&past)
    );
    assert!(out(&past).contains("problem  clock"), "{}", out(&past));
}
