//! Shared instances and what refers to them, at the doors and over REST; who may; and instances that move to the
//! manager.
//!
//! The rule: the broker's own record of its calls says what reached it, and of references nothing must.

mod catalog;
mod deeds;
mod doors;
mod grants;
mod references;
mod shop;
mod transfer;
