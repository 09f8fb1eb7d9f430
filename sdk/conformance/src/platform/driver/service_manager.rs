//! Drives any server with the Service Manager REST API.
//!
//! Made by `smctl verify platform --url`. Instances and bindings are made asynchronously (`async=true`) and their
//! operations polled. The rule: what this driver makes it finds again by the plans of its broker, so that nothing is
//! left behind when a wish was broken off.

mod brokers;
mod http;
mod login;
mod resources;

pub use login::Login;

use super::{Driver, Fulfilling, State, Told, Wish};
use crate::{Duration, Tls, TlsError};
use http::{Http, Reply};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The driver cannot be made. The caller changes what was typed.
#[derive(Debug, thiserror::Error)]
pub enum ServiceManagerError {
    /// The address makes no sense.
    #[error("the address of the platform makes no sense")]
    Url(#[source] crate::TargetError),
    /// TLS cannot be set up. The caller checks the CA file.
    #[error("TLS cannot be set up")]
    Tls(#[source] TlsError),
}

/// A Service Manager.
pub struct ServiceManager {
    http: Http,
    login: Login,
    /// How long an operation may take.
    patience: Duration,
    /// The brokers that were made known, by their names.
    brokers: Mutex<HashMap<String, Registered>>,
}

/// A broker at the Service Manager.
#[derive(Debug, Clone, Default)]
struct Registered {
    id: String,
    /// The Service Manager's ids of plans, by the ids of the catalog.
    plans: HashMap<String, String>,
    /// Plans that were made visible.
    visible: Vec<String>,
}

impl ServiceManager {
    /// A driver for the server at `url`. An operation may take as long as `patience`.
    pub fn new(
        url: &str,
        login: Login,
        tls: &Tls,
        patience: Duration,
    ) -> Result<Self, ServiceManagerError> {
        let target = crate::Target::new(url).map_err(ServiceManagerError::Url)?;
        let http = Http::new(target.url, tls).map_err(ServiceManagerError::Tls)?;
        Ok(Self {
            http,
            login,
            patience,
            brokers: Mutex::default(),
        })
    }

    fn registered(&self, name: &str) -> Registered {
        let brokers = self.brokers.lock().unwrap_or_else(PoisonError::into_inner);
        brokers.get(name).cloned().unwrap_or_default()
    }

    fn keep(&self, name: &str, registered: Registered) {
        let mut brokers = self.brokers.lock().unwrap_or_else(PoisonError::into_inner);
        brokers.insert(name.to_owned(), registered);
    }

    async fn hello(&self) -> Told {
        if let Err(told) = self.log_in().await {
            return told;
        }
        match self.http.get("/v1/service_brokers?max_items=1").await {
            Ok(reply) if reply.status == 200 => Told::succeeded(),
            Ok(reply) if matches!(reply.status, 401 | 403) => {
                Told::new(State::Refused, reply.line())
            }
            Ok(reply) => Told::new(State::Broken, reply.line()),
            Err(told) => told,
        }
    }

    async fn dispatch(&self, wish: Wish) -> Told {
        let told = match wish {
            Wish::Hello => return self.hello().await,
            Wish::Register(broker) => self.register(&broker).await,
            Wish::Refresh { broker } => self.refresh(&broker).await,
            Wish::Unregister { broker } => self.unregister(&broker).await,
            Wish::CreateInstance {
                broker,
                name,
                plan_id,
                parameters,
                service_id: _,
                service_name: _,
                plan_name: _,
            } => {
                self.create_instance(&broker, &name, &plan_id, parameters)
                    .await
            }
            Wish::UpdateInstance {
                broker,
                instance,
                plan_id,
                plan_name: _,
                parameters,
                maintenance_info,
            } => {
                let plan = plan_id.as_deref();
                self.update_instance(&broker, &instance, plan, parameters, maintenance_info)
                    .await
            }
            Wish::DeleteInstance { instance, .. } => {
                self.delete("/v1/service_instances", &instance).await
            }
            Wish::ShowInstance { instance, .. } => {
                self.show("/v1/service_instances", &instance).await
            }
            Wish::CreateBinding {
                broker: _,
                instance,
                name,
                parameters,
            } => self.create_binding(&instance, &name, parameters).await,
            Wish::DeleteBinding { binding, .. } => {
                self.delete("/v1/service_bindings", &binding).await
            }
            Wish::ShowBinding { binding, .. } => self.show("/v1/service_bindings", &binding).await,
            Wish::RotateBinding { .. } => Err(Told::new(
                State::Unsupported,
                "the Service Manager REST API has no rotation of bindings",
            )),
        };
        told.unwrap_or_else(|told| told)
    }
}

impl Driver for ServiceManager {
    fn fulfil(&self, wish: Wish) -> Fulfilling<'_> {
        Box::pin(self.dispatch(wish))
    }
}

/// What a refusal or failure by the server itself means.
fn said(reply: &Reply) -> Told {
    let state = match reply.status {
        401 => State::Broken,
        400..=499 => State::Refused,
        _ => State::Failed,
    };
    Told::new(state, reply.line())
}
