//! The resources by name. `resource_type` on the wire is literally the path of the collection.

use std::fmt;

/// A kind of resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A registered broker.
    Broker,
    /// A registered platform.
    Platform,
    /// Who may see a plan.
    Visibility,
    /// A service of a broker's catalog.
    Offering,
    /// A plan of an offering.
    Plan,
    /// A service instance.
    Instance,
    /// A service binding.
    Binding,
    /// Something done to one of the others.
    Operation,
    /// What a platform's registration of a broker logs in with.
    Credential,
    /// A user of the built-in issuer.
    User,
    /// A client of the built-in issuer.
    Client,
    /// Whoever a label says that something belongs to. There is no row of it: what it has is all there is.
    Tenant,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 12] = [
        Self::Broker,
        Self::Platform,
        Self::Visibility,
        Self::Offering,
        Self::Plan,
        Self::Instance,
        Self::Binding,
        Self::Operation,
        Self::Credential,
        Self::User,
        Self::Client,
        Self::Tenant,
    ];

    /// The collection's path, which is also the `resource_type` on the wire and in the store.
    pub fn path(self) -> &'static str {
        match self {
            Self::Broker => "/v1/service_brokers",
            Self::Platform => "/v1/platforms",
            Self::Visibility => "/v1/visibilities",
            Self::Offering => "/v1/service_offerings",
            Self::Plan => "/v1/service_plans",
            Self::Instance => "/v1/service_instances",
            Self::Binding => "/v1/service_bindings",
            Self::Operation => "/v1/operations",
            Self::Credential => "/v1/credentials",
            Self::User => "/v1/users",
            Self::Client => "/v1/clients",
            Self::Tenant => "/v1/tenants",
        }
    }

    /// The kind with this path.
    pub fn from_path(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.path() == path)
    }

    /// For people.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Broker => "broker",
            Self::Platform => "platform",
            Self::Visibility => "visibility",
            Self::Offering => "offering",
            Self::Plan => "plan",
            Self::Instance => "instance",
            Self::Binding => "binding",
            Self::Operation => "operation",
            Self::Credential => "credential",
            Self::User => "user",
            Self::Client => "client",
            Self::Tenant => "tenant",
        }
    }
}

impl Kind {
    /// For people, many of them.
    pub fn plural(self) -> String {
        match self {
            Self::Visibility => "visibilities".to_owned(),
            other => format!("{}s", other.noun()),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.noun())
    }
}
