#![doc = include_str!("../README.md")]

mod catch_up;
mod end;
mod error;
mod follow;
mod message;
mod meter;
mod platform;
mod recent;
mod settings;
mod stream;
mod subscription;

pub use end::End;
pub use error::SubscribeError;
pub use message::{Encode, Message};
pub use meter::count_cut;
pub use settings::StreamSettings;
pub use stream::Stream;
pub use subscription::Subscription;
