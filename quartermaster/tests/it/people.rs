//! Instances and bindings for people: the manager itself is the platform, asked over REST by a person or a program.
//!
//! The rule: the broker's own memory and the manager's REST answers are the two records; every test of a fault ends
//! with the two saying the same. Ids are the manager's, so a test learns them from answers.

mod bind;
mod change;
mod create;
mod dead_ends;
mod delete;
mod identity;
mod kill;
mod later;
mod mitigation;
mod model;
mod names;
mod read;
mod secrets;
mod stories;
mod tenants;
mod world;
