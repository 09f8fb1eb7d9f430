//! The doctor tells what is wrong with each thing it looks at, and only that.

use super::{err, http, manager, out, program, run};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Output;

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
