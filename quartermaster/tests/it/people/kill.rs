//! `kill -9` of the manager while people's operations are under way: at every step of every verb, and at random
//! moments under load; one replica of two; and a database that goes away.
//!
//! The rule: afterwards the broker's own record and the manager's agree, nothing is under way, what was answered is
//! there, and nothing was deleted that nobody asked to delete and whose creation had not failed.

mod customer;
mod load;
mod steps;
