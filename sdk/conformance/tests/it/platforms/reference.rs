//! A small sound platform in memory. It is its own driver: a wish is done when it is told.

mod bindings;
mod brokers;
mod calls;
mod instances;
mod work;

use super::habits::{Flaw, Habits};
use bytes::Bytes;
use http_body_util::Full;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use qm_conformance::platform::driver::Fulfilling;
use qm_conformance::platform::{Broker, Driver, State, Told, Wish};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard};

#[derive(Clone)]
pub(super) struct Reference(Arc<Inner>);

struct Inner {
    http: Client<HttpConnector, Full<Bytes>>,
    habits: Habits,
    requests: AtomicUsize,
    store: Mutex<Store>,
}

#[derive(Default)]
struct Store {
    brokers: HashMap<String, Known>,
    instances: HashMap<String, Instance>,
    bindings: HashMap<String, Binding>,
    made: usize,
}

/// A broker.
#[derive(Clone)]
struct Known {
    broker: Broker,
    catalog: Value,
    etag: Option<String>,
}

#[derive(Clone, Debug)]
struct Instance {
    broker: String,
    id: String,
    service_id: String,
    plan_id: String,
    plan_name: String,
    parameters: Value,
    dashboard_url: Option<String>,
    usable: bool,
}

#[derive(Clone, Debug)]
struct Binding {
    instance: String,
    id: String,
    credentials: Option<Value>,
}

impl Reference {
    pub(super) fn new(habits: Habits) -> Self {
        Self(Arc::new(Inner {
            http: Client::builder(TokioExecutor::new()).build_http(),
            habits,
            requests: AtomicUsize::new(0),
            store: Mutex::default(),
        }))
    }

    pub(super) fn is_empty(&self) -> bool {
        let store = self.store();
        store.brokers.is_empty() && store.instances.is_empty() && store.bindings.is_empty()
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.0.store.lock().unwrap()
    }

    fn has(&self, flaw: Flaw) -> bool {
        self.0.habits.flaw == flaw
    }

    fn known(&self, broker: &str) -> Known {
        self.store().brokers[broker].clone()
    }

    async fn dispatch(&self, wish: Wish) -> Told {
        match wish {
            Wish::Hello => Told::succeeded(),
            Wish::Register(broker) => self.register(broker).await,
            Wish::Refresh { broker } => self.refresh(&broker).await,
            Wish::Unregister { broker } => self.unregister(&broker).await,
            Wish::CreateInstance {
                broker,
                plan_id,
                parameters,
                ..
            } => self.create(&broker, &plan_id, parameters).await,
            Wish::UpdateInstance {
                instance,
                plan_id,
                parameters,
                maintenance_info,
                ..
            } => {
                self.update(&instance, plan_id, parameters, maintenance_info)
                    .await
            }
            Wish::DeleteInstance { instance, .. } => self.delete(&instance).await,
            Wish::ShowInstance { instance, .. } => self.show(&instance).await,
            Wish::CreateBinding {
                instance,
                parameters,
                ..
            } => self.bind(&instance, parameters, None).await,
            Wish::DeleteBinding { binding, .. } => self.unbind(&binding).await,
            Wish::ShowBinding { binding, .. } => self.show_binding(&binding).await,
            Wish::RotateBinding {
                instance, binding, ..
            } => self.bind(&instance, None, Some(&binding)).await,
        }
    }
}

impl Driver for Reference {
    fn fulfil(&self, wish: Wish) -> Fulfilling<'_> {
        Box::pin(self.dispatch(wish))
    }
}

fn refused(text: &str) -> Told {
    Told::new(State::Refused, text)
}

fn failed(text: &str) -> Told {
    Told::new(State::Failed, text)
}
