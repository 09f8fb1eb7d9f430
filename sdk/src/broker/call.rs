//! What an author's function is given: everything the platform said, already checked.

use crate::work::Progress;
use quartermaster_osb::header::{ApiVersion, OriginatingIdentity};
use quartermaster_osb::{
    BindResource, Binding, BindingId, Context, Instance, InstanceId, Object, Offering, Plan, Secret,
};
use serde::Deserialize;
use std::sync::Arc;

/// Parameters of a verb that takes none: anything but an empty object is refused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoParameters {}

/// Who asked, and how to speak of the request in logs.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Who authenticated; empty when the work was taken up again after a restart.
    pub caller: String,
    /// The user of the platform behind the call.
    pub identity: Option<OriginatingIdentity>,
    /// The platform's id of this request.
    pub request_identity: Option<String>,
    /// The version of the protocol that the platform speaks.
    pub api_version: ApiVersion,
    /// The URL prefix the call came through, for brokers mounted once per platform.
    pub platform: String,
    /// 1 for the first run, more when the function runs again after a crash.
    pub attempt: i64,
}

/// `PUT /v2/service_instances/{i}`
#[derive(Debug)]
pub struct Provision<P> {
    /// The instance to be.
    pub instance: InstanceId,
    /// Its offering.
    pub offering: Arc<Offering>,
    /// Its plan.
    pub plan: Arc<Plan>,
    /// What the user asked for.
    pub parameters: P,
    /// The organization, in the platform's words.
    pub organization: String,
    /// The space, in the platform's words.
    pub space: String,
    /// Where in the platform.
    pub context: Context,
    /// Who asked.
    pub asked: Asked,
    /// Tells people how far the work is.
    pub progress: Progress,
}

/// `PATCH /v2/service_instances/{i}`
#[derive(Debug)]
pub struct Update<C> {
    /// The instance.
    pub instance: InstanceId,
    /// Its offering.
    pub offering: Arc<Offering>,
    /// The wanted plan: the present one when no change of plan is asked for.
    pub plan: Arc<Plan>,
    /// The present plan.
    pub previous_plan: Arc<Plan>,
    /// What the user wants changed; `None` leaves all as it is.
    pub changes: Option<C>,
    /// The parameters in force.
    pub parameters: Secret<Object>,
    /// The maintenance version to go to, when one is asked for.
    pub maintenance_version: Option<String>,
    /// Where in the platform, now.
    pub context: Context,
    /// Who asked.
    pub asked: Asked,
    /// Tells people how far the work is.
    pub progress: Progress,
}

/// `DELETE /v2/service_instances/{i}`
#[derive(Debug)]
pub struct Deprovision {
    /// The instance.
    pub instance: InstanceId,
    /// Its offering.
    pub offering: Arc<Offering>,
    /// Its plan.
    pub plan: Arc<Plan>,
    /// The parameters in force.
    pub parameters: Secret<Object>,
    /// Where in the platform.
    pub context: Context,
    /// Who asked.
    pub asked: Asked,
    /// Tells people how far the work is.
    pub progress: Progress,
}

/// `PUT .../service_bindings/{b}`
#[derive(Debug)]
pub struct Bind<P> {
    /// The instance.
    pub instance: InstanceId,
    /// The binding to be.
    pub binding: BindingId,
    /// The instance's offering.
    pub offering: Arc<Offering>,
    /// The instance's plan.
    pub plan: Arc<Plan>,
    /// What the user asked for.
    pub parameters: P,
    /// The application, if one is bound.
    pub app: Option<String>,
    /// What is bound, whole.
    pub bind_resource: Option<BindResource>,
    /// Where in the platform; it may be another place than the instance's.
    pub context: Context,
    /// Who asked.
    pub asked: Asked,
    /// Tells people how far the work is.
    pub progress: Progress,
}

/// `PUT .../service_bindings/{b}` with a predecessor.
#[derive(Debug)]
pub struct Rotate<P> {
    /// The new binding, with the parameters of its predecessor.
    pub bind: Bind<P>,
    /// The binding it takes over from; it stays valid.
    pub predecessor: BindingId,
    /// What the predecessor answered.
    pub predecessor_binding: Binding,
}

/// `DELETE .../service_bindings/{b}`
#[derive(Debug)]
pub struct Unbind {
    /// The instance.
    pub instance: InstanceId,
    /// The binding.
    pub binding: BindingId,
    /// The instance's offering.
    pub offering: Arc<Offering>,
    /// The plan at the time of binding.
    pub plan: Arc<Plan>,
    /// The parameters it was made with.
    pub parameters: Secret<Object>,
    /// What bind answered; `None` when it never finished.
    pub made: Option<Binding>,
    /// Where in the platform.
    pub context: Context,
    /// Who asked.
    pub asked: Asked,
    /// Tells people how far the work is.
    pub progress: Progress,
}

/// `GET /v2/service_instances/{i}`
#[derive(Debug)]
pub struct FetchedInstance {
    /// The instance.
    pub instance: InstanceId,
    /// What the framework would answer.
    pub stored: Instance,
    /// Who asked.
    pub asked: Asked,
}

/// `GET .../service_bindings/{b}`
#[derive(Debug)]
pub struct FetchedBinding {
    /// The instance.
    pub instance: InstanceId,
    /// The binding.
    pub binding: BindingId,
    /// What the framework would answer.
    pub stored: Binding,
    /// Who asked.
    pub asked: Asked,
}
