#![doc = include_str!("../README.md")]

pub mod agents;
pub mod audit;
mod base;
mod basic;
pub mod binding;
pub mod body;
pub mod broker;
pub mod client;
pub mod config;
pub mod credential;
pub mod discovery;
pub mod error;
pub mod grant;
pub mod header;
pub mod health;
pub mod info;
pub mod instance;
pub mod label;
mod lenient;
pub mod notification;
pub mod offering;
pub mod operation;
mod page;
mod patch;
pub mod path;
pub mod plan;
pub mod platform;
pub mod query;
pub mod tenant;
mod timestamp;
pub mod token;
pub mod user;
pub mod visibility;

pub use agents::AgentVersions;
pub use audit::{Actor, AuditRecord, Outcome};
pub use base::{Base, Empty};
pub use basic::BasicCredentials;
pub use binding::{Binding, BindingPatch, NewBinding};
pub use broker::{
    BearerCredentials, Broker, BrokerCredentials, BrokerPatch, CatalogState, HeldChange, NewBroker,
    OAuth2Credentials, TlsCredentials,
};
pub use client::{Client, ClientPatch, NewClient};
pub use config::{EffectiveConfig, LoggingConfig, LoggingPatch};
pub use credential::{Credential, CredentialQuery, NewCredential};
pub use discovery::{Discovery, Jwk, Jwks, MtlsAliases};
pub use error::{BrokerError, ErrorBody};
pub use grant::{Grant, NewGrant};
pub use health::{Health, HealthStatus, Indicator, Readiness, Reason};
pub use info::Info;
pub use instance::{Instance, InstancePatch, InstanceState, NewInstance, Parameters};
pub use label::{LabelChange, LabelOp, Labels};
pub use notification::{
    BrokerDetails, BrokerPayload, Change, Notification, NotificationQuery, Payload, Side,
    VisibilityDetails, VisibilityPayload,
};
pub use offering::{Offering, OfferingPatch};
pub use operation::{
    CascadeError, Operation, OperationErrors, OperationState, OperationStep, OperationType,
    TransitiveResource,
};
pub use page::Page;
pub use patch::Patch;
pub use plan::{Plan, PlanPatch};
pub use platform::{NewPlatform, Platform, PlatformCredentials, PlatformPatch, PlatformPatchQuery};
pub use quartermaster_osb::{Object, Secret};
pub use query::{AsyncQuery, BulkDeleteQuery, DeleteQuery, ListQuery};
pub use timestamp::Timestamp;
pub use token::{OAuthError, TokenRequest, TokenResponse};
pub use user::{NewUser, Role, User, UserPatch};
pub use visibility::{NewVisibility, Visibility, VisibilityPatch};
