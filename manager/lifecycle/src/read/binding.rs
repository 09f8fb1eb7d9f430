//! Bindings with what lets an application in.
//!
//! The rule: who may make a binding may see what it holds, and nobody else: that is a developer or an administrator. A
//! viewer sees the binding without it, and without the addresses that brokers put passwords into. A platform was told
//! by the broker, when it bound; for those nothing is kept.

use super::list::query;
use crate::{Lifecycle, Shown};
use qm_model::binding::Binding;
use qm_model::{Caller, Ctx, Error, Kind, Page, PageRequest, Secret};
use qm_store::binding::{credentials, credentials_of_many};
use qm_store::{operation, resource};
use serde_json::Value;
use std::collections::HashMap;

/// A binding, and its credentials where they are kept and the caller may see them.
pub type Opened = (Shown<Binding>, Option<Secret<Value>>);

/// One binding with its last operation.
///
/// # Errors
/// 404 when it is not there or not for the caller to see.
pub async fn binding(deeds: &Lifecycle, ctx: &Ctx, id: &str) -> Result<Opened, Error> {
    let permit = qm_policy::read(ctx, Kind::Binding, &deeds.settings.policy)?;
    let sight = Sight::of(deeds, ctx);
    let (scope, id) = (permit.scope().clone(), id.to_owned());
    deeds
        .store
        .look_up(async move |tx| {
            let found = resource::get_with_last::<Binding>(tx, &scope, &id).await?;
            let (resource, last_operation) = found.ok_or(Error::Missing(Kind::Binding))?;
            let credentials = match sight {
                Sight::Whole => credentials(tx, &resource.id).await?,
                Sight::NoCredentials | Sight::NoSecrets => None,
            };
            let shown = Shown {
                resource: sight.through(resource),
                last_operation,
            };
            Ok((shown, credentials))
        })
        .await
}

/// A page of bindings; see [`list`](super::list()).
///
/// # Errors
/// 400 for a query that cannot be read.
pub async fn bindings(
    deeds: &Lifecycle,
    ctx: &Ctx,
    field: Option<&str>,
    label: Option<&str>,
    page: PageRequest,
    attach: bool,
) -> Result<Page<Opened>, Error> {
    let permit = qm_policy::read(ctx, Kind::Binding, &deeds.settings.policy)?;
    let query = query::<Binding>(field, label)?;
    let sight = Sight::of(deeds, ctx);
    let scope = permit.scope().clone();
    deeds
        .store
        .read(async move |tx| {
            let found = resource::list::<Binding>(tx, &scope, &query, &page).await?;
            let ids = found
                .items
                .iter()
                .map(|binding| binding.id.as_str().to_owned());
            let ids: Vec<String> = ids.collect();
            let mut last = HashMap::new();
            if attach {
                for operation in operation::last_of_many(tx, Kind::Binding, &ids).await? {
                    last.insert(operation.resource_id.clone(), operation);
                }
            }
            let mut opened = HashMap::new();
            if sight == Sight::Whole && !ids.is_empty() {
                opened.extend(credentials_of_many(tx, &ids).await?);
            }
            Ok(found.map(|binding| {
                let credentials = opened.remove(&binding.id);
                let shown = Shown {
                    last_operation: last.remove(binding.id.as_str()),
                    resource: sight.through(binding),
                };
                (shown, credentials)
            }))
        })
        .await
}

/// How much of a binding a caller sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sight {
    Whole,
    /// As the broker answered, but for the credentials.
    NoCredentials,
    /// Nothing that could let somebody in.
    NoSecrets,
}

impl Sight {
    fn of(deeds: &Lifecycle, ctx: &Ctx) -> Self {
        if qm_policy::change(ctx, Kind::Binding, &deeds.settings.policy).is_ok() {
            return Self::Whole;
        }
        match &ctx.caller {
            Caller::Platform(_) | Caller::System(_) => Self::NoCredentials,
            Caller::Person(_) | Caller::Anonymous => Self::NoSecrets,
        }
    }

    fn through(self, mut binding: Binding) -> Binding {
        if self == Self::NoSecrets {
            binding.syslog_drain_url = None;
            binding.route_service_url = None;
            binding.volume_mounts = None;
        }
        binding
    }
}
