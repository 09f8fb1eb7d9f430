//! Defects of the old server, by their numbers: each test would fail on what it did.

mod defect_05;
mod defect_21;
