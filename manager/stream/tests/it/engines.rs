//! The engines to test on, and the few words in which the tests speak.

use qm_db::seal::KeyRing;
use qm_db::{Db, Options};
use qm_model::ctx::Ctx;
use qm_model::event::{Audience, Change, Event, NewEvent};
use qm_model::id::{EventId, PlatformId};
use qm_model::{Kind, Time};
use qm_policy::Permit;
use qm_store::{Store, outbox};
use qm_stream::{Message, Stream, StreamSettings, Subscription};
use qm_testkit::postgres;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// A fresh store, gone when dropped.
pub(crate) struct World {
    pub(crate) store: Store,
    address: String,
    keys: String,
    _dir: Option<TempDir>,
    _database: Option<postgres::Database>,
}

impl World {
    pub(crate) async fn at(address: String) -> Self {
        let keys = KeyRing::generate().unwrap().to_text().to_string();
        Self {
            store: open(&address, &keys).await,
            address,
            keys,
            _dir: None,
            _database: None,
        }
    }

    /// Another handle to the same store, as another replica would have.
    pub(crate) async fn another(&self) -> Store {
        open(&self.address, &self.keys).await
    }

    /// The same database without the store's rules, to break them.
    pub(crate) async fn bare(&self) -> Db {
        Db::open(Options::parse(&self.address).unwrap())
            .await
            .unwrap()
    }

    pub(crate) fn stream(&self, queue: usize) -> Stream {
        stream(&self.store, queue)
    }

    /// Commits so many events for everyone.
    pub(crate) async fn tell(&self, count: usize) {
        for _ in 0..count {
            tell(&self.store, &Audience::Everyone, "x").await.unwrap();
        }
    }
}

async fn open(address: &str, keys: &str) -> Store {
    Store::open(
        Options::parse(address).unwrap(),
        KeyRing::parse(keys).unwrap(),
    )
    .await
    .unwrap()
}

pub(crate) fn stream(store: &Store, queue: usize) -> Stream {
    let settings = StreamSettings {
        queue,
        poll: Duration::from_millis(20),
        patience: Duration::from_secs(10),
    };
    Stream::start(store.clone(), settings, text as fn(&Event) -> String)
}

/// What the tests' messages say.
pub(crate) fn text(event: &Event) -> String {
    format!("{} {}", event.revision, event.resource_id)
}

/// Commits an event.
pub(crate) async fn tell(
    store: &Store,
    audience: &Audience,
    about: &str,
) -> Result<(), qm_store::Error> {
    tell_at(store, audience, about, Time(1_000_000)).await
}

pub(crate) async fn tell_at(
    store: &Store,
    audience: &Audience,
    about: &str,
    at: Time,
) -> Result<(), qm_store::Error> {
    let event = NewEvent {
        broker: None,
        id: EventId::new(fresh()).unwrap(),
        resource: Kind::Broker,
        resource_id: about.to_owned(),
        change: Change::Modified,
        audience: audience.clone(),
        payload: "{}".to_owned(),
        correlation_id: "c".repeat(100),
    };
    store
        .change(&permit(), async move |tx| {
            outbox::append(tx, &event, at).await?;
            Ok::<_, qm_store::Error>(())
        })
        .await
}

fn fresh() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("event-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

fn permit() -> Permit<qm_policy::Change> {
    let settings = qm_policy::Settings {
        tenant_label: "tenant".to_owned(),
    };
    qm_policy::change(&Ctx::system("test", String::new()), Kind::Broker, &settings).unwrap()
}

pub(crate) fn platform(name: &str) -> PlatformId {
    PlatformId::new(name).unwrap()
}

pub(crate) fn only(names: &[&str]) -> Audience {
    Audience::Only(set(names))
}

pub(crate) fn except(names: &[&str]) -> Audience {
    Audience::Except(set(names))
}

fn set(names: &[&str]) -> BTreeSet<PlatformId> {
    names.iter().map(|name| platform(name)).collect()
}

/// The next message; a test that waits for one that never comes must end.
pub(crate) async fn next(subscription: &mut Subscription) -> Option<Arc<Message>> {
    tokio::time::timeout(Duration::from_secs(180), subscription.next())
        .await
        .expect("nothing came")
}

/// The revisions of the next so many messages.
pub(crate) async fn revisions(subscription: &mut Subscription, count: usize) -> Vec<i64> {
    let mut revisions = Vec::new();
    while revisions.len() < count {
        revisions.push(next(subscription).await.expect("cut").revision());
    }
    revisions
}

/// The texts of the next so many messages, without their revisions.
pub(crate) async fn texts(subscription: &mut Subscription, count: usize) -> Vec<String> {
    let mut texts = Vec::new();
    while texts.len() < count {
        let message = next(subscription).await.expect("cut");
        let text = std::str::from_utf8(message.text()).unwrap();
        texts.push(text.split_once(' ').unwrap().1.to_owned());
    }
    texts
}

pub(crate) async fn file() -> Option<World> {
    let dir = tempfile::tempdir().unwrap();
    let mut world = World::at(format!("sqlite:{}", dir.path().join("test.db").display())).await;
    world._dir = Some(dir);
    Some(world)
}

pub(crate) async fn postgres() -> Option<World> {
    let database = postgres::database().await?;
    let mut world = World::at(database.url()).await;
    world._database = Some(database);
    Some(world)
}

/// `on_both!(a, b)`: each function becomes a test on SQLite and one on PostgreSQL.
macro_rules! on_both {
    ($($name:ident),* $(,)?) => {
        crate::engines::on!(file: $($name),*);
        crate::engines::on!(postgres: $($name),*);
    };
}

macro_rules! on {
    ($engine:ident: $($name:ident),*) => {
        mod $engine {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    let Some(world) = crate::engines::$engine().await else { return };
                    super::$name(world).await;
                }
            )*
        }
    };
}

pub(crate) use {on, on_both};
