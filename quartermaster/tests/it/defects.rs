//! The defects of the old server that this one must not have, by their numbers in the list of them. Each test
//! would fail on the old behaviour.

mod catalogs;
mod exposure;
mod labels;
mod locking;
mod running;
mod stream;
