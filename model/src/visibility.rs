//! Who may see a plan: everybody, or one platform (and in it everybody, or who bears a label).

use crate::Meta;
use crate::id::{PlanId, PlatformId, VisibilityId};

/// A visibility.
#[derive(Debug, Clone, PartialEq)]
pub struct Visibility {
    /// Which one.
    pub id: VisibilityId,
    /// The platform; `None` is public and excludes any other row of the plan.
    pub platform_id: Option<PlatformId>,
    /// The plan.
    pub plan_id: PlanId,
    /// What every resource has. Labels narrow it (`organization_guid`).
    pub meta: Meta,
}
