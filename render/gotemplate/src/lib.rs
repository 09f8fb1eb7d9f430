#![doc = include_str!("../README.md")]

mod builtin;
mod context;
mod error;
mod exec;
pub mod fmt;
mod function;
mod limits;
mod parse;
mod set;
mod tree;
mod types;
mod unicode;
mod value;

pub use context::Context;
pub use error::{Error, Limit, Location};
pub use function::{Args, Failure, Function, Functions, Signature};
pub use limits::Limits;
pub use set::{MissingKey, Run, TemplateSet};
pub use types::{Kind, Type};
pub use value::{JsonNumber, List, Map, Numbers, Object, Str, Value};
