//! Our own commands: `smctl NOUN VERB`, and a few that stand alone.
//!
//! The rule: one command, one file; a command says what it takes, asks the manager, and hands over what it found.

mod apply;
mod audit;
mod binding;
mod broker;
pub(crate) mod completion;
mod context;
mod credentials;
mod delete;
mod delete_files;
mod describe;
mod diff;
mod doctor;
mod env;
mod exec;
mod export;
mod finish;
mod get;
mod info;
mod instance;
mod label;
mod list;
mod list_all;
mod login;
mod logout;
mod man;
mod manager;
mod names;
mod noun;
mod offering;
mod operation;
mod plan;
mod platform;
mod program;
mod reference;
mod resolve;
mod show;
mod tenant;
mod top;
mod user;
mod values;
mod version;
mod visibility;

pub(crate) use noun::{Binding, Broker, Instance, Kind, Noun, Plan, Platform, Visibility};
pub(crate) use resolve::resolve;

use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use clap::Subcommand;

/// Our own commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Log in to a Service Manager.
    #[command(visible_alias = "l", after_help = login::EXAMPLES)]
    Login(Box<login::Args>),
    /// Log out: the login is revoked and forgotten.
    Logout(logout::Args),
    /// Say who is logged in, and where.
    #[command(visible_alias = "i")]
    Info(info::Args),
    /// Several managers, or several logins.
    #[command(subcommand)]
    Context(context::Verb),
    /// Run a program with a service: credentials in its environment.
    #[command(after_help = exec::EXAMPLES)]
    Exec(exec::Args),
    /// Show what a binding lets in with.
    #[command(after_help = credentials::EXAMPLES)]
    Credentials(credentials::Args),
    /// Write bindings as variables, for a shell or a file.
    #[command(after_help = env::EXAMPLES)]
    Env(env::Args),
    /// Service instances.
    #[command(subcommand, visible_alias = "instances")]
    Instance(instance::Verb),
    /// Service bindings.
    #[command(subcommand, visible_alias = "bindings")]
    Binding(binding::Verb),
    /// Service offerings.
    #[command(subcommand, visible_alias = "offerings")]
    Offering(offering::Verb),
    /// Plans of service offerings.
    #[command(subcommand, visible_alias = "plans")]
    Plan(plan::Verb),
    /// Operations: what is and was done.
    #[command(subcommand, visible_alias = "operations")]
    Operation(operation::Verb),
    /// Brokers.
    #[command(subcommand, visible_alias = "brokers")]
    Broker(broker::Verb),
    /// Platforms.
    #[command(subcommand, visible_alias = "platforms")]
    Platform(platform::Verb),
    /// Which platform may offer which plan.
    #[command(subcommand, visible_alias = "visibilities")]
    Visibility(visibility::Verb),
    /// People who log in at the manager itself, and their roles.
    #[command(subcommand, visible_alias = "users")]
    User(user::Verb),
    /// Programs that log in at the manager with a secret.
    #[command(subcommand, visible_alias = "clients")]
    Client(program::Verb),
    /// Tenants.
    #[command(subcommand)]
    Tenant(tenant::Verb),
    /// The manager itself: health, configuration, logging.
    #[command(subcommand)]
    Manager(manager::Verb),
    /// Who did what, newest first.
    Audit(audit::Args),
    /// Make and change what files say.
    #[command(after_help = apply::EXAMPLES)]
    Apply(apply::Args),
    /// Show what apply would do; ends with 1 if anything.
    Diff(diff::Args),
    /// Delete what files name.
    Delete(delete_files::Args),
    /// Write what is there as files for apply, without secrets.
    Export(export::Args),
    /// Operations and brokers, live.
    Top(top::Args),
    /// Say what is wrong between here and a service, and what to do.
    Doctor(doctor::Args),
    /// A completion script for a shell.
    #[command(after_help = completion::EXAMPLES)]
    Completion(completion::Args),
    /// Manual pages.
    Man(man::Args),
    /// Write every command as Markdown.
    #[command(hide = true)]
    Reference(reference::Args),
    /// Print the version.
    #[command(visible_alias = "v")]
    Version(version::Args),
}

impl Command {
    /// Does what was typed.
    pub(crate) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        match self {
            Self::Login(args) => args.run(global).await,
            Self::Logout(args) => args.run(global).await,
            Self::Info(args) => args.run(global),
            Self::Context(verb) => verb.run(global),
            Self::Exec(args) => args.run(global).await,
            Self::Credentials(args) => args.run(global).await,
            Self::Env(args) => args.run(global).await,
            Self::Instance(verb) => verb.run(global).await,
            Self::Binding(verb) => verb.run(global).await,
            Self::Offering(verb) => verb.run(global).await,
            Self::Plan(verb) => verb.run(global).await,
            Self::Operation(verb) => verb.run(global).await,
            Self::Broker(verb) => verb.run(global).await,
            Self::Platform(verb) => verb.run(global).await,
            Self::Visibility(verb) => verb.run(global).await,
            Self::User(verb) => verb.run(global).await,
            Self::Client(verb) => verb.run(global).await,
            Self::Tenant(verb) => verb.run(global).await,
            Self::Manager(verb) => verb.run(global).await,
            Self::Audit(args) => args.run(global).await,
            Self::Apply(args) => args.run(global).await,
            Self::Diff(args) => args.run(global).await,
            Self::Delete(args) => args.run(global).await,
            Self::Export(args) => args.run(global).await,
            Self::Top(args) => args.run(global).await,
            Self::Doctor(args) => args.run(global).await,
            Self::Completion(args) => args.run(),
            Self::Man(args) => args.run(),
            Self::Reference(args) => args.run(),
            Self::Version(args) => args.run(),
        }
    }
}
