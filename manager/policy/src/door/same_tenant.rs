//! Whether a request comes from the tenant that has the instance. A platform may serve many tenants, and names the
//! one it speaks for in the context.

use super::{Object, Refusal};
use qm_model::Kind;
use qm_model::instance::Instance;
use serde_json::Value;

/// May the tenant that the context names touch this instance? Where either side names none, nothing is known and
/// nothing refused.
///
/// # Errors
/// 404 when both name one and they differ.
pub fn same_tenant(
    tenant_key: &str,
    instance: Option<&Instance>,
    context: Option<&Object>,
) -> Result<(), Refusal> {
    let owners = instance.and_then(|instance| instance.meta.labels.get(tenant_key));
    let named = context.and_then(|context| context.get(tenant_key));
    let (Some(owners), Some(named)) = (owners, named.and_then(Value::as_str)) else {
        return Ok(());
    };
    if named.is_empty() || owners.contains(named) {
        return Ok(());
    }
    Err(Refusal::missing("instance-tenant", Kind::Instance))
}
