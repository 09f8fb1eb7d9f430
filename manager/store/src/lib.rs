#![doc = include_str!("../README.md")]

pub mod audit;
pub mod binding;
pub mod broker;
pub mod catalog;
mod cells;
pub mod client;
mod count;
pub mod credential;
pub mod deed;
mod error;
pub mod fact;
pub mod facts;
pub mod instance;
mod label;
pub mod migrations;
mod offering;
pub mod operation;
pub mod outbox;
mod plan;
pub mod platform;
pub mod refresh_token;
pub mod resource;
pub mod rotate;
mod scope;
pub mod signing_key;
mod sql;
mod store;
mod tx;
pub mod user;
pub mod visibility;

pub use error::Error;
pub use qm_db::seal::KeyRing;
pub use qm_db::{Dialect, Options};
pub use resource::Resource;
pub use store::Store;
pub use tx::Tx;
