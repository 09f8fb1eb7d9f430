//! A page of a list.

use crate::{Lifecycle, Resource, Shown};
use qm_model::{Ctx, Error, Page, PageRequest, Query};
use qm_store::{operation, resource};
use std::collections::HashMap;

/// Reads a page. `field` and `label` are in the query language; `attach` brings each one's last operation.
///
/// # Errors
/// 400 for a query that cannot be read.
pub async fn list<R: Resource>(
    deeds: &Lifecycle,
    ctx: &Ctx,
    field: Option<&str>,
    label: Option<&str>,
    page: PageRequest,
    attach: bool,
) -> Result<Page<Shown<R>>, Error> {
    let permit = qm_policy::read(ctx, R::KIND, &deeds.settings.policy)?;
    let query = query::<R>(field, label)?;
    let scope = permit.scope().clone();
    deeds
        .store
        .read(async move |tx| {
            let found = resource::list::<R>(tx, &scope, &query, &page).await?;
            let mut last = HashMap::new();
            if attach {
                let ids: Vec<String> = found
                    .items
                    .iter()
                    .map(|resource| resource.id().to_owned())
                    .collect();
                for operation in operation::last_of_many(tx, R::KIND, &ids).await? {
                    last.insert(operation.resource_id.clone(), operation);
                }
            }
            Ok(found.map(|resource| Shown {
                last_operation: last.remove(resource.id()),
                resource,
            }))
        })
        .await
}

/// A query about this resource, read and typed.
///
/// # Errors
/// 400: where it is wrong, and what was expected.
pub fn query<R: Resource>(field: Option<&str>, label: Option<&str>) -> Result<Query, Error> {
    Ok(Query::parse(
        qm_model::query::columns(R::KIND),
        field,
        label,
    )?)
}
