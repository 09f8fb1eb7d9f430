#![doc = include_str!("../README.md")]

#[cfg(feature = "cli")]
pub mod args;
pub mod auth;
pub mod broker;
pub mod catalog;
mod endpoint;
pub mod hooks;
mod life;
mod mount;
mod observe;
mod record;
#[cfg(feature = "server")]
pub mod server;
mod store;
pub mod telemetry;
pub mod testing;
mod work;

pub use broker::failure::Failure;
pub use broker::{Broker, Reply};
pub use endpoint::{BuildError, Builder, DeletedOperation, Endpoint, MissingVersion};
pub use mount::{Brokers, MountError};
pub use quartermaster_osb as osb;
pub use store::{Store, StoreError};
pub use work::Progress;

/// The keys that seal secrets in the store.
pub use qm_db::seal::KeyRing;

/// What a broker program needs, in one line.
pub mod prelude {
    #[cfg(feature = "cli")]
    pub use crate::args::ServeArgs;
    pub use crate::auth::{Basic, Bearer};
    pub use crate::broker::call::{
        Asked, Bind, Deprovision, FetchedBinding, FetchedInstance, NoParameters, Provision, Rotate,
        Unbind, Update,
    };
    pub use crate::broker::outcome::{Outcome, Provisioned, Updated, later, now};
    pub use crate::catalog::{CatalogError, from_yaml};
    #[cfg(feature = "server")]
    pub use crate::server::Server;
    pub use crate::{Broker, Endpoint, Failure, Reply, Store};
    pub use quartermaster_osb::{Binding, BindingMetadata, Catalog, Instance, Object, Secret};
    pub use std::sync::Arc;
}
