//! What the process remembers of the registry: pairs that were right, and views of brokers. Nothing of it may outlive
//! what it was made of.

mod login;
mod registry;
mod replicas;
mod views;
