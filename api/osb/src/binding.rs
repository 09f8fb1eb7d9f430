//! Messages about service bindings: bind, rotate, fetch.

mod timestamp;
mod validate;

pub use timestamp::Timestamp;

use crate::{BindingId, Context, Extra, Object, PlanId, Secret, ServiceId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// Body of `PUT .../service_bindings/{b}` for a new binding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BindRequest {
    /// The offering of the instance.
    pub service_id: ServiceId,
    /// The plan of the instance.
    pub plan_id: PlanId,
    /// Where in the platform; it may be another place than the instance's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// Deprecated: see `bind_resource.app_guid`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app_guid: Option<String>,
    /// What is bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bind_resource: Option<BindResource>,
    /// What the user asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Secret<Object>>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

impl BindRequest {
    /// The application, from `bind_resource` first and the top level second (B51).
    pub fn app(&self) -> Option<&str> {
        self.bind_resource
            .as_ref()
            .and_then(|resource| resource.app_guid.as_deref())
            .or(self.app_guid.as_deref())
    }
}

/// What a binding is for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BindResource {
    /// An application.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app_guid: Option<String>,
    /// A route to be served through the service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
    /// Fields of a platform (`space_guid`, `app_annotations`, `credential_client_id`) and unknown ones.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Body of `PUT .../service_bindings/{b}` for a rotation (2.17): a new binding in place of another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RotateRequest {
    /// The binding whose parameters the new one inherits.
    pub predecessor_binding_id: BindingId,
    /// Not required; kept when sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_id: Option<ServiceId>,
    /// Not required; kept when sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_id: Option<PlanId>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Body of a 200 or 201 to bind, and of a 200 to fetch. Prints no URL: drains carry tokens in theirs.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Binding {
    /// Expiry and renewal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<BindingMetadata>,
    /// What an application connects with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credentials: Option<Secret<Value>>,
    /// Where logs go; needs `requires: [syslog_drain]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syslog_drain_url: Option<String>,
    /// Where requests go; needs `requires: [route_forwarding]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route_service_url: Option<String>,
    /// What is mounted; needs `requires: [volume_mount]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume_mounts: Option<Vec<VolumeMount>>,
    /// All network endpoints that matter to the application (2.16).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoints: Option<Vec<Endpoint>>,
    /// Fetch only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Secret<Object>>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

impl fmt::Debug for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            metadata,
            credentials,
            syslog_drain_url,
            route_service_url,
            volume_mounts,
            endpoints,
            parameters,
            extra,
        } = self;
        f.debug_struct("Binding")
            .field("metadata", metadata)
            .field("credentials", credentials)
            .field(
                "syslog_drain_url",
                &syslog_drain_url.as_ref().map(Secret::new),
            )
            .field(
                "route_service_url",
                &route_service_url.as_ref().map(Secret::new),
            )
            .field("volume_mounts", volume_mounts)
            .field("endpoints", endpoints)
            .field("parameters", parameters)
            .field("extra", extra)
            .finish()
    }
}

impl Binding {
    /// A binding that is nothing but credentials, as most are.
    pub fn with_credentials(credentials: impl Into<Value>) -> Self {
        Self {
            credentials: Some(Secret::new(credentials.into())),
            ..Self::default()
        }
    }
}

/// When a binding ends (2.16) and when to rotate it (2.17). Text in the shape of B56.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BindingMetadata {
    /// After this the credentials no longer work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// Before this a platform should rotate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renew_before: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A volume for an application.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VolumeMount {
    /// The volume driver.
    pub driver: String,
    /// Where in the container.
    pub container_dir: String,
    /// `r` or `rw`.
    pub mode: String,
    /// `shared`.
    pub device_type: String,
    /// The device.
    pub device: VolumeDevice,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The device behind a volume.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VolumeDevice {
    /// The volume.
    pub volume_id: String,
    /// Options of the driver; may hold passwords.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mount_config: Option<Secret<Object>>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A network endpoint of a service.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Endpoint {
    /// A host name or address.
    pub host: String,
    /// Ports as text: `"443"`, `"9000-9010"`.
    pub ports: Vec<String>,
    /// `tcp` (default), `udp` or `all`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<String>,
    /// Fields this version does not know.
    #[serde(flatten)]
    pub extra: Extra,
}
