//! A broker that gives out PostgreSQL databases: a database per instance, a role per binding.
//!
//! `cargo run -p quartermaster-sdk --example postgres -- --server postgres://admin@localhost/postgres`
//!
//! `server.rs` has the SQL; here is how it meets the verbs. Everything is idempotent: `IF NOT EXISTS`
//! by hand where PostgreSQL has none, and a lock per instance on the server, so that a statement which
//! a killed broker left running there is waited for and never overtaken.

#![allow(
    clippy::needless_pass_by_value,
    reason = "calls are owned by the futures that use them"
)]

mod server;

use clap::Parser;
use jiff::{SignedDuration, Timestamp};
use quartermaster_sdk::osb::{Endpoint as NetworkEndpoint, Extra, Plan};
use quartermaster_sdk::prelude::*;
use serde::Deserialize;
use serde_json::json;
use server::Server;
use std::process::ExitCode;

/// How long before its end a credential should be renewed.
const RENEWAL: SignedDuration = SignedDuration::from_hours(7 * 24);

#[derive(Parser)]
#[command(about = "Gives out PostgreSQL databases through the Open Service Broker API")]
struct Args {
    #[command(flatten)]
    serve: ServeArgs,
    /// The PostgreSQL server, as a role that may create databases and roles. Better given in the
    /// environment, where `ps` does not show its password.
    #[arg(
        long,
        env = "QM_POSTGRES_SERVER",
        value_name = "URL",
        hide_env_values = true
    )]
    server: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Database {
    connections: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Role {
    read_only: bool,
}

struct Postgres {
    server: Server,
}

impl Broker for Postgres {
    type Parameters = Database;
    type Changes = Database;
    type BindParameters = Role;

    fn catalog(&self) -> Result<Catalog, CatalogError> {
        from_yaml(include_str!("catalog.yaml"))
    }

    async fn provision(self: Arc<Self>, call: Provision<Database>) -> Reply<Provisioned> {
        let connections = connections(&call.plan, call.parameters.connections)?;
        Ok(later(async move {
            call.progress.say("creating the database").await;
            self.server
                .create_database(call.instance.as_str(), connections)
                .await?;
            Ok(Provisioned::default())
        }))
    }

    async fn update(self: Arc<Self>, call: Update<Database>) -> Reply<Updated> {
        // A limit the user chose before stays, if the plan still allows it.
        let before = call
            .parameters
            .expose()
            .get("connections")
            .and_then(serde_json::Value::as_u64);
        let wanted = call
            .changes
            .as_ref()
            .and_then(|changes| changes.connections);
        let before = before.and_then(|n| u32::try_from(n).ok());
        let connections = connections(&call.plan, wanted.or(before))?;
        Ok(later(async move {
            self.server
                .limit_connections(call.instance.as_str(), connections)
                .await?;
            Ok(Updated::default())
        }))
    }

    async fn deprovision(self: Arc<Self>, call: Deprovision) -> Reply<()> {
        Ok(later(async move {
            call.progress.say("dropping the database").await;
            self.server.drop_database(call.instance.as_str()).await?;
            Ok(())
        }))
    }

    async fn bind(self: Arc<Self>, call: Bind<Role>) -> Reply<Binding> {
        let expires =
            Timestamp::now() + SignedDuration::from_hours(24 * credential_days(&call.plan));
        Ok(later(async move {
            let role = self
                .server
                .create_role(
                    call.instance.as_str(),
                    call.binding.as_str(),
                    call.parameters.read_only,
                    expires,
                )
                .await?;
            Ok(Binding {
                metadata: Some(BindingMetadata {
                    expires_at: Some(text(expires)),
                    renew_before: Some(text(expires - RENEWAL)),
                    extra: Extra::new(),
                }),
                endpoints: Some(vec![NetworkEndpoint {
                    host: role.host.clone(),
                    ports: vec![role.port.to_string()],
                    protocol: Some("tcp".to_owned()),
                    extra: Extra::new(),
                }]),
                credentials: Some(Secret::new(json!({
                    "uri": role.uri(),
                    "host": role.host,
                    "port": role.port,
                    "database": role.database,
                    "username": role.name,
                    "password": role.password.expose(),
                }))),
                ..Binding::default()
            })
        }))
    }

    async fn unbind(self: Arc<Self>, call: Unbind) -> Reply<()> {
        Ok(later(async move {
            self.server
                .drop_role(call.instance.as_str(), call.binding.as_str())
                .await?;
            Ok(())
        }))
    }
}

/// The wanted limit, or the plan's; refused when it is more than the plan's.
fn connections(plan: &Plan, wanted: Option<u32>) -> Result<u32, Failure> {
    let most = limit(plan, "connections")
        .and_then(|n| u32::try_from(n).ok())
        .unwrap_or(5);
    match wanted {
        Some(wanted) if wanted > most => Err(Failure::bad_request(format!(
            "parameters.connections: the plan {} allows at most {most}",
            plan.name
        ))),
        wanted => Ok(wanted.unwrap_or(most)),
    }
}

fn credential_days(plan: &Plan) -> i64 {
    limit(plan, "credential_days").unwrap_or(30)
}

fn limit(plan: &Plan, key: &str) -> Option<i64> {
    plan.metadata.as_ref()?.get(key)?.as_i64()
}

/// A time as the protocol writes it.
fn text(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%S.0Z").to_string()
}

async fn run(Args { serve, server }: Args) -> anyhow::Result<()> {
    let server = Server::connect(&server).await?;
    serve.serve(Postgres { server }).await?;
    Ok(())
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Args::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // One line with its causes; a backtrace helps nobody who gave a wrong address.
            eprintln!("Error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
