#![doc = include_str!("../README.md")]

pub mod audit;
pub mod broker;
pub mod catalog;
pub mod credential;
mod deeds;
pub mod health;
pub mod identity;
mod lease_clock;
pub mod operation;
pub mod platform;
pub mod read;
mod settings;
mod tell;
pub mod visibility;

pub use deeds::{Clock, Done, Lifecycle, Mode, Shown};
pub use settings::Settings;
pub use tell::Words;

pub use qm_store::resource::Resource;
