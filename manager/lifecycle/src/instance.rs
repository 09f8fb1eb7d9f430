//! Deeds on instances at an OSB door, one file each.

mod deprovision;
mod fetch;
mod poll;
mod provision;
mod update;

pub use deprovision::deprovision;
pub use fetch::fetch;
pub use poll::poll;
pub use provision::provision;
pub use update::update;
