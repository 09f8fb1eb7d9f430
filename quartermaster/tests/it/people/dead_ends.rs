//! Nothing is a dead end: what failed says why and what can be done, and that can be done.

mod cancel;
mod deletion;
mod update;
