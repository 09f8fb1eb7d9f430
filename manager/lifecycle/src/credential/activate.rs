//! The agent says that its platform uses the new pair: the old one is no longer valid.

use crate::Lifecycle;
use qm_model::audit::{Entry, Outcome};
use qm_model::credential::Credential;
use qm_model::id::CredentialId;
use qm_model::{Ctx, Error, Kind};
use qm_policy::Scope;
use qm_store::{audit, credential};

/// Activates a pair of the calling platform.
///
/// # Errors
/// 404 when it is not there or another platform's.
pub async fn activate(deeds: &Lifecycle, ctx: &Ctx, id: &str) -> Result<Credential, Error> {
    let permit = qm_policy::change(ctx, Kind::Credential, &deeds.settings.policy)?;
    let Scope::Platform { id: platform, .. } = permit.scope().clone() else {
        return Err(Error::Missing(Kind::Credential));
    };
    let id = CredentialId::new(id).map_err(|_| Error::Missing(Kind::Credential))?;
    let (deeds2, ctx) = (deeds.clone(), ctx.clone());
    deeds
        .store
        .change(&permit, async move |tx| {
            let now = deeds2.now();
            let before = credential::get(tx, &id)
                .await?
                .filter(|credential| credential.platform_id == platform)
                .ok_or(Error::Missing(Kind::Credential))?;
            let after = Credential {
                active: true,
                old: None,
                updated_at: now,
                ..before
            };
            credential::put(tx, &after).await?;
            let entry = Entry::of(
                &ctx,
                now,
                "activate",
                Some(Kind::Credential),
                after.id.as_str(),
                Outcome::Succeeded,
                "",
            );
            audit::append(tx, &entry).await?;
            Ok(after)
        })
        .await
}
