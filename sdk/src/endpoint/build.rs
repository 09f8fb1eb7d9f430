//! Building an endpoint: the broker, its store, who may call, and the choices left open.

use super::{DeletedOperation, Endpoint, Inner, Knobs, MissingVersion};
use crate::auth::Authenticator;
use crate::broker::Broker;
use crate::broker::erased::{AnyBroker, Typed};
use crate::catalog::{CatalogError, Compiled};
use crate::hooks::Hooks;
use crate::store::{Store, StoreError};
use crate::work::Engine;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Why an endpoint cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The catalog cannot be served.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nobody said who may call.
    #[error("say who may call: .auth(Basic::new(user, password)), or .auth(Open) for everybody")]
    NoAuth,
}

/// Builds an [`Endpoint`].
pub struct Builder<B> {
    broker: B,
    name: String,
    store: Option<Store>,
    auth: Option<Arc<dyn Authenticator>>,
    hooks: Option<Arc<dyn Hooks>>,
    knobs: Knobs,
    lease: Duration,
    deadline: Duration,
}

impl<B: Broker> Builder<B> {
    pub(super) fn new(broker: B) -> Self {
        Self {
            broker,
            name: "broker".to_owned(),
            store: None,
            auth: None,
            hooks: None,
            knobs: Knobs {
                deleted: DeletedOperation::default(),
                missing_version: MissingVersion::default(),
                retry_after: Some(1),
                body_limit: 1 << 20,
                body_timeout: Duration::from_secs(30),
            },
            lease: Duration::from_secs(15),
            deadline: Duration::from_secs(24 * 60 * 60),
        }
    }

    /// Where records live. Without it: memory, which is for tests.
    #[must_use]
    pub fn store(mut self, store: Store) -> Self {
        self.store = Some(store);
        self
    }

    /// Who may call.
    #[must_use]
    pub fn auth(mut self, auth: impl Authenticator) -> Self {
        self.auth = Some(Arc::new(auth));
        self
    }

    /// What hears of every verb.
    #[must_use]
    pub fn hooks(mut self, hooks: impl Hooks) -> Self {
        self.hooks = Some(Arc::new(hooks));
        self
    }

    /// The broker's name in the store: needed when several brokers share one.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// What last_operation says once a delete has finished (T2).
    #[must_use]
    pub fn deleted_operation(mut self, deleted: DeletedOperation) -> Self {
        self.knobs.deleted = deleted;
        self
    }

    /// The code for a request without a version header (T1).
    #[must_use]
    pub fn missing_version(mut self, missing: MissingVersion) -> Self {
        self.knobs.missing_version = missing;
        self
    }

    /// How many seconds a platform should wait between polls; `None` says nothing.
    #[must_use]
    pub fn retry_after(mut self, seconds: Option<u64>) -> Self {
        self.knobs.retry_after = seconds;
        self
    }

    /// The largest body that is read, in bytes; 1 MiB unless set.
    #[must_use]
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.knobs.body_limit = bytes;
        self
    }

    /// How long work stays with a process that no longer renews it; 15 s unless set. Replicas on
    /// PostgreSQL take over after this.
    #[must_use]
    pub fn lease(mut self, lease: Duration) -> Self {
        self.lease = lease;
        self
    }

    /// How long an operation may take when its plan has no `maximum_polling_duration`; a day unless set.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Checks the catalog, opens what is missing, and takes up unfinished work.
    pub async fn build(self) -> Result<Endpoint, BuildError> {
        let Self {
            broker,
            name,
            store,
            auth,
            hooks,
            knobs,
            lease,
            deadline,
        } = self;
        let auth = auth.ok_or(BuildError::NoAuth)?;
        let broker: Arc<dyn AnyBroker> = Arc::new(Typed(Arc::new(broker)));
        let catalog = Compiled::new(broker.catalog()?)?;
        let store = match store {
            Some(store) => store,
            None => Store::memory().await?,
        };
        let engine = Arc::new(Engine {
            name: Arc::from(name),
            store,
            broker,
            hooks,
            catalog: RwLock::new(Arc::new(catalog)),
            owner: uuid::Uuid::new_v4().to_string(),
            lease,
            deadline,
            running: Mutex::new(HashMap::new()),
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
            wake: tokio::sync::Notify::new(),
        });
        // Before the first request can begin anything: its lease must not be voided.
        if engine.store.owned_alone() {
            engine.store.void_leases(&engine.name).await?;
        }
        engine.tasks.spawn(engine.clone().resume());
        if engine.hooks.is_some() {
            engine.tasks.spawn(engine.clone().retell());
        }
        Ok(Endpoint {
            inner: Arc::new(Inner {
                engine,
                auth,
                knobs,
            }),
            platform: Arc::from(""),
        })
    }
}

impl<B> std::fmt::Debug for Builder<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
