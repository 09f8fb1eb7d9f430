//! What must not be removed with all it has, and what must not be made under something that is being removed.

use crate::Lifecycle;
use qm_model::platform::Platform;
use qm_model::{Error, Kind, Labels};
use qm_store::operation::family::Branch;
use qm_store::{Tx, operation};

/// Who cascades says that everything on the platform may go; one that is in use is not meant.
///
/// # Errors
/// 422.
pub(super) fn inactive(platform: &Platform) -> Result<(), Error> {
    if platform.active {
        return Err(blocked(format!(
            "the platform {:?} is active; disconnect its agent first (rule: platform-inactive)",
            platform.name
        )));
    }
    Ok(())
}

/// What others refer to is theirs as well.
///
/// # Errors
/// 422.
pub(super) async fn not_referred_to(
    tx: &Tx<'_>,
    platform: &Platform,
    branch: &Branch,
) -> Result<(), Error> {
    match branch.referred_to_from_elsewhere(tx).await? {
        None => Ok(()),
        Some(instance) => Err(blocked(format!(
            "the platform {:?} has the shared instance {instance}, to which instances on other platforms refer; \
             delete those first (rule: no-references-elsewhere)",
            platform.name
        ))),
    }
}

/// Whether nothing that bears these labels would belong to a tenant that is being removed.
///
/// # Errors
/// 422.
pub(crate) async fn tenant_stays(
    tx: &Tx<'_>,
    deeds: &Lifecycle,
    labels: &Labels,
) -> Result<(), Error> {
    let named = labels.get(&deeds.settings.policy.tenant_label);
    for tenant in named.into_iter().flatten() {
        if let Some(leaving) = operation::under_way(tx, Kind::Tenant, tenant).await? {
            return Err(blocked(format!(
                "the tenant {tenant:?} is being removed with all it has (operation {}); \
                 nothing new can belong to it (rule: tenant-termination)",
                leaving.id
            )));
        }
    }
    Ok(())
}

fn blocked(message: String) -> Error {
    Error::Unprocessable {
        word: "UnprocessableEntity",
        message,
    }
}
