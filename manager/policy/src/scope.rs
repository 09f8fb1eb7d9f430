//! Which rows of a kind a caller may touch. The store turns a scope into a condition.
//!
//! The rule: what lies outside the scope does not exist for the caller: 404, never 403.

use qm_model::id::PlatformId;

/// Which rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All.
    All,
    /// What bears the tenant's label, and of offerings and plans also what no tenant owns.
    Tenant {
        /// The label.
        key: String,
        /// Its value.
        value: String,
    },
    /// What a platform may see: of instances and bindings its own; of visibilities its own and the public
    /// ones; of platforms itself.
    Platform {
        /// Which one.
        id: PlatformId,
        /// Brokers, offerings and plans only with a visibility for it (Kubernetes).
        by_visibility: bool,
        /// The label whose owners are tenants: what another tenant owns is not seen.
        tenant_key: String,
    },
}
