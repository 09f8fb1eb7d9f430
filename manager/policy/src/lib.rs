#![doc = include_str!("../README.md")]

mod access;
pub mod catalog;
pub mod condition;
pub mod door;
mod permit;
pub mod recipients;
mod scope;
pub mod share;
pub mod token;

pub use access::{Settings, change, read};
pub use permit::{Change, Door, Permit, Read};
pub use scope::Scope;
