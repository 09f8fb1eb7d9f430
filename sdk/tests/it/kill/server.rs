//! What the PostgreSQL server really holds, read without the broker.

use aws_lc_rs::{digest, hmac, pbkdf2};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use qm_testkit::postgres::{Error, Options, Server};
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use tokio_postgres::{Client, NoTls};

/// A server of its own, so that nothing on it is anybody else's.
pub(super) struct Held {
    server: Server,
    client: Client,
}

impl Held {
    /// `None`: there is no PostgreSQL.
    pub(super) async fn start() -> Option<Self> {
        let started = tokio::task::spawn_blocking(|| {
            // The shared server says why there is none, and fails where there must be one.
            qm_testkit::postgres::server()?;
            Some(Server::start(Options::default()))
        });
        let server: Result<Server, Error> = started.await.unwrap()?;
        let server = server.unwrap();
        let (client, connection) = tokio_postgres::connect(&server.url("postgres"), NoTls)
            .await
            .unwrap();
        tokio::spawn(connection);
        Some(Self { server, client })
    }

    /// A database that is not the broker's to give out.
    pub(super) fn create(&self, name: &str) -> String {
        self.server
            .psql("postgres", &format!("create database {name}"))
            .unwrap();
        name.to_owned()
    }

    pub(super) fn url(&self, database: &str) -> String {
        self.server.url(database)
    }

    /// Exactly these databases with their owners, and exactly these roles with these passwords.
    pub(super) async fn agrees(
        &self,
        when: &str,
        databases: &[String],
        roles: &BTreeMap<String, String>,
    ) {
        let sql = "SELECT datname FROM pg_database WHERE datname LIKE 'qm\\_%' ORDER BY datname";
        assert_eq!(self.names(sql).await, databases, "{when}: databases");
        let sql = "SELECT rolname FROM pg_authid WHERE rolname LIKE 'qm\\_db\\_%' ORDER BY rolname";
        assert_eq!(self.names(sql).await, databases, "{when}: owners");
        let sql = "SELECT rolname, rolpassword FROM pg_authid WHERE rolname LIKE 'qm\\_role\\_%'";
        let rows = self.client.query(sql, &[]).await.unwrap();
        let held: BTreeMap<String, Option<String>> =
            rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        let (names, wanted): (Vec<_>, Vec<_>) = (held.keys().collect(), roles.keys().collect());
        assert_eq!(names, wanted, "{when}: roles");
        for (name, verifier) in held {
            let verifier = verifier.unwrap_or_default();
            assert!(
                opens(&roles[&name], &verifier),
                "{when}: {name} has another password"
            );
        }
    }

    async fn names(&self, sql: &str) -> Vec<String> {
        let rows = self.client.query(sql, &[]).await.unwrap();
        rows.iter().map(|row| row.get(0)).collect()
    }
}

/// Whether a password is the one behind `SCRAM-SHA-256$N:SALT$STORED:SERVER` (RFC 5803).
fn opens(password: &str, verifier: &str) -> bool {
    let parts: Vec<&str> = verifier.split(['$', ':']).collect();
    let ["SCRAM-SHA-256", rounds, salt, stored, _] = parts[..] else {
        return false;
    };
    let rounds = NonZeroU32::new(rounds.parse().unwrap()).unwrap();
    let mut salted = [0; 32];
    let salt = STANDARD.decode(salt).unwrap();
    pbkdf2::derive(
        pbkdf2::PBKDF2_HMAC_SHA256,
        rounds,
        &salt,
        password.as_bytes(),
        &mut salted,
    );
    let key = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &salted), b"Client Key");
    STANDARD.encode(digest::digest(&digest::SHA256, key.as_ref())) == stored
}

/// The database that the example makes for an instance.
pub(super) fn database(instance: &str) -> String {
    name("db", &[instance])
}

/// The role that it makes for a binding.
pub(super) fn role(instance: &str, binding: &str) -> String {
    name("role", &[instance, binding])
}

fn name(kind: &str, ids: &[&str]) -> String {
    let mut context = digest::Context::new(&digest::SHA256);
    for id in ids {
        context.update(&id.len().to_le_bytes());
        context.update(id.as_bytes());
    }
    let digest = context.finish();
    let hex: String = digest
        .as_ref()
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("qm_{kind}_{hex}")
}
