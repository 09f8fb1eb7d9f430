//! `smctl platform`.

mod register;
mod rotate;
mod update;

use super::noun::Platform;
use super::{delete, get, label, list};
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use clap::Subcommand;

/// Verbs of platforms.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// List platforms.
    #[command(visible_alias = "ls")]
    List(list::Args<Platform>),
    /// Show platforms.
    #[command(visible_alias = "describe")]
    Get(get::Args<Platform>),
    /// Register a platform. Its user and password are shown this once.
    #[command(visible_alias = "create")]
    Register(register::Args),
    /// Change a platform.
    Update(update::Args),
    /// Make a new user and password. The old pair is valid until the new one is used.
    Rotate(rotate::Args),
    /// Remove a platform.
    Delete(delete::Args<Platform>),
    /// Add and remove labels.
    Label(label::Args<Platform>),
}

impl Verb {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        match self {
            Self::List(args) => args.run(global).await,
            Self::Get(args) => args.run(global).await,
            Self::Register(args) => args.run(global).await,
            Self::Update(args) => args.run(global).await,
            Self::Rotate(args) => args.run(global).await,
            Self::Delete(args) => args.run(global).await,
            Self::Label(args) => args.run(global).await,
        }
    }
}

/// Shows a platform with the pair that is seen this once.
fn show(format: &crate::output::Format, doc: &crate::doc::Doc) {
    if !format.is_table() {
        return crate::output::machine(format, "platform", doc);
    }
    let basic = doc.at(&["credentials", "basic"]);
    let mut sheet = super::describe::Sheet::new();
    sheet.line("Name", doc.str("name"));
    sheet.line("ID", doc.str("id"));
    sheet.line("Type", doc.str("type"));
    sheet.line("Username", basic.str("username"));
    sheet.line("Password", basic.str("password"));
    sheet.print();
    if !basic.is_null() {
        eprintln!("The password is not shown again.");
    }
}
