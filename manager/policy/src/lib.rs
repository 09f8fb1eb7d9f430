#![doc = include_str!("../README.md")]

mod access;
pub mod catalog;
mod permit;
pub mod recipients;
mod scope;
pub mod token;

pub use access::{Settings, change, read};
pub use permit::{Change, Permit, Read};
pub use scope::Scope;
