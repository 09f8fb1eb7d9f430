//! Deeds on bindings at an OSB door, one file each.

mod adapt;
mod bind;
mod fetch;
mod poll;
mod unbind;

pub use adapt::adapt;
pub use bind::bind;
pub use fetch::fetch;
pub use poll::poll;
pub use unbind::unbind;
