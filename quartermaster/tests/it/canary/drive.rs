//! The drives: one file per kind of secret. Answers that show a secret on purpose are not kept.

pub(super) mod bodies;
pub(super) mod brokers;
pub(super) mod people;
pub(super) mod platforms;
pub(super) mod views;
