//! Deeds about what a platform's registrations of brokers log in with. Platforms only, and only their own.

mod activate;
mod put;

pub use activate::activate;
pub use put::{NewCredential, put};
