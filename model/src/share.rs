//! Who may refer to a shared instance beside its own tenant. An owner grants it, and can take it back.

use crate::Time;
use crate::id::{InstanceId, PlatformId, ShareId};

/// A grant. It names a tenant or a platform, never both and never neither.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// Which one.
    pub id: ShareId,
    /// To which instance.
    pub instance_id: InstanceId,
    /// For everybody of this tenant.
    pub tenant: Option<String>,
    /// For everybody on this platform.
    pub platform_id: Option<PlatformId>,
    /// Who granted it.
    pub granted_by: String,
    /// When.
    pub created_at: Time,
}

impl Share {
    /// Who is meant, for people.
    pub fn grantee(&self) -> String {
        match (&self.tenant, &self.platform_id) {
            (Some(tenant), _) => format!("tenant {tenant:?}"),
            (None, Some(platform)) => format!("platform {platform}"),
            (None, None) => "nobody".to_owned(),
        }
    }
}
