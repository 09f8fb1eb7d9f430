//! The ten endpoints as well-formed requests about things that do not exist.
//!
//! Used by cases that want the same answer everywhere. Two of the requests would create an instance and a
//! binding if they were let through; the ledger knows them.

use crate::plan::Plan;
use crate::request::Request;
use crate::world::{Binding, Instance};

/// All ten, with fresh ids.
pub(super) fn all(plan: &Plan) -> Vec<Request> {
    let instance = Instance::new(plan);
    let binding = Binding::new(&instance, plan);
    vec![
        Request::catalog(),
        instance.put(),
        instance.get(),
        instance.patch(&instance.bare_update()),
        instance.delete(),
        instance.poll(None),
        binding.put(),
        binding.get(),
        binding.delete(),
        binding.poll(None),
    ]
}
