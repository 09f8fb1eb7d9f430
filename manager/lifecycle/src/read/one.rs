//! One resource with its last operation.

use crate::{Lifecycle, Resource, Shown};
use qm_model::{Ctx, Error, Kind};
use qm_store::{operation, resource};

/// Reads one resource.
///
/// # Errors
/// 404 when it is not there or not for the caller to see.
pub async fn one<R: Resource>(deeds: &Lifecycle, ctx: &Ctx, id: &str) -> Result<Shown<R>, Error> {
    let permit = qm_policy::read(ctx, R::KIND, &deeds.settings.policy)?;
    let (scope, id) = (permit.scope().clone(), id.to_owned());
    deeds
        .store
        .read(async move |tx| {
            let resource = resource::get::<R>(tx, &scope, &id)
                .await?
                .ok_or(Error::Missing(R::KIND))?;
            let last_operation = if R::KIND == Kind::Operation {
                None
            } else {
                operation::last_of(tx, R::KIND, resource.id()).await?
            };
            Ok(Shown {
                resource,
                last_operation,
            })
        })
        .await
}
