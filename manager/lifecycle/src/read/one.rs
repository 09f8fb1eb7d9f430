//! One resource with its last operation.

use crate::{Lifecycle, Resource, Shown};
use qm_model::{Ctx, Error, Kind};
use qm_store::resource;

/// Reads one resource.
///
/// # Errors
/// 404 when it is not there or not for the caller to see.
pub async fn one<R: Resource>(deeds: &Lifecycle, ctx: &Ctx, id: &str) -> Result<Shown<R>, Error> {
    let permit = qm_policy::read(ctx, R::KIND, &deeds.settings.policy)?;
    let (scope, id) = (permit.scope().clone(), id.to_owned());
    deeds
        .store
        .look_up(async move |tx| {
            let found = if R::KIND == Kind::Operation {
                let operation = resource::get::<R>(tx, &scope, &id).await?;
                operation.map(|operation| (operation, None))
            } else {
                resource::get_with_last::<R>(tx, &scope, &id).await?
            };
            let (resource, last_operation) = found.ok_or(Error::Missing(R::KIND))?;
            Ok(Shown {
                resource,
                last_operation,
            })
        })
        .await
}
