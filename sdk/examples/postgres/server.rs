//! The SQL of the PostgreSQL broker: each function may run again and ends in the same place.
//!
//! The rule: whoever touches an instance holds its advisory lock on the server. A killed broker's last
//! statement may still be running there; its session holds the lock until it has ended.

use aws_lc_rs::{digest, rand};
use jiff::Timestamp;
use quartermaster_sdk::osb::Secret;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config, NoTls};

/// What can go wrong on the server.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    #[error("the PostgreSQL server cannot be reached")]
    Unreachable(#[source] tokio_postgres::Error),
    #[error("the PostgreSQL server refused a statement")]
    Statement(#[from] tokio_postgres::Error),
    #[error("the database of the instance does not exist")]
    NoDatabase,
    #[error("no randomness for a password")]
    NoRandomness,
    #[error("--server is not a PostgreSQL address: postgres://user:password@host:port/database")]
    Address,
}

/// A PostgreSQL server on which the broker may create databases and roles.
pub(crate) struct Server {
    config: Config,
    host: String,
    port: u16,
}

/// A role that was made for a binding.
pub(crate) struct MadeRole {
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) database: String,
    pub(crate) name: String,
    pub(crate) password: Secret<String>,
}

impl MadeRole {
    /// All of it in one line.
    pub(crate) fn uri(&self) -> String {
        let Self {
            host,
            port,
            database,
            name,
            password,
        } = self;
        format!(
            "postgres://{name}:{}@{host}:{port}/{database}",
            password.expose()
        )
    }
}

impl Server {
    /// Takes the address and sees that the server answers.
    pub(crate) async fn connect(url: &str) -> Result<Self, Trouble> {
        let config: Config = url.parse().map_err(|_| Trouble::Address)?;
        let host = match config.get_hosts() {
            [tokio_postgres::config::Host::Tcp(host)] => host.clone(),
            _ => return Err(Trouble::Address),
        };
        let port = config.get_ports().first().copied().unwrap_or(5432);
        let server = Self { config, host, port };
        server.session(None).await?;
        Ok(server)
    }

    /// Makes the database of an instance.
    pub(crate) async fn create_database(
        &self,
        instance: &str,
        connections: u32,
    ) -> Result<(), Trouble> {
        let name = name("db", &[instance]);
        let client = self.locked(instance).await?;
        if !exists(&client, "pg_roles", "rolname", &name).await? {
            tolerate(
                client
                    .batch_execute(&format!("CREATE ROLE {name} NOLOGIN"))
                    .await,
            )?;
        }
        if !exists(&client, "pg_database", "datname", &name).await? {
            let sql = format!(
                "CREATE DATABASE {name} OWNER {name} TEMPLATE template0 CONNECTION LIMIT {connections}"
            );
            tolerate(client.batch_execute(&sql).await)?;
        }
        client
            .batch_execute(&format!(
                "ALTER DATABASE {name} CONNECTION LIMIT {connections};
                 REVOKE ALL ON DATABASE {name} FROM PUBLIC"
            ))
            .await?;
        Ok(())
    }

    /// Changes how many may connect.
    pub(crate) async fn limit_connections(
        &self,
        instance: &str,
        connections: u32,
    ) -> Result<(), Trouble> {
        let name = name("db", &[instance]);
        let client = self.locked(instance).await?;
        let sql = format!("ALTER DATABASE {name} CONNECTION LIMIT {connections}");
        client.batch_execute(&sql).await?;
        Ok(())
    }

    /// Removes the database of an instance, whoever is connected, and the role that owns it.
    pub(crate) async fn drop_database(&self, instance: &str) -> Result<(), Trouble> {
        let name = name("db", &[instance]);
        let client = self.locked(instance).await?;
        client
            .batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
            .await?;
        client
            .batch_execute(&format!("DROP ROLE IF EXISTS {name}"))
            .await?;
        Ok(())
    }

    /// Makes a role that may use the database of an instance until a moment.
    pub(crate) async fn create_role(
        &self,
        instance: &str,
        binding: &str,
        read_only: bool,
        until: Timestamp,
    ) -> Result<MadeRole, Trouble> {
        let database = name("db", &[instance]);
        let role = name("role", &[instance, binding]);
        let password = password()?;
        let client = self.locked(instance).await?;
        if !exists(&client, "pg_database", "datname", &database).await? {
            return Err(Trouble::NoDatabase);
        }
        if !exists(&client, "pg_roles", "rolname", &role).await? {
            tolerate(
                client
                    .batch_execute(&format!("CREATE ROLE {role} NOLOGIN"))
                    .await,
            )?;
        }
        // A first run may have ended before its password was told to anybody: the last one counts.
        client
            .batch_execute(&format!(
                "ALTER ROLE {role} LOGIN PASSWORD '{password}' VALID UNTIL '{until}';
                 GRANT CONNECT ON DATABASE {database} TO {role}"
            ))
            .await?;
        if read_only {
            client
                .batch_execute(&format!("GRANT pg_read_all_data TO {role}"))
                .await?;
        } else {
            // What a binding makes belongs to the instance, so that it outlives the binding.
            client
                .batch_execute(&format!(
                    "GRANT {database} TO {role}; ALTER ROLE {role} SET ROLE {database}"
                ))
                .await?;
        }
        Ok(MadeRole {
            host: self.host.clone(),
            port: self.port,
            database,
            name: role,
            password: Secret::new(password),
        })
    }

    /// Removes the role of a binding and cuts its connections.
    pub(crate) async fn drop_role(&self, instance: &str, binding: &str) -> Result<(), Trouble> {
        let database = name("db", &[instance]);
        let role = name("role", &[instance, binding]);
        let client = self.locked(instance).await?;
        if !exists(&client, "pg_roles", "rolname", &role).await? {
            return Ok(());
        }
        client
            .batch_execute(&format!("ALTER ROLE {role} NOLOGIN"))
            .await?;
        client
            .execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1",
                &[&role],
            )
            .await?;
        if exists(&client, "pg_database", "datname", &database).await? {
            let inside = self.session(Some(&database)).await?;
            // Grants and leftovers of the role's own would keep it from being dropped.
            inside
                .batch_execute(&format!(
                    "REASSIGN OWNED BY {role} TO {database}; DROP OWNED BY {role}"
                ))
                .await?;
        }
        client
            .batch_execute(&format!("DROP ROLE IF EXISTS {role}"))
            .await?;
        Ok(())
    }

    /// A session that has an instance to itself.
    async fn locked(&self, instance: &str) -> Result<Client, Trouble> {
        let client = self.session(None).await?;
        client
            .execute("SELECT pg_advisory_lock($1)", &[&lock_number(instance)])
            .await?;
        Ok(client)
    }

    /// A session of its own; it ends when the client is dropped.
    async fn session(&self, database: Option<&str>) -> Result<Client, Trouble> {
        let mut config = self.config.clone();
        if let Some(database) = database {
            config.dbname(database);
        }
        let (client, connection) = config.connect(NoTls).await.map_err(Trouble::Unreachable)?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "session ended");
            }
        });
        Ok(client)
    }
}

async fn exists(client: &Client, table: &str, column: &str, name: &str) -> Result<bool, Trouble> {
    let sql = format!("SELECT 1 FROM {table} WHERE {column} = $1");
    Ok(client.query_opt(&sql, &[&name]).await?.is_some())
}

/// Somebody who was killed may have been quicker.
fn tolerate(result: Result<(), tokio_postgres::Error>) -> Result<(), Trouble> {
    match result {
        Err(error)
            if matches!(
                error.code(),
                Some(
                    &SqlState::DUPLICATE_DATABASE
                        | &SqlState::DUPLICATE_OBJECT
                        | &SqlState::UNIQUE_VIOLATION
                )
            ) =>
        {
            Ok(())
        }
        other => Ok(other?),
    }
}

/// A name that PostgreSQL takes unquoted, for ids of any form and length.
fn name(kind: &str, ids: &[&str]) -> String {
    let digest = fingerprint(ids);
    let hex: String = digest
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("qm_{kind}_{hex}")
}

fn lock_number(instance: &str) -> i64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&fingerprint(&[instance])[..8]);
    i64::from_le_bytes(bytes)
}

fn fingerprint(ids: &[&str]) -> Vec<u8> {
    let mut context = digest::Context::new(&digest::SHA256);
    for id in ids {
        context.update(&id.len().to_le_bytes());
        context.update(id.as_bytes());
    }
    context.finish().as_ref().to_vec()
}

fn password() -> Result<String, Trouble> {
    let mut bytes = [0; 24];
    rand::fill(&mut bytes).map_err(|_| Trouble::NoRandomness)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
