//! What the framework remembers of an instance or a binding: one record for its whole life.
//!
//! Instances and bindings live the same life (absent, creating, ready, ..., gone), so they share one
//! record, one table and one engine. The record carries the operation under way or the last one; older
//! asynchronous ones move to the table of past operations.

use crate::broker::call::Asked;
use quartermaster_osb::header::{ApiVersion, OriginatingIdentity};
use quartermaster_osb::{
    BindResource, Binding, BindingId, Context, InstanceId, InstanceMetadata, Object, PlanId,
    Secret, ServiceId, State,
};
use serde::{Deserialize, Serialize};
use std::ops::Deref;
use std::sync::Arc;

/// Which resource. Cheap to clone: an operation hands it to a dozen places.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key(Arc<KeyParts>);

/// The broker and platform prefix that a resource belongs to, and its ids.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct KeyParts {
    pub(crate) broker: Arc<str>,
    pub(crate) platform: Arc<str>,
    pub(crate) instance: InstanceId,
    pub(crate) binding: Option<BindingId>,
}

impl Deref for Key {
    type Target = KeyParts;

    fn deref(&self) -> &KeyParts {
        &self.0
    }
}

impl Key {
    pub(crate) fn new(
        broker: Arc<str>,
        platform: Arc<str>,
        instance: InstanceId,
        binding: Option<BindingId>,
    ) -> Self {
        Self(Arc::new(KeyParts {
            broker,
            platform,
            instance,
            binding,
        }))
    }

    /// The instance a binding belongs to; an instance's own key is itself.
    pub(crate) fn of_instance(&self) -> Self {
        self.with_binding(None)
    }

    /// Another resource of the same instance.
    pub(crate) fn with_binding(&self, binding: Option<BindingId>) -> Self {
        Self(Arc::new(KeyParts {
            binding,
            ..(*self.0).clone()
        }))
    }

    /// The binding id, or nothing for an instance: how the table spells it.
    pub(crate) fn binding_text(&self) -> &str {
        self.binding.as_ref().map_or("", BindingId::as_str)
    }

    /// A word for people.
    pub(crate) fn noun(&self) -> &'static str {
        if self.binding.is_some() {
            "binding"
        } else {
            "instance"
        }
    }
}

/// Where a resource stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Life {
    /// Being made.
    Creating,
    /// There.
    Ready,
    /// There, and being changed.
    Updating,
    /// Being removed.
    Deleting,
    /// The making failed; something may be left. Only a delete or the same create again helps.
    Failed,
    /// Was there once. Kept for ever, so that 404 and 410 stay right; holds no secrets.
    Gone,
}

impl Life {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Creating => "creating",
            Self::Ready => "ready",
            Self::Updating => "updating",
            Self::Deleting => "deleting",
            Self::Failed => "failed",
            Self::Gone => "gone",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        [
            Self::Creating,
            Self::Ready,
            Self::Updating,
            Self::Deleting,
            Self::Failed,
            Self::Gone,
        ]
        .into_iter()
        .find(|life| life.as_str() == text)
    }
}

/// What kind of work an operation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    Create,
    Update,
    Delete,
}

impl Work {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        [Self::Create, Self::Update, Self::Delete]
            .into_iter()
            .find(|work| work.as_str() == text)
    }
}

/// A resource, whole.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) key: Key,
    pub(crate) service: ServiceId,
    pub(crate) plan: PlanId,
    pub(crate) life: Life,
    /// What was asked for; `None` once gone.
    pub(crate) spec: Option<Arc<Spec>>,
    /// What was made.
    pub(crate) made: Made,
    /// The operation under way, or the last one.
    pub(crate) op: Option<Op>,
    pub(crate) lease_until: i64,
    pub(crate) fence: i64,
    pub(crate) attempts: i64,
    /// The hooks have not yet heard of the outcome.
    pub(crate) announce: bool,
}

/// What the platform asked for. Sealed at rest.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spec {
    #[serde(default)]
    pub(crate) organization: String,
    #[serde(default)]
    pub(crate) space: String,
    #[serde(default)]
    pub(crate) context: Context,
    #[serde(default)]
    pub(crate) parameters: Secret<Object>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) maintenance_version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) app: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) bind_resource: Option<BindResource>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) predecessor: Option<BindingId>,
    #[serde(default)]
    pub(crate) asked: AskedRecord,
}

impl Spec {
    /// Whether a repeated create asks for the same (T12): context is left out, names in it change.
    pub(crate) fn same_as(&self, other: &Self) -> bool {
        let Self {
            organization,
            space,
            context: _,
            parameters,
            maintenance_version: _,
            app,
            bind_resource,
            predecessor,
            asked: _,
        } = self;
        organization == &other.organization
            && space == &other.space
            && parameters == &other.parameters
            && app == &other.app
            && bind_resource == &other.bind_resource
            && predecessor == &other.predecessor
    }
}

/// What the author's function made. Sealed at rest.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Made {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) dashboard_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) metadata: Option<InstanceMetadata>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) binding: Option<Binding>,
}

/// An operation, as last_operation sees it.
#[derive(Debug, Clone)]
pub(crate) struct Op {
    pub(crate) id: String,
    pub(crate) work: Work,
    pub(crate) state: State,
    /// The platform was told 202, or may be told.
    pub(crate) asynchronous: bool,
    pub(crate) text: Option<String>,
    pub(crate) instance_usable: Option<bool>,
    pub(crate) update_repeatable: Option<bool>,
    /// Where the resource stood before; where a refusal puts it back.
    pub(crate) prior: Option<Life>,
    /// What an update or delete must run again with. Sealed at rest.
    pub(crate) intent: Option<Intent>,
    pub(crate) started_at: i64,
}

/// What an update or delete must be run again with.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Intent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) change: Option<Change>,
    #[serde(default)]
    pub(crate) asked: AskedRecord,
}

/// What an update wants changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Change {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) plan: Option<PlanId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parameters: Option<Secret<Object>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) maintenance_version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) context: Option<Context>,
}

/// Who asked, as stored: enough to run the function again as if they had asked again.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AskedRecord {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    caller: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    identity: Option<Secret<(String, Object)>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request_identity: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    api_version: Option<String>,
}

impl AskedRecord {
    pub(crate) fn of(asked: &Asked) -> Self {
        let Asked {
            caller,
            identity,
            request_identity,
            api_version,
            platform: _,
            attempt: _,
        } = asked;
        Self {
            caller: caller.clone(),
            identity: identity
                .as_ref()
                .map(|identity| Secret::new((identity.platform.clone(), identity.value.clone()))),
            request_identity: request_identity.clone(),
            api_version: Some(api_version.to_string()),
        }
    }

    pub(crate) fn asked(&self, platform: &str, attempt: i64) -> Asked {
        let Self {
            caller,
            identity,
            request_identity,
            api_version,
        } = self;
        Asked {
            caller: caller.clone(),
            identity: identity.as_ref().map(|identity| {
                let (platform, value) = identity.expose().clone();
                OriginatingIdentity { platform, value }
            }),
            request_identity: request_identity.clone(),
            api_version: api_version
                .as_deref()
                .and_then(|text| text.parse().ok())
                .unwrap_or(ApiVersion::CURRENT),
            platform: platform.to_owned(),
            attempt,
        }
    }
}
