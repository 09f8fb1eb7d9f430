//! Begins with one dependant: a node of its own, when something may depend on it in its turn, or else its deletion.
//!
//! The rule: whatever is being done to it already is waited for. What cannot be begun for good counts as failed, and is
//! stored as an operation that has failed, so that it is neither tried again nor forgotten.

use super::node::{self, Node};
use super::{begin, rules, turn};
use crate::engine::{self, Erasing, Subject};
use qm_model::id::{BindingId, InstanceId};
use qm_model::operation::{Operation, State};
use qm_model::{Chain, Error, Kind};
use qm_policy::Scope;
use qm_store::Tx;
use qm_store::operation::Taken;
use qm_store::operation::family::Child;
use serde_json::json;

impl Node<'_> {
    /// Whether the tree has it now. False: it is gone, or must be waited for.
    ///
    /// # Errors
    /// The store's.
    pub(super) async fn child(&self, child: &Child) -> Result<bool, Error> {
        let tried = if child.is_node {
            self.branch_off(child).await
        } else {
            self.erase(child).await
        };
        match tried {
            Ok(begun) => Ok(begun),
            Err(Error::Missing(_)) => Ok(false),
            // Something is in the way, and will end.
            Err(Error::Unprocessable { word, .. }) if word.starts_with("Concurren") => Ok(false),
            Err(
                error @ (Error::Invalid { .. }
                | Error::Forbidden { .. }
                | Error::NotFound { .. }
                | Error::Conflict { .. }
                | Error::Unprocessable { .. }),
            ) => self.refuse(child, &error).await.map(|()| true),
            // The others need not wait for what is wrong with this one; it is tried again until the deadline.
            Err(error) => {
                tracing::warn!(
                    operation = %self.operation.id, resource = %child.id, error = %Chain(&error),
                    "a part of a cascade could not be begun"
                );
                Ok(false)
            }
        }
    }

    /// A node of its own.
    async fn branch_off(&self, child: &Child) -> Result<bool, Error> {
        let deeds = self.deeds;
        let permit = self.permit()?;
        let operation = node::fresh(deeds, &self.ctx, child.kind, &child.id, Some(self.family()));
        let (deeds2, ctx, wish) = (deeds.clone(), self.ctx.clone(), self.wish);
        let (kind, id) = (child.kind, child.id.clone());
        let stored: Option<Taken> = deeds
            .store
            .change(&permit, async move |tx: &Tx<'_>| {
                let (platform, tenant) = node::find(tx, &deeds2, &Scope::All, kind, &id).await?;
                if let Some(platform) = &platform {
                    rules::inactive(platform)?;
                }
                let stored = node::store(tx, &deeds2, &ctx, &operation, tenant, wish).await?;
                Ok::<_, Error>(stored.ok())
            })
            .await?;
        match stored {
            None => Ok(false),
            Some(taken) => {
                turn::detach(deeds, taken);
                Ok(true)
            }
        }
    }

    /// Its deletion.
    async fn erase(&self, child: &Child) -> Result<bool, Error> {
        let subject = match (child.kind, &child.instance) {
            (Kind::Binding, Some(instance)) => {
                Subject::Binding(instance.clone(), BindingId::stored(child.id.clone()))
            }
            (Kind::Binding, None) => begin::subject_of_binding(self.deeds, &child.id).await?,
            _ => Subject::Instance(InstanceId::stored(child.id.clone())),
        };
        let (ctx, family) = (&self.ctx, self.family());
        match engine::erase(self.deeds, ctx, subject, family, self.wish.force).await? {
            Erasing::Begun(_) => Ok(true),
            Erasing::UnderWay(_) | Erasing::Gone => Ok(false),
        }
    }

    async fn refuse(&self, child: &Child, why: &Error) -> Result<(), Error> {
        let why = why.to_string();
        let operation = Operation {
            state: State::Failed,
            errors: Some(json!({"error": "Refused", "description": why})),
            description: why,
            due_at: None,
            ..node::fresh(
                self.deeds,
                &self.ctx,
                child.kind,
                &child.id,
                Some(self.family()),
            )
        };
        let tenant = crate::broker::intent::tenant(&self.ctx);
        self.deeds
            .store
            .change(&self.permit()?, async move |tx: &Tx<'_>| {
                Ok(qm_store::operation::record(tx, &operation, tenant.as_deref()).await?)
            })
            .await
    }
}
