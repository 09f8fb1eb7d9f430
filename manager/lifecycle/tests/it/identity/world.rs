//! A manager's deeds on a fresh store with a clock that only tests move.

use qm_lifecycle::identity::{self, Grant, Issued, OAuthError};
use qm_lifecycle::{Clock, Lifecycle, Settings, Words};
use qm_model::audit::Record;
use qm_model::broker::Broker;
use qm_model::ctx::Person;
use qm_model::identity::Role;
use qm_model::offering::Offering;
use qm_model::plan::Plan;
use qm_model::visibility::Visibility;
use qm_model::{Caller, Ctx, LabelChange, Time};
use qm_relay::{Relay, RelaySettings};
use qm_store::{KeyRing, Options, Store};
use qm_testkit::postgres;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use tempfile::TempDir;

pub(crate) const URL: &str = "http://manager.example";

/// A clock that only tests move.
#[derive(Clone)]
pub(crate) struct TestClock(Arc<AtomicI64>);

impl TestClock {
    pub(crate) fn now(&self) -> Time {
        Time(self.0.load(Ordering::SeqCst))
    }

    pub(crate) fn forward(&self, by: Duration) {
        self.0
            .fetch_add(i64::try_from(by.as_millis()).unwrap(), Ordering::SeqCst);
    }

    pub(crate) fn back(&self, by: Duration) {
        self.0
            .fetch_sub(i64::try_from(by.as_millis()).unwrap(), Ordering::SeqCst);
    }
}

/// Deeds on a fresh store, gone when dropped.
pub(crate) struct World {
    pub(crate) deeds: Lifecycle,
    pub(crate) store: Store,
    pub(crate) clock: TestClock,
    address: String,
    keys: String,
    _dir: Option<TempDir>,
    _database: Option<postgres::Database>,
}

impl World {
    async fn open(
        address: String,
        dir: Option<TempDir>,
        database: Option<postgres::Database>,
        settings: identity::Settings,
    ) -> Self {
        let keys = KeyRing::generate().unwrap().to_text().to_string();
        let clock = TestClock(Arc::new(AtomicI64::new(1_700_000_000_000)));
        let store = open(&address, &keys).await;
        Self {
            deeds: deeds(store.clone(), &clock, settings),
            store,
            clock,
            address,
            keys,
            _dir: dir,
            _database: database,
        }
    }

    /// Another replica on the same store.
    pub(crate) async fn replica(&self) -> Lifecycle {
        self.replica_with(identity::Settings::default()).await
    }

    /// The same with settings of its own.
    pub(crate) async fn replica_with(&self, settings: identity::Settings) -> Lifecycle {
        let store = open(&self.address, &self.keys).await;
        deeds(store, &self.clock, settings)
    }

    /// The first administrator, with the password.
    pub(crate) async fn admin(&self) -> (Ctx, String) {
        let first = identity::first_admin(&self.deeds).await.unwrap().unwrap();
        (person(&[Role::Admin], None), first.password.into_exposed())
    }

    /// Asks for a token by a form, as smctl does.
    pub(crate) async fn ask(&self, form: &[(&str, &str)]) -> Result<Issued, OAuthError> {
        ask(&self.deeds, form).await
    }

    pub(crate) async fn login(&self, user: &str, password: &str) -> Result<Issued, OAuthError> {
        let form = [
            ("grant_type", "password"),
            ("username", user),
            ("password", password),
            ("client_id", "cf"),
        ];
        self.ask(&form).await
    }

    pub(crate) async fn refresh(&self, token: &str) -> Result<Issued, OAuthError> {
        let form = [
            ("grant_type", "refresh_token"),
            ("refresh_token", token),
            ("client_id", "cf"),
        ];
        self.ask(&form).await
    }

    /// Whom an access token stands for.
    pub(crate) async fn who(&self, issued: &Issued) -> Person {
        who(&self.deeds, issued).await
    }

    /// The audit log, oldest first.
    pub(crate) async fn audit(&self) -> Vec<Record> {
        let mut records = qm_lifecycle::audit::list(
            &self.deeds,
            &person(&[Role::Admin], None),
            qm_lifecycle::audit::Filter::default(),
            None,
            1000,
        )
        .await
        .unwrap();
        records.reverse();
        records
    }
}

pub(crate) async fn ask(deeds: &Lifecycle, form: &[(&str, &str)]) -> Result<Issued, OAuthError> {
    let form: Vec<_> = form
        .iter()
        .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
        .collect();
    identity::token(deeds, &anonymous(), URL, Grant::read(&form, None)?).await
}

pub(crate) async fn who(deeds: &Lifecycle, issued: &Issued) -> Person {
    let caller = identity::bearer(deeds, issued.access_token.expose())
        .await
        .unwrap();
    let Caller::Person(person) = caller else {
        panic!("{caller:?}")
    };
    person
}

async fn open(address: &str, keys: &str) -> Store {
    let options = Options::parse(address).unwrap();
    Store::open(options, KeyRing::parse(keys).unwrap())
        .await
        .unwrap()
}

fn deeds(store: Store, clock: &TestClock, identity: identity::Settings) -> Lifecycle {
    let clock = clock.clone();
    let settings = Settings {
        policy: qm_policy::Settings {
            tenant_label: "tenant".to_owned(),
        },
        identity,
        protected_labels: BTreeSet::new(),
        catalog_interval: Duration::from_secs(60),
        lease: Duration::from_secs(60),
        deadline: Duration::from_secs(60),
        cascade: qm_lifecycle::cascade::Settings::default(),
        instance_transfer: false,
        own_certificate: false,
        osb: qm_lifecycle::Osb::default(),
        replica: "test".to_owned(),
    };
    let relay = Relay::new(RelaySettings::default()).unwrap();
    Lifecycle::new(
        store,
        relay,
        settings,
        Clock::new(move || clock.now()),
        Box::new(NoWords),
    )
}

/// Nothing here tells platforms anything.
struct NoWords;

impl Words for NoWords {
    fn broker(&self, _: &Broker) -> Value {
        Value::Null
    }
    fn services(&self, _: &[(Offering, Vec<Plan>)]) -> Value {
        Value::Null
    }
    fn visibility(&self, _: &Visibility) -> Value {
        Value::Null
    }
    fn plan(&self, _: &Plan) -> Value {
        Value::Null
    }
    fn label_changes(&self, _: &[LabelChange]) -> Value {
        Value::Null
    }
}

/// On SQLite, with settings of the test's own.
pub(crate) async fn with(settings: identity::Settings) -> World {
    let dir = tempfile::tempdir().unwrap();
    let address = format!("sqlite:{}", dir.path().join("test.db").display());
    World::open(address, Some(dir), None, settings).await
}

pub(crate) async fn sqlite() -> Option<World> {
    Some(with(identity::Settings::default()).await)
}

pub(crate) async fn postgres() -> Option<World> {
    let database = postgres::database().await?;
    let address = database.url();
    Some(World::open(address, None, Some(database), identity::Settings::default()).await)
}

/// Whoever has not logged in.
pub(crate) fn anonymous() -> Ctx {
    Ctx {
        caller: Caller::Anonymous,
        correlation_id: "test".to_owned(),
        remote: "192.0.2.7:4000".to_owned(),
    }
}

/// Somebody with a token.
pub(crate) fn person(roles: &[Role], tenant: Option<&str>) -> Ctx {
    Ctx {
        caller: Caller::Person(Person {
            subject: "tester".to_owned(),
            name: "tester".to_owned(),
            issuer: "https://elsewhere.example".to_owned(),
            roles: roles.iter().copied().collect(),
            tenant: tenant.map(str::to_owned),
        }),
        ..anonymous()
    }
}

/// `on_both!(a, b)`: each function becomes a test on SQLite and one on PostgreSQL.
macro_rules! on_both {
    ($($name:ident),* $(,)?) => {
        crate::identity::world::on!(sqlite: $($name),*);
        crate::identity::world::on!(postgres: $($name),*);
    };
}

macro_rules! on {
    ($engine:ident: $($name:ident),*) => {
        mod $engine {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    let Some(world) = crate::identity::world::$engine().await else { return };
                    super::$name(world).await;
                }
            )*
        }
    };
}

pub(crate) use {on, on_both};
