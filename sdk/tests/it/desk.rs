//! Where tests stand: sends plain requests to an endpoint in this process and reads codes and bodies.
//!
//! It sits on the fake platform of the SDK and adds what a good platform would not send.

use crate::puppet::{Puppet, SERVICE, SMALL, World};
use bytes::Bytes;
use http::HeaderMap;
use quartermaster_sdk::auth::Open;
use quartermaster_sdk::testing::Platform;
use quartermaster_sdk::{Builder, Endpoint, KeyRing, Store};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// What came back.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
    pub(crate) bytes: Bytes,
}

impl Said {
    /// Holds the code.
    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.body);
        self
    }

    /// Holds code and error word.
    #[track_caller]
    pub(crate) fn has_word(self, status: u16, word: &str) -> Self {
        assert_eq!(
            (self.status, self.body["error"].as_str()),
            (status, Some(word)),
            "{}",
            self.body
        );
        self
    }

    /// Holds the code and a state.
    #[track_caller]
    pub(crate) fn has_state(self, state: &str) -> Self {
        assert_eq!(
            (self.status, self.body["state"].as_str()),
            (200, Some(state)),
            "{}",
            self.body
        );
        self
    }

    #[track_caller]
    pub(crate) fn operation(&self) -> String {
        self.body["operation"]
            .as_str()
            .expect("an operation")
            .to_owned()
    }

    pub(crate) fn description(&self) -> &str {
        self.body["description"].as_str().unwrap_or_default()
    }
}

/// An endpoint with a puppet behind it.
pub(crate) struct Desk {
    pub(crate) platform: Platform,
    pub(crate) world: Arc<World>,
    pub(crate) version: &'static str,
    pub(crate) authorization: Option<http::HeaderValue>,
    /// Kept while the desk lives.
    database: Option<qm_testkit::postgres::Database>,
}

/// Both engines under one test: `both!(this_test, that_test)`.
macro_rules! both {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $name() {
                super::$name(crate::desk::Desk::new().await).await;
            })+
        }
        mod postgres {
            $(#[tokio::test]
            async fn $name() {
                if let Some(desk) = crate::desk::Desk::postgres().await {
                    super::$name(desk).await;
                }
            })+
        }
    };
}
pub(crate) use both;

impl Desk {
    /// On a store in memory.
    pub(crate) async fn new() -> Self {
        Self::built(None, &World::new(), |builder| builder).await
    }

    /// On a fresh PostgreSQL database, if there is PostgreSQL.
    pub(crate) async fn postgres() -> Option<Self> {
        let database = qm_testkit::postgres::database().await?;
        let store = Store::postgres(&database.url(), KeyRing::generate().unwrap())
            .await
            .unwrap();
        let mut desk = Self::built(Some(store), &World::new(), |builder| builder).await;
        desk.database = Some(database);
        Some(desk)
    }

    /// In memory, with the builder's choices.
    pub(crate) async fn tuned(tune: impl FnOnce(Builder<Puppet>) -> Builder<Puppet>) -> Self {
        Self::built(None, &World::new(), tune).await
    }

    /// On a store and a world that may have seen others.
    pub(crate) async fn built(
        store: Option<Store>,
        world: &Arc<World>,
        tune: impl FnOnce(Builder<Puppet>) -> Builder<Puppet>,
    ) -> Self {
        let mut builder = Endpoint::builder(Puppet(world.clone())).auth(Open);
        if let Some(store) = store {
            builder = builder.store(store);
        }
        let endpoint = tune(builder).build().await.unwrap();
        let platform = Platform::new(endpoint);
        Self {
            platform,
            world: world.clone(),
            version: "2.17",
            authorization: None,
            database: None,
        }
    }

    /// Any request with the version header; a body is sent as JSON.
    pub(crate) async fn send(&self, method: &str, path: &str, body: Option<Value>) -> Said {
        let mut request = http::Request::builder()
            .method(method)
            .uri(path)
            .header("X-Broker-API-Version", self.version);
        if let Some(authorization) = &self.authorization {
            request = request.header("Authorization", authorization);
        }
        if body.is_some() {
            request = request.header("Content-Type", "application/json");
        }
        let bytes = body.map_or_else(Bytes::new, |body| Bytes::from(body.to_string()));
        self.raw(request.body(bytes).unwrap()).await
    }

    /// Any request as it is.
    pub(crate) async fn raw(&self, request: http::Request<Bytes>) -> Said {
        let (head, bytes) = self.platform.send(request).await.into_parts();
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        Said {
            status: head.status.as_u16(),
            headers: head.headers,
            body,
            bytes,
        }
    }

    pub(crate) async fn provision(&self, instance: &str, waits: bool) -> Said {
        self.provision_with(instance, waits, json!({})).await
    }

    /// A provision whose body differs from the usual in some keys; `null` leaves one out.
    pub(crate) async fn provision_with(&self, instance: &str, waits: bool, over: Value) -> Said {
        let body = laid_over(
            json!({ "service_id": SERVICE, "plan_id": SMALL, "organization_guid": "org",
                    "space_guid": "space" }),
            over,
        );
        self.send("PUT", &path(instance, "", waits), Some(body))
            .await
    }

    pub(crate) async fn update(&self, instance: &str, waits: bool, over: Value) -> Said {
        let body = laid_over(json!({ "service_id": SERVICE }), over);
        self.send("PATCH", &path(instance, "", waits), Some(body))
            .await
    }

    pub(crate) async fn deprovision(&self, instance: &str, waits: bool) -> Said {
        let path = format!(
            "{}&service_id={SERVICE}&plan_id={SMALL}",
            path(instance, "", waits)
        );
        self.send("DELETE", &path, None).await
    }

    pub(crate) async fn bind(&self, instance: &str, binding: &str, waits: bool) -> Said {
        self.bind_with(instance, binding, waits, json!({})).await
    }

    pub(crate) async fn bind_with(
        &self,
        instance: &str,
        binding: &str,
        waits: bool,
        over: Value,
    ) -> Said {
        let body = laid_over(json!({ "service_id": SERVICE, "plan_id": SMALL }), over);
        self.send("PUT", &path(instance, &below(binding), waits), Some(body))
            .await
    }

    pub(crate) async fn rotate(
        &self,
        instance: &str,
        binding: &str,
        old: &str,
        waits: bool,
    ) -> Said {
        let body = json!({ "predecessor_binding_id": old });
        self.send("PUT", &path(instance, &below(binding), waits), Some(body))
            .await
    }

    pub(crate) async fn unbind(&self, instance: &str, binding: &str, waits: bool) -> Said {
        let path = path(instance, &below(binding), waits);
        let path = format!("{path}&service_id={SERVICE}&plan_id={SMALL}");
        self.send("DELETE", &path, None).await
    }

    pub(crate) async fn fetch(&self, instance: &str) -> Said {
        self.send("GET", &format!("/v2/service_instances/{instance}"), None)
            .await
    }

    pub(crate) async fn fetch_binding(&self, instance: &str, binding: &str) -> Said {
        let path = format!("/v2/service_instances/{instance}{}", below(binding));
        self.send("GET", &path, None).await
    }

    /// last_operation of an instance; an empty operation is left out.
    pub(crate) async fn last(&self, instance: &str, operation: &str) -> Said {
        self.poll(&format!("/v2/service_instances/{instance}"), operation)
            .await
    }

    pub(crate) async fn last_of_binding(
        &self,
        instance: &str,
        binding: &str,
        operation: &str,
    ) -> Said {
        let path = format!("/v2/service_instances/{instance}{}", below(binding));
        self.poll(&path, operation).await
    }

    async fn poll(&self, path: &str, operation: &str) -> Said {
        let query = match operation {
            "" => String::new(),
            operation => format!("?operation={operation}"),
        };
        self.send("GET", &format!("{path}/last_operation{query}"), None)
            .await
    }

    /// Polls an instance until the operation has ended.
    pub(crate) async fn ended(&self, instance: &str, operation: &str) -> Said {
        until(async || {
            let said = self.last(instance, operation).await;
            (said.body["state"] != "in progress").then_some(said)
        })
        .await
    }

    /// Polls a binding until the operation has ended.
    pub(crate) async fn binding_ended(
        &self,
        instance: &str,
        binding: &str,
        operation: &str,
    ) -> Said {
        until(async || {
            let said = self.last_of_binding(instance, binding, operation).await;
            (said.body["state"] != "in progress").then_some(said)
        })
        .await
    }
}

/// Tries until there is something; a test that hangs says so.
pub(crate) async fn until<T>(mut attempt: impl AsyncFnMut() -> Option<T>) -> T {
    for _ in 0..3000 {
        if let Some(found) = attempt().await {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it never came");
}

fn path(instance: &str, below: &str, waits: bool) -> String {
    format!("/v2/service_instances/{instance}{below}?accepts_incomplete={waits}")
}

fn below(binding: &str) -> String {
    format!("/service_bindings/{binding}")
}

fn laid_over(mut under: Value, over: Value) -> Value {
    let (Some(fields), Value::Object(over)) = (under.as_object_mut(), over) else {
        return under;
    };
    for (key, value) in over {
        match value {
            Value::Null => fields.remove(&key),
            value => fields.insert(key, value),
        };
    }
    under
}
