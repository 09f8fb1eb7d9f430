//! `PUT .../service_bindings/{b}` with `predecessor_binding_id` (B55)
//!
//! The new binding inherits parameters and place of the old one; the platform may no longer have them.

use super::Inner;
use super::bind::bindable;
use crate::broker::call::Asked;
use crate::broker::failure::Failure;
use crate::life::Wish;
use crate::record::{AskedRecord, Key, Life, Record, Spec};
use jiff::Timestamp;
use quartermaster_osb::{Answer, BindingId, RotateRequest, Verb};
use std::sync::Arc;

impl Inner {
    pub(super) async fn rotate(
        self: Arc<Self>,
        key: Key,
        accepts_incomplete: bool,
        body: RotateRequest,
        asked: Asked,
    ) -> Result<Answer, Failure> {
        let RotateRequest {
            predecessor_binding_id,
            service_id,
            plan_id,
            extra: _,
        } = body;
        let instance = self.instance_of(&key).await?;
        if service_id.is_some_and(|id| id != instance.service)
            || plan_id.is_some_and(|id| id != instance.plan)
        {
            return Err(Failure::bad_request(
                "service_id and plan_id are not those of the instance",
            ));
        }
        let entry = self.resolve(&instance.service, &instance.plan)?;
        bindable(&entry)?;
        if !entry.plan.binding_rotatable {
            return Err(Failure::refused(
                "bindings of this plan cannot be rotated (binding_rotatable is false)",
            ));
        }
        if key.binding.as_ref() == Some(&predecessor_binding_id) {
            return Err(Failure::bad_request(
                "predecessor_binding_id must name another binding than the new one",
            ));
        }
        let predecessor_key = key.with_binding(Some(predecessor_binding_id.clone()));
        let predecessor = self.engine.store.load(&predecessor_key).await?;
        let inherited = match valid(predecessor) {
            Ok(spec) => spec,
            // The answer may have been lost, and the old binding gone since.
            Err(failure) => self
                .rotated(&key, &predecessor_binding_id)
                .await?
                .ok_or(failure)?,
        };
        self.before(Verb::Bind, &key, &instance.service, &instance.plan, &asked)
            .await?;
        let spec = Arc::new(Spec {
            predecessor: Some(predecessor_binding_id),
            asked: AskedRecord::of(&asked),
            ..inherited
        });
        let wish = Wish::Create {
            service: instance.service,
            plan: instance.plan,
            spec,
        };
        self.make_binding(key, wish, accepts_incomplete, &asked, &entry)
            .await
    }
}

impl Inner {
    /// What a binding was made with, if it is there and came from this predecessor.
    async fn rotated(&self, key: &Key, from: &BindingId) -> Result<Option<Spec>, Failure> {
        let record = self.engine.store.load(key).await?;
        let record = record.filter(|record| record.life == Life::Ready);
        let spec = record.and_then(|record| record.spec);
        Ok(spec
            .filter(|spec| spec.predecessor.as_ref() == Some(from))
            .map(Arc::unwrap_or_clone))
    }
}

/// What the new binding inherits from one that exists and has not expired.
fn valid(predecessor: Option<Record>) -> Result<Spec, Failure> {
    let unknown =
        || Failure::bad_request("predecessor_binding_id names no binding of this instance");
    let record = predecessor
        .filter(|record| record.life == Life::Ready)
        .ok_or_else(unknown)?;
    let expires = record
        .made
        .binding
        .as_ref()
        .and_then(|binding| binding.metadata.as_ref())
        .and_then(|metadata| metadata.expires_at.as_deref())
        .and_then(|text| text.parse::<Timestamp>().ok());
    if expires.is_some_and(|expires| expires <= Timestamp::now()) {
        return Err(Failure::bad_request(
            "the predecessor binding has expired: bind anew",
        ));
    }
    record.spec.map(Arc::unwrap_or_clone).ok_or_else(unknown)
}
