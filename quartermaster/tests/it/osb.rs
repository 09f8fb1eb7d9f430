//! OSB traffic through the manager: a platform at a door, the manager, a broker that behaves until told otherwise.
//!
//! The rule: the broker's own memory and the manager's REST answers are the two records; every test of a fault ends
//! with the two saying the same.

mod clock;
mod defects;
mod disk_full;
mod hang_up;
mod hostile;
mod kill;
mod life;
mod lost;
mod polls;
mod repeats;
mod secrets;
mod storms;
mod strangers;
mod wire;
pub(crate) mod world;
