//! The registry through its doors: each resource, each rule about it, each thing platforms are told.

mod bodies;
mod brokers;
mod catalog_changes;
mod catalog_moves;
mod catalogs;
mod clients;
mod credentials;
mod identity;
mod instances;
mod labels;
mod limits;
mod newcomers;
mod notifications;
mod operations;
mod paging;
mod platforms;
mod recipients;
mod relabelled;
mod rotation;
mod seeing;
mod tenants;
mod users;
mod visibilities;
