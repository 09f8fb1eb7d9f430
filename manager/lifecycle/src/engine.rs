//! The operation engine: how every deed that calls a broker is begun, sent, concluded, and taken up again when its
//! process died. The deeds on instances and bindings and the tasks call it.
//!
//! The rule: before the broker is called the intent is stored, and after it the outcome, the resource and the event
//! are stored in one transaction. Whatever happens in between leaves an operation that `resume`
//! knows how to finish.

mod again;
mod at;
pub(crate) mod body;
mod conclude;
mod deletion;
mod erase;
mod fetch;
mod judge;
mod order;
pub(crate) mod own;
mod poll;
mod remove;
mod resume;
mod run;
mod send;
mod start;
pub(crate) mod wait;

pub(crate) use again::{Again, Found, accepted, again, in_the_way, json_reply, just_now, platform};
pub(crate) use at::at;
pub(crate) use conclude::Row;
pub(crate) use erase::{Erasing, Erasure, Errand, erase, erase_now, errand};
pub(crate) use fetch::{fetch, reply};
pub(crate) use order::{NewValues, Order, Own, Subject};
pub(crate) use poll::{instance_is_busy, poll};
pub(crate) use remove::remove;
pub use resume::resume;
pub(crate) use run::{Begun, run};
pub(crate) use send::{send, signed};
pub(crate) use start::{
    Entered, OwnIntent, Started, enter, longest_of, name_taken, order_of, start, terminating,
};
