//! `smctl user`: people who log in at the manager itself, and their roles.

mod create;
mod password;
mod update;

use super::noun::User;
use super::{delete, get, list_all};
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use clap::{Subcommand, ValueEnum};

/// Verbs of users.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// List users.
    #[command(visible_alias = "ls")]
    List(list_all::Args<User>),
    /// Show users.
    #[command(visible_alias = "describe")]
    Get(get::Args<User>),
    /// Add a user.
    Create(create::Args),
    /// Change a user: name, password, roles, tenant.
    Update(update::Args),
    /// Remove users.
    Delete(delete::Args<User>),
    /// Change your own password.
    Password(password::Args),
}

/// What somebody may do.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Role {
    /// Reads.
    Viewer,
    /// Reads, and works with instances and bindings.
    Developer,
    /// Everything but purging.
    Admin,
    /// Removes records without asking the broker.
    Purge,
}

impl Role {
    pub(super) fn list(roles: &[Self]) -> crate::doc::Doc {
        let word = |role: &Self| match role {
            Self::Viewer => "viewer",
            Self::Developer => "developer",
            Self::Admin => "admin",
            Self::Purge => "purge",
        };
        crate::doc::Doc::List(roles.iter().map(|role| word(role).into()).collect())
    }
}

impl Verb {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        match self {
            Self::List(args) => args.run(global).await,
            Self::Get(args) => args.run(global).await,
            Self::Create(args) => args.run(global).await,
            Self::Update(args) => args.run(global).await,
            Self::Delete(args) => args.run(global).await,
            Self::Password(args) => args.run(global).await,
        }
    }
}

/// A new password: from the environment, or asked twice.
fn new_password() -> Result<String, Problem> {
    if let Some(password) = crate::session::variable("SMCTL_NEW_PASSWORD") {
        return Ok(password);
    }
    let first = crate::prompt::password("New password: ")?;
    let second = crate::prompt::password("Once more: ")?;
    if first == second {
        Ok(first)
    } else {
        Err(Problem::usage("the two passwords differ"))
    }
}
