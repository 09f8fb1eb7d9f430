//! `kill -9` of the manager in the middle of OSB traffic: at every step of every verb, and at random moments under load.
//!
//! The rule: afterwards the broker's own record and the manager's agree, nothing is under way, what was answered is
//! there, and nothing was deleted that was not being created.

mod customer;
mod random;
mod steps;
