//! What a worker needs to go on with an operation. Kept sealed in the operation's row until it has ended.
//!
//! The rule: with this and the registry any replica can finish what another began. What a platform sent is not here:
//! nothing is ever created or changed a second time by the manager itself. What a person asked for is, until it was
//! sent: that may be later, and by another replica.

use super::deletion::Over;
use crate::Lifecycle;
use qm_model::id::{BindingId, InstanceId};
use qm_model::{Error, Kind, Labels};
use qm_store::facts::{Facts, facts};
use quartermaster_osb::{ApiVersion, Envelope, Hints, OriginatingIdentity, Verb};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is being done, to what, on whose behalf.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Order {
    /// Whom to call.
    pub(crate) broker: String,
    pub(crate) instance: String,
    /// The instance's id at the broker, when that is another one's: a reference stands for it.
    #[serde(default)]
    pub(crate) target: Option<String>,
    pub(crate) binding: Option<String>,
    /// The broker's ids, as a poll or a deletion must name them: of a plan change the old plan's.
    pub(crate) service_id: Option<String>,
    pub(crate) plan_id: Option<String>,
    /// Whether the broker can be asked for the thing itself.
    pub(crate) retrievable: bool,
    /// Whether the manager has a row for it: not for what is older than the manager.
    pub(crate) tracked: bool,
    /// Which version of the protocol the platform spoke.
    pub(crate) version: Option<String>,
    /// Who caused it, as the platform said.
    pub(crate) identity: Option<String>,
    /// A deletion in the place of a creation that the broker may still work on: refused, it is sent again later.
    pub(crate) queued: bool,
    /// What the broker calls the work that such a deletion waits for.
    #[serde(default)]
    pub(crate) before: Option<String>,
    /// What an update brings, once it is confirmed.
    pub(crate) update: Option<NewValues>,
    /// Of what was asked.
    pub(crate) fingerprint: Vec<u8>,
    /// The platform or the person that asked, for the audit log.
    pub(crate) platform_name: String,
    /// What only operations of the manager's own have: those where it is the platform itself.
    #[serde(default)]
    pub(crate) own: Option<Own>,
}

/// What the manager remembers of an operation for which it is the platform.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Own {
    /// What is sent: the body of a provision, an update or a bind. Here it may be sent late, when it was queued, but
    /// still only once.
    pub(crate) body: Option<Value>,
    /// Asked for asynchronously: what failed to be made stays to be seen.
    pub(crate) keep: bool,
    /// The key of the name that an instance keeps when its change fails.
    pub(crate) name_key: Option<String>,
    /// Whether the broker may take its time.
    pub(crate) waits: bool,
    /// A deletion that fails at the broker removes the record all the same.
    pub(crate) force: bool,
}

/// The values of an instance after an update.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct NewValues {
    /// The manager's id of the new plan.
    pub(crate) plan: Option<String>,
    /// The broker's id of the new plan, to recognise it.
    pub(crate) catalog_plan: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) context: Option<Value>,
    pub(crate) maintenance_info: Option<Value>,
    #[serde(default)]
    pub(crate) labels: Option<Labels>,
    /// All parameters that are in force then, as far as the manager knows.
    #[serde(default)]
    pub(crate) parameters: Option<Value>,
    /// The platform it belongs to from then on.
    #[serde(default)]
    pub(crate) platform: Option<String>,
    /// The parameters that were asked for, to ask for them once more.
    #[serde(default)]
    pub(crate) asked: Option<Value>,
    /// Whether the broker can be asked for the same once more after it failed.
    #[serde(default)]
    pub(crate) repeatable: Option<bool>,
}

/// The thing an operation is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Subject {
    Instance(InstanceId),
    Binding(InstanceId, BindingId),
}

impl Subject {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Instance(_) => Kind::Instance,
            Self::Binding(..) => Kind::Binding,
        }
    }

    pub(crate) fn id(&self) -> &str {
        match self {
            Self::Instance(id) => id.as_str(),
            Self::Binding(_, id) => id.as_str(),
        }
    }

    /// What the store knows of it.
    ///
    /// # Errors
    /// The store's.
    pub(crate) async fn facts(&self, deeds: &Lifecycle) -> Result<Facts, Error> {
        Ok(facts(&deeds.store, self.instance(), self.binding(), None).await?)
    }

    pub(crate) fn instance(&self) -> &InstanceId {
        match self {
            Self::Instance(id) | Self::Binding(id, _) => id,
        }
    }

    pub(crate) fn binding(&self) -> Option<&BindingId> {
        match self {
            Self::Instance(_) => None,
            Self::Binding(_, id) => Some(id),
        }
    }
}

impl Order {
    /// The id by which the broker knows the instance.
    ///
    /// # Errors
    /// Ours: what was stored is an id.
    pub(crate) fn instance_at_the_broker(&self) -> Result<quartermaster_osb::InstanceId, Error> {
        let id = self.target.as_deref().unwrap_or(&self.instance);
        quartermaster_osb::InstanceId::new(id).map_err(Error::internal)
    }

    /// A deletion in the place of this one.
    pub(crate) fn comes_after(&mut self, over: Option<&Over>) {
        let over = over.filter(|over| over.creates);
        self.queued = over.is_some();
        self.before = over.and_then(|over| over.broker_operation.clone());
    }

    pub(crate) fn subject(&self) -> Subject {
        let instance = InstanceId::stored(self.instance.clone());
        match &self.binding {
            None => Subject::Instance(instance),
            Some(binding) => Subject::Binding(instance, BindingId::stored(binding.clone())),
        }
    }

    pub(crate) fn hints(&self) -> Hints {
        Hints {
            service_id: self.service_id.clone(),
            plan_id: self.plan_id.clone(),
        }
    }

    /// What goes around a call that the manager makes for the platform.
    pub(crate) fn envelope(&self, correlation_id: &str) -> Envelope {
        Envelope {
            api_version: self
                .version
                .as_deref()
                .and_then(|version| version.parse().ok())
                .unwrap_or(ApiVersion::CURRENT),
            originating_identity: self
                .identity
                .as_deref()
                .and_then(|identity| identity.parse::<OriginatingIdentity>().ok()),
            request_identity: Some(correlation_id.to_owned()),
            headers: http::HeaderMap::new(),
        }
    }

    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        serde_json::to_vec(self).map_err(Error::internal)
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        serde_json::from_slice(bytes).map_err(Error::internal)
    }
}

/// The call of the protocol that does this to that.
pub(crate) fn verb_of(verb: qm_model::operation::Verb, kind: Kind) -> Verb {
    use qm_model::operation::Verb as V;
    match (verb, kind) {
        (V::Create, Kind::Binding) => Verb::Bind,
        (V::Create, _) => Verb::Provision,
        (V::Update, _) => Verb::Update,
        (V::Delete, Kind::Binding) => Verb::Unbind,
        (V::Delete, _) => Verb::Deprovision,
    }
}
