//! The manager is a platform of its own: instances that people make directly belong to it. Called at every start.

use crate::Lifecycle;
use qm_model::id::PlatformId;
use qm_model::platform::{Platform, SERVICE_MANAGER};
use qm_model::{Ctx, Error, Kind, Labels, Meta};
use qm_store::platform;

/// Makes sure that the manager's own platform is there. Replicas may do this at once.
///
/// # Errors
/// The store does not answer.
pub async fn ensure_manager(deeds: &Lifecycle) -> Result<(), Error> {
    let ctx = Ctx::system("start", deeds.fresh());
    let permit = qm_policy::change(&ctx, Kind::Platform, &deeds.settings.policy)?;
    let manager = Platform {
        id: PlatformId::manager(),
        name: SERVICE_MANAGER.to_owned(),
        platform_type: SERVICE_MANAGER.to_owned(),
        description: "the Service Manager itself".to_owned(),
        technical: false,
        suspended: false,
        active: false,
        last_active: None,
        version: String::new(),
        meta: Meta::new(deeds.now(), Labels::new()),
    };
    deeds
        .store
        .change(&permit, async move |tx| {
            if platform::get_any(tx, manager.id.as_str()).await?.is_none() {
                platform::insert(tx, &manager, None).await?;
            }
            Ok(())
        })
        .await
}
