//! Addresses of stores.

use qm_db::{Db, Dialect, Error, Options};

#[test]
fn what_is_understood() {
    for (address, dialect) in [
        ("sqlite:a.db", Dialect::Sqlite),
        ("sqlite:///var/a.db", Dialect::Sqlite),
        ("sqlite::memory:", Dialect::Sqlite),
        (":memory:", Dialect::Sqlite),
        ("a.db", Dialect::Sqlite),
        ("/var/lib/a.db", Dialect::Sqlite),
        ("postgres://u:p@h/d", Dialect::Postgres),
        ("postgresql://h:1/d?sslmode=disable", Dialect::Postgres),
        (
            "postgres://h/d?sslmode=require&connect_timeout=3",
            Dialect::Postgres,
        ),
    ] {
        assert_eq!(
            Options::parse(address).unwrap().dialect(),
            dialect,
            "{address}"
        );
    }
}

#[test]
fn what_is_refused() {
    for address in [
        "",
        "sqlite:",
        "mysql://h/d",
        "postgres://",
        "postgres://h/d?sslmode=perhaps",
        "postgres://h/d?nonsense=1",
        "postgres://u:pa55word@h:port/d",
        "postgres://u:pa55word@h/d?sslmode=verify-full&sslrootcert=nowhere.pem",
    ] {
        match Options::parse(address) {
            Err(error @ Error::Options { .. }) => {
                assert!(
                    !format!("{error} {error:?}").contains("pa55word"),
                    "{error}"
                );
            }
            other => panic!("{address}: {other:?}"),
        }
    }
}

#[test]
fn passwords_are_not_shown() {
    let options = Options::parse("postgres://user:pa55word@host/base").unwrap();
    let shown = format!("{options:?}");
    assert!(
        !shown.contains("pa55word") && shown.contains("base"),
        "{shown}"
    );
}

#[tokio::test]
async fn what_is_not_there_is_unavailable() {
    for address in [
        "sqlite:/nowhere/at/all/a.db",
        "postgres://u:pa55word@127.0.0.1:1/d",
    ] {
        match Db::open(Options::parse(address).unwrap()).await {
            Err(error @ Error::Unavailable { .. }) => {
                assert!(error.retryable());
                assert!(
                    !format!("{error} {error:?}").contains("pa55word"),
                    "{error}"
                );
            }
            other => panic!("{address}: {other:?}"),
        }
    }
}
