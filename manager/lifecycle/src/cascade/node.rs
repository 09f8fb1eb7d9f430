//! A node of a cascade, and how one is stored.

use crate::Lifecycle;
use crate::broker::intent;
use crate::desk;
use qm_model::binding::Binding;
use qm_model::broker::Broker;
use qm_model::id::OperationId;
use qm_model::instance::Instance;
use qm_model::operation::{Family, Operation, State, Verb};
use qm_model::platform::Platform;
use qm_model::{Ctx, Error, Kind};
use qm_policy::Scope;
use qm_store::operation::family::{self, Branch};
use qm_store::operation::{Began, Held, NewOperation, Phase, Taken};
use qm_store::{Tx, resource};
use serde::{Deserialize, Serialize};

/// What every node of a tree knows beside its operation; sealed with it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Wish {
    /// What its broker does not delete is removed all the same.
    pub(super) force: bool,
}

/// A node in the hands of whoever works on it.
pub(super) struct Node<'a> {
    pub(super) deeds: &'a Lifecycle,
    /// Who began the cascade.
    pub(super) ctx: Ctx,
    pub(super) wish: Wish,
    pub(super) held: Held,
    pub(super) operation: Operation,
    pub(super) root: OperationId,
    pub(super) branch: Branch,
}

impl<'a> Node<'a> {
    /// # Errors
    /// Ours: what was written can be read.
    pub(super) fn new(deeds: &'a Lifecycle, taken: Taken) -> Result<Self, Error> {
        let Taken {
            held,
            operation,
            work,
            keep_on_failure: _,
            phase: _,
            broker_id: _,
            broker_operation: _,
        } = taken;
        let (ctx, work) = intent::begun(&operation, &work);
        let root = operation.family.root.clone();
        Ok(Self {
            deeds,
            ctx,
            wish: serde_json::from_str(&work).map_err(Error::internal)?,
            root: root.unwrap_or_else(|| operation.id.clone()),
            branch: branch(deeds, operation.resource_kind, &operation.resource_id),
            held,
            operation,
        })
    }

    pub(super) fn is_root(&self) -> bool {
        self.operation.id == self.root
    }

    /// Where the children of this node stand.
    pub(super) fn family(&self) -> Family {
        Family {
            parent: Some(self.operation.id.clone()),
            root: Some(self.root.clone()),
        }
    }

    pub(super) fn is_late(&self) -> bool {
        let end = self.operation.deadline;
        end.is_some_and(|end| end <= self.deeds.lease_now())
    }
}

/// The dependants of a resource.
pub(super) fn branch(deeds: &Lifecycle, kind: Kind, id: &str) -> Branch {
    Branch {
        kind,
        id: id.to_owned(),
        tenant_label: deeds.settings.policy.tenant_label.clone(),
    }
}

/// Looks for the resource: gives the platform, if it is one, and the tenant it belongs to.
///
/// # Errors
/// 404 when there is none for the caller.
pub(super) async fn find(
    tx: &Tx<'_>,
    deeds: &Lifecycle,
    scope: &Scope,
    kind: Kind,
    id: &str,
) -> Result<(Option<Platform>, Option<String>), Error> {
    let missing = || Error::Missing(kind);
    let labels = match kind {
        Kind::Platform => {
            let it = crate::platform::to_change(tx, scope, id).await?;
            let tenant = desk::tenant_of(deeds, &it.meta.labels);
            return Ok((Some(it), tenant));
        }
        Kind::Broker => {
            let it: Option<Broker> = resource::get(tx, scope, id).await?;
            it.map(|it| it.meta.labels)
        }
        Kind::Instance => {
            let it: Option<Instance> = resource::get(tx, scope, id).await?;
            it.map(|it| it.meta.labels)
        }
        Kind::Binding => {
            let it: Option<Binding> = resource::get(tx, scope, id).await?;
            it.map(|it| it.meta.labels)
        }
        // A tenant is what it has.
        Kind::Tenant if !branch(deeds, kind, id).is_bare(tx).await? => {
            return Ok((None, Some(id.to_owned())));
        }
        _ => None,
    };
    Ok((None, desk::tenant_of(deeds, &labels.ok_or_else(missing)?)))
}

/// Stores a node with a lease for this process, if nothing is being done to the resource.
///
/// # Errors
/// The store's.
pub(super) async fn store(
    tx: &Tx<'_>,
    deeds: &Lifecycle,
    ctx: &Ctx,
    operation: &Operation,
    tenant: Option<String>,
    wish: Wish,
) -> Result<Result<Taken, Operation>, Error> {
    let wish = serde_json::to_string(&wish).map_err(Error::internal)?;
    let work = intent::remembered(ctx, wish)?;
    let now = deeds.lease_now();
    let new = NewOperation {
        operation: operation.clone(),
        tenant,
        work: work.clone(),
        keep_on_failure: false,
        owner: deeds.settings.replica.clone(),
        lease_until: now.plus(deeds.settings.lease),
    };
    match family::insert(tx, &new).await? {
        Began::Busy(other) => Ok(Err(*other)),
        Began::Begun(held) => Ok(Ok(Taken {
            held,
            operation: new.operation,
            work,
            keep_on_failure: false,
            phase: Phase::Cascading,
            broker_id: None,
            broker_operation: None,
        })),
    }
}

/// The operation of a new node. Without a parent it is a root.
pub(super) fn fresh(
    deeds: &Lifecycle,
    ctx: &Ctx,
    kind: Kind,
    id: &str,
    family: Option<Family>,
) -> Operation {
    let (now, lease_now) = (deeds.now(), deeds.lease_now());
    let operation =
        crate::operation::fresh(deeds, ctx, Verb::Delete, kind, id, State::Pending, now);
    Operation {
        deadline: Some(lease_now.plus(deeds.settings.osb.longest)),
        due_at: Some(lease_now),
        family: family.unwrap_or_else(|| Family {
            parent: None,
            root: Some(operation.id.clone()),
        }),
        ..operation
    }
}
