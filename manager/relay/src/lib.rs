#![doc = include_str!("../README.md")]

mod ask;
mod auth;
mod breaker;
mod call;
mod catalog;
mod client;
mod dial;
mod error;
mod exchange;
mod gate;
mod issuer;
mod network;
mod numbers;
mod pass;
mod patience;
mod peer;
mod relay;
mod settings;
mod sign;
mod tls;
mod url;

pub use breaker::{BreakerSettings, BreakerState};
pub use catalog::Fetched;
pub use error::RelayError;
pub use issuer::Discovery;
pub use network::{BadNetwork, Network};
pub use pass::Passed;
pub use peer::Target;
pub use relay::{BrokerState, Relay};
pub use settings::{BadSettings, RelaySettings};
pub use sign::Signing;
pub use tls::{Identity, check_identity};
pub use url::check_url;
