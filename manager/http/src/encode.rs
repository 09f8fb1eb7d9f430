//! What callers are answered and platforms are told: the model's resources in the words of the wire.
//!
//! The rule: every conversion destructures completely, so that a field the model gains is either shown or
//! passed over on purpose.

pub(crate) mod answer;
pub(crate) mod audit;
mod base;
pub(crate) mod binding;
mod broker;
pub(crate) mod credential;
pub(crate) mod date;
pub(crate) mod door;
pub(crate) mod grant;
pub(crate) mod identity;
mod instance;
mod notification;
pub(crate) mod offering;
mod operation;
pub(crate) mod page;
mod plan;
pub(crate) mod platform;
pub(crate) mod told;
mod visibility;
mod words;

pub use notification::Wire;

use qm_lifecycle::Shown;
use serde::Serialize;

/// A resource that has a shape on the wire.
pub(crate) trait Encode {
    /// The shape.
    type Shape: Serialize;

    /// The resource in that shape, without secrets.
    fn encode(shown: Shown<Self>) -> Self::Shape
    where
        Self: Sized;
}
