#![doc = include_str!("../README.md")]

mod column;
pub mod combine;
mod dialect;
mod drive;
mod error;
mod handle;
pub mod lease;
mod migrate;
mod options;
mod postgres;
mod queue;
mod row;
pub mod seal;
mod sql;
mod sqlite;
mod tx;
mod value;

pub use column::{Column, Mismatch};
pub use dialect::Dialect;
pub use error::Error;
pub use handle::Db;
pub use migrate::Migration;
pub use options::{Isolation, Options};
pub use row::Row;
pub use sql::Sql;
pub use tx::Tx;
pub use value::{Param, Value, ValueRef};
