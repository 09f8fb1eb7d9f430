//! The scratch PostgreSQL: databases are apart, servers obey, nothing outlives its owner.

use crate::victim;
use qm_testkit::postgres::{self, Error, Options, Server};
use std::net::TcpStream;
use std::path::Path;

/// A server of the test's own; `None` where PostgreSQL is missing (the shared server prints the line).
fn own(options: Options) -> Option<Server> {
    postgres::server()?;
    Some(Server::start(options).unwrap())
}

#[tokio::test]
async fn databases_are_fresh_and_apart() {
    let Some(one) = postgres::database().await else {
        return;
    };
    let two = postgres::database().await.unwrap();
    one.psql("create table t (x int); insert into t values (1), (2)")
        .unwrap();
    assert_eq!(one.psql("select x from t order by x").unwrap(), "1\n2");
    let error = two.psql("select x from t").unwrap_err();
    assert!(
        matches!(&error, Error::Program { output, .. } if output.contains("\"t\" does not exist")),
        "{error}"
    );
    assert_ne!(one.url(), two.url());
    assert!(one.url().ends_with(&format!("/{}", one.name())));
}

#[tokio::test]
async fn a_dropped_database_goes_away() {
    let Some(database) = postgres::database().await else {
        return;
    };
    let server = postgres::server().unwrap();
    let count = format!(
        "select count(*) from pg_database where datname = '{}'",
        database.name()
    );
    assert_eq!(server.psql("postgres", &count).unwrap(), "1");
    drop(database);
    victim::until("the database is dropped", || {
        server.psql("postgres", &count).unwrap() == "0"
    });
}

#[test]
fn listens_on_tcp_and_on_a_socket() {
    let Some(server) = postgres::server() else {
        return;
    };
    TcpStream::connect(("127.0.0.1", server.port())).unwrap();
    let socket = format!(".s.PGSQL.{}", server.port());
    assert!(server.directory().join(socket).exists());
    assert!(server.socket_url("x").starts_with("postgres://test@%2F"));
    assert_eq!(server.psql("postgres", "show fsync").unwrap(), "off");
}

#[test]
fn data_survives_restart_and_kill() {
    let Some(server) = own(Options {
        fsync: true,
        settings: vec![("max_connections".to_owned(), "20".to_owned())],
    }) else {
        return;
    };
    let rows = || server.psql("postgres", "select count(*) from t").unwrap();
    assert_eq!(server.psql("postgres", "show fsync").unwrap(), "on");
    assert_eq!(
        server.psql("postgres", "show max_connections").unwrap(),
        "20"
    );
    server
        .psql(
            "postgres",
            "create table t (x int); insert into t values (1)",
        )
        .unwrap();
    server.restart().unwrap();
    assert_eq!(rows(), "1");
    server.psql("postgres", "insert into t values (2)").unwrap();
    server.kill().unwrap();
    assert!(server.psql("postgres", "select 1").is_err());
    server.start_again().unwrap();
    assert_eq!(rows(), "2");
    assert!(server.log().contains("not properly shut down"));

    server.stop().unwrap();
    assert!(TcpStream::connect(("127.0.0.1", server.port())).is_err());
    let directory = server.directory().to_owned();
    drop(server);
    assert!(!directory.exists());
}

#[test]
fn terminating_backends_cuts_only_that_database() {
    let Some(server) = own(Options::default()) else {
        return;
    };
    let (one, two) = (server.database().unwrap(), server.database().unwrap());
    let sleepers = |name: &str| {
        let sql = format!("select count(*) from pg_stat_activity where datname = '{name}'");
        server.psql("postgres", &sql).unwrap()
    };
    std::thread::scope(|scope| {
        let first = scope.spawn(|| one.psql("select pg_sleep(600)"));
        let second = scope.spawn(|| two.psql("select pg_sleep(600)"));
        victim::until("both sleep", || {
            sleepers(one.name()) == "1" && sleepers(two.name()) == "1"
        });
        server.terminate_backends(one.name()).unwrap();
        assert!(first.join().unwrap().is_err());
        assert_eq!(sleepers(two.name()), "1");
        server.terminate_backends(two.name()).unwrap();
        assert!(second.join().unwrap().is_err());
    });
}

#[test]
#[ignore = "the victim of killing_the_owner_stops_the_server"]
fn holds_a_server() {
    if victim::chosen() {
        let server = postgres::server().expect("the killer has found PostgreSQL");
        let directory = server.directory().display();
        victim::wait_with(&format!("{} {directory}", server.port()));
    }
}

#[test]
fn killing_the_owner_stops_the_server() {
    if postgres::server().is_none() {
        return;
    }
    let (mut owner, word) = victim::start("postgres::holds_a_server");
    let (port, directory) = word.split_once(' ').unwrap();
    let port: u16 = port.parse().unwrap();
    TcpStream::connect(("127.0.0.1", port)).unwrap();
    assert!(Path::new(directory).join("data/postmaster.pid").exists());

    owner.kill().unwrap();
    owner.wait().unwrap();
    victim::until("the server is stopped", || {
        TcpStream::connect(("127.0.0.1", port)).is_err()
    });
    victim::until("its directory is removed", || {
        !Path::new(directory).exists()
    });
}
