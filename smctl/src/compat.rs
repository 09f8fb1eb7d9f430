//! The commands of the old smctl: same names, aliases, flags, order of arguments, tables and exit codes, so that scripts
//! go on working. One command, one file.
//!
//! The rule: what goes to standard output is what the old smctl wrote, byte for byte, when it is no terminal. Its visible
//! defects are not kept: what is not found ends with 1 and a hint, and errors are told in words; `--compat` gives the old
//! ways back.

mod bind;
mod call;
mod curl;
mod delete_broker;
mod delete_platform;
mod delete_visibility;
mod deprovision;
mod flags;
mod get_binding;
mod get_broker;
mod get_instance;
mod label;
mod list_bindings;
mod list_brokers;
mod list_instances;
mod list_offerings;
mod list_plans;
mod list_platforms;
mod list_visibilities;
mod marketplace;
mod parameters;
mod print;
mod provision;
mod register_broker;
mod register_platform;
mod register_visibility;
mod shape;
mod sharing;
mod status;
mod table;
mod transfer_instance;
mod unbind;
mod update_broker;
mod update_instance;
mod update_platform;
mod update_visibility;

pub(crate) use provision::parameters;
pub(crate) use shape::{labels, last};

use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use clap::Subcommand;

/// The commands of the old smctl.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the marketplace: every service offering with its plans.
    #[command(visible_alias = "m", after_help = marketplace::EXAMPLES)]
    Marketplace(marketplace::Args),
    /// Make a service instance of an offering's plan.
    #[command(after_help = provision::EXAMPLES)]
    Provision(provision::Args),
    /// Make a binding: credentials for an instance.
    #[command(after_help = bind::EXAMPLES)]
    Bind(bind::Args),
    /// Delete a binding.
    #[command(after_help = unbind::EXAMPLES)]
    Unbind(unbind::Args),
    /// Delete a service instance.
    #[command(after_help = deprovision::EXAMPLES)]
    Deprovision(deprovision::Args),
    /// Show how far an operation is.
    #[command(after_help = status::EXAMPLES)]
    Status(status::Args),
    /// Send any request to the manager, as the one who is logged in.
    #[command(visible_alias = "c", after_help = curl::EXAMPLES)]
    Curl(curl::Args),
    /// Add or remove labels.
    #[command(hide = true)]
    Label(label::Args),
    /// List brokers.
    #[command(alias = "lb", hide = true)]
    ListBrokers(list_brokers::Args),
    /// Get single broker by its name.
    #[command(alias = "gb", hide = true)]
    GetBroker(get_broker::Args),
    /// Registers a broker.
    #[command(alias = "rb", hide = true)]
    RegisterBroker(register_broker::Args),
    /// Updates broker.
    #[command(alias = "ub", hide = true)]
    UpdateBroker(update_broker::Args),
    /// Deletes broker by name.
    #[command(alias = "db", hide = true)]
    DeleteBroker(delete_broker::Args),
    /// List platforms.
    #[command(alias = "lp", hide = true)]
    ListPlatforms(list_platforms::Args),
    /// Registers a platform.
    #[command(alias = "rp", hide = true)]
    RegisterPlatform(register_platform::Args),
    /// Updates platform.
    #[command(alias = "up", hide = true)]
    UpdatePlatform(update_platform::Args),
    /// Deletes platforms with a name.
    #[command(alias = "dp", hide = true)]
    DeletePlatform(delete_platform::Args),
    /// List visibilities.
    #[command(alias = "lv", hide = true)]
    ListVisibilities(list_visibilities::Args),
    /// Registers a visibility.
    #[command(alias = "rv", hide = true)]
    RegisterVisibility(register_visibility::Args),
    /// Updates visibility.
    #[command(alias = "uv", hide = true)]
    UpdateVisibility(update_visibility::Args),
    /// Deletes visibility.
    #[command(alias = "dv", hide = true)]
    DeleteVisibility(delete_visibility::Args),
    /// List service offerings.
    #[command(alias = "lo", hide = true)]
    ListOfferings(list_offerings::Args),
    /// List service plans.
    #[command(hide = true)]
    ListPlans(list_plans::Args),
    /// List service instances.
    #[command(alias = "li", hide = true)]
    ListInstances(list_instances::Args),
    /// Get single instance by its name.
    #[command(alias = "gi", hide = true)]
    GetInstance(get_instance::Args),
    /// Update a service instance.
    #[command(hide = true)]
    UpdateInstance(update_instance::Args),
    /// Transfer an instance from one platform to another.
    #[command(hide = true)]
    TransferInstance(transfer_instance::Args),
    /// Share a service instance.
    #[command(hide = true)]
    ShareInstance(sharing::Args),
    /// Unshare a service instance.
    #[command(hide = true)]
    UnshareInstance(sharing::Args),
    /// List service bindings.
    #[command(alias = "lsb", hide = true)]
    ListBindings(list_bindings::Args),
    /// Get single binding by its name.
    #[command(alias = "gsb", hide = true)]
    GetBinding(get_binding::Args),
}

/// Names and aliases of every command here, for what must be known before parsing.
pub(crate) const NAMES: [&str; 53] = [
    "marketplace",
    "m",
    "provision",
    "bind",
    "unbind",
    "deprovision",
    "status",
    "curl",
    "c",
    "label",
    "list-brokers",
    "lb",
    "get-broker",
    "gb",
    "register-broker",
    "rb",
    "update-broker",
    "ub",
    "delete-broker",
    "db",
    "list-platforms",
    "lp",
    "register-platform",
    "rp",
    "update-platform",
    "up",
    "delete-platform",
    "dp",
    "list-visibilities",
    "lv",
    "register-visibility",
    "rv",
    "update-visibility",
    "uv",
    "delete-visibility",
    "dv",
    "list-offerings",
    "lo",
    "list-plans",
    "list-instances",
    "li",
    "get-instance",
    "gi",
    "update-instance",
    "transfer-instance",
    "share-instance",
    "unshare-instance",
    "list-bindings",
    "lsb",
    "get-binding",
    "gsb",
    "l",
    "i",
];

impl Command {
    /// Does what was typed. The old smctl knows two ends, 0 and 1.
    pub(crate) async fn run(self, global: &Global) -> Exit {
        let name = self.name();
        match self.dispatch(global).await {
            Ok(exit) => exit,
            Err(problem) => fail(global, name, &problem),
        }
    }

    async fn dispatch(self, global: &Global) -> Result<Exit, Problem> {
        match self {
            Self::Marketplace(args) => args.run(global).await,
            Self::Provision(args) => args.run(global).await,
            Self::Bind(args) => args.run(global).await,
            Self::Unbind(args) => args.run(global).await,
            Self::Deprovision(args) => args.run(global).await,
            Self::Status(args) => args.run(global).await,
            Self::Curl(args) => args.run(global).await,
            Self::Label(args) => args.run(global).await,
            Self::ListBrokers(args) => args.run(global).await,
            Self::GetBroker(args) => args.run(global).await,
            Self::RegisterBroker(args) => args.run(global).await,
            Self::UpdateBroker(args) => args.run(global).await,
            Self::DeleteBroker(args) => args.run(global).await,
            Self::ListPlatforms(args) => args.run(global).await,
            Self::RegisterPlatform(args) => args.run(global).await,
            Self::UpdatePlatform(args) => args.run(global).await,
            Self::DeletePlatform(args) => args.run(global).await,
            Self::ListVisibilities(args) => args.run(global).await,
            Self::RegisterVisibility(args) => args.run(global).await,
            Self::UpdateVisibility(args) => args.run(global).await,
            Self::DeleteVisibility(args) => args.run(global).await,
            Self::ListOfferings(args) => args.run(global).await,
            Self::ListPlans(args) => args.run(global).await,
            Self::ListInstances(args) => args.run(global).await,
            Self::GetInstance(args) => args.run(global).await,
            Self::UpdateInstance(args) => args.run(global).await,
            Self::TransferInstance(args) => args.run(global).await,
            Self::ShareInstance(args) => args.run(global, true).await,
            Self::UnshareInstance(args) => args.run(global, false).await,
            Self::ListBindings(args) => args.run(global).await,
            Self::GetBinding(args) => args.run(global).await,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Marketplace(_) => "marketplace",
            Self::Provision(_) => "provision",
            Self::Bind(_) => "bind",
            Self::Unbind(_) => "unbind",
            Self::Deprovision(_) => "deprovision",
            Self::Status(_) => "status",
            Self::Curl(_) => "curl",
            Self::Label(_) => "label",
            Self::ListBrokers(_) => "list-brokers",
            Self::GetBroker(_) => "get-broker",
            Self::RegisterBroker(_) => "register-broker",
            Self::UpdateBroker(_) => "update-broker",
            Self::DeleteBroker(_) => "delete-broker",
            Self::ListPlatforms(_) => "list-platforms",
            Self::RegisterPlatform(_) => "register-platform",
            Self::UpdatePlatform(_) => "update-platform",
            Self::DeletePlatform(_) => "delete-platform",
            Self::ListVisibilities(_) => "list-visibilities",
            Self::RegisterVisibility(_) => "register-visibility",
            Self::UpdateVisibility(_) => "update-visibility",
            Self::DeleteVisibility(_) => "delete-visibility",
            Self::ListOfferings(_) => "list-offerings",
            Self::ListPlans(_) => "list-plans",
            Self::ListInstances(_) => "list-instances",
            Self::GetInstance(_) => "get-instance",
            Self::UpdateInstance(_) => "update-instance",
            Self::TransferInstance(_) => "transfer-instance",
            Self::ShareInstance(_) => "share-instance",
            Self::UnshareInstance(_) => "unshare-instance",
            Self::ListBindings(_) => "list-bindings",
            Self::GetBinding(_) => "get-binding",
        }
    }
}

/// Tells a problem as the old smctl or in our own words, with the usage when something was typed wrongly.
pub(crate) fn fail(global: &Global, name: &str, problem: &Problem) -> Exit {
    if global.compat {
        eprintln!("{}", problem.told_as_before());
    } else {
        eprintln!("{}", problem.clone().completed().told());
    }
    if problem.exit == Exit::Usage && global.compat {
        crate::cli::show_usage(name);
    }
    match problem.exit {
        Exit::Interrupted => Exit::Interrupted,
        _ => Exit::Failed,
    }
}
