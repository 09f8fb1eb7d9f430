//! Credentials as programs want them: variables, `VCAP_SERVICES`, a servicebinding.io directory.
//!
//! `smctl exec`, `smctl env` and `smctl credentials` use it. The rule: every form holds the same values; what a form
//! cannot hold is left out, never bent.

mod directory;
mod known;
mod variables;
mod vcap;

pub(crate) use directory::write as write_directory;
pub(crate) use variables::of as variables;
pub(crate) use vcap::of as vcap;

use crate::client::{Client, Query};
use crate::doc::Doc;
use crate::problem::Problem;
use qm_manager_api::{instance, offering, path, plan};

/// A binding with all that is said about it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bound {
    pub(crate) instance: Doc,
    pub(crate) binding: Doc,
    pub(crate) offering: Doc,
    pub(crate) plan: Doc,
}

impl Bound {
    /// Asks for what belongs to a binding.
    pub(crate) async fn of(client: &Client, binding: Doc) -> Result<Self, Problem> {
        let none = Query::new();
        let instance = path::item(instance::PATH, binding.str("service_instance_id"));
        let instance = client.get(&instance, &none).await?;
        // Plan and offering may be hidden from who may see the binding; then they have no names.
        let plan = path::item(plan::PATH, instance.str("service_plan_id"));
        let plan = client.get(&plan, &none).await.unwrap_or_default();
        let offering = path::item(offering::PATH, plan.str("service_offering_id"));
        let offering = client.get(&offering, &none).await.unwrap_or_default();
        Ok(Self {
            instance,
            binding,
            offering,
            plan,
        })
    }

    /// What it is called among others.
    pub(crate) fn name(&self) -> &str {
        self.instance.str("name")
    }

    /// What lets a program in.
    pub(crate) fn credentials(&self) -> &Doc {
        self.binding.get("credentials")
    }
}
