#![doc = include_str!("../README.md")]

pub mod audit;
pub mod binding;
pub mod broker;
pub mod credential;
pub mod ctx;
mod error;
pub mod event;
pub mod id;
pub mod identity;
pub mod instance;
mod kind;
pub mod label;
mod meta;
pub mod offering;
pub mod operation;
pub mod page;
pub mod plan;
pub mod platform;
pub mod query;
pub mod share;
mod time;
pub mod visibility;

pub use ctx::{Caller, Ctx};
pub use error::{Chain, Error};
pub use kind::Kind;
pub use label::{LabelChange, Labels};
pub use meta::Meta;
pub use page::{Page, PageRequest};
pub use quartermaster_osb::Secret;
pub use query::Query;
pub use time::Time;
