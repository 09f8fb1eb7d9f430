#![doc = include_str!("../README.md")]

pub mod audit;
pub mod binding;
pub mod broker;
pub mod cascade;
pub mod catalog;
pub mod credential;
mod deeds;
mod desk;
pub mod door;
mod engine;
pub mod health;
pub mod identity;
pub mod instance;
mod lease_clock;
pub mod operation;
mod permitted;
pub mod platform;
pub mod read;
mod schema;
mod settings;
mod tell;
pub mod views;
pub mod visibility;

pub use deeds::{Clock, Done, How, Lifecycle, Mode, Shown};
pub use engine::resume;
pub use permitted::{Wish, permitted};
pub use settings::{Osb, Settings};
pub use tell::Words;

pub use qm_store::resource::Resource;
