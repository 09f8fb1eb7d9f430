#![doc = include_str!("../README.md")]

mod expire_audit;
mod expire_logins;
mod expire_operations;
mod expire_presence;
mod follow_registry;
mod measure;
mod refresh_catalogs;
mod settings;
mod take_up_operations;
mod tasks;
mod trim_outbox;

pub use settings::Settings;
pub use tasks::Tasks;
