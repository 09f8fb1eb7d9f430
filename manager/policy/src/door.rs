//! May this platform do that at a broker's door (`/v1/osb/{broker}/v2/...`)? The deeds on instances and bindings ask
//! here, one function for each rule, in the order in which the rules are written down for the verb.
//!
//! | verb | asks |
//! |---|---|
//! | catalog | `enter`, `shown` |
//! | provision | `enter`, `provision` |
//! | update | `enter`, `update`, `own`, `same_tenant`, [`share::may_change_plan`](crate::share::may_change_plan) |
//! | bind | `enter`, `bind`, `own`, `same_tenant` |
//! | deprovision, unbind, poll, fetch | `enter`, `own` |
//! | adapt credentials | `enter`, `own` |
//! | the manager's own desk | `desk`, `offered`, `plan_change`, `bindable` |
//!
//! The rule: everything is decided from what is handed in, a [`Stock`] foremost; nothing here asks a store or a
//! clock. What a refusal says names its rule, unless the answer must be the one for what does not exist.

mod answer;
mod bind;
mod desk;
mod enter;
mod own;
mod provision;
mod refusal;
mod same_tenant;
mod shown;
mod stock;
mod update;
mod viewers;

pub use answer::answer;
pub use bind::bind;
pub use desk::{bindable, desk, offered, plan_change};
pub use enter::{enter, resume};
pub use own::own;
pub use provision::provision;
pub use refusal::Refusal;
pub use same_tenant::same_tenant;
pub use shown::shown;
pub use stock::{Stock, Ware};
pub use update::update;

/// A JSON object, as platforms send it.
pub type Object = serde_json::Map<String, serde_json::Value>;
