//! A small registry to remember things of, and the few words in which the tests speak.

use crate::identity::world::{World, anonymous, person};
use qm_lifecycle::broker::{self, NewBroker};
use qm_lifecycle::credential::{self, NewCredential};
use qm_lifecycle::platform::{self, NewPlatform, PlatformChange};
use qm_lifecycle::visibility::{self, NewVisibility};
use qm_lifecycle::{Lifecycle, Mode, identity};
use qm_model::broker::{Access, Auth, Tls};
use qm_model::id::BrokerId;
use qm_model::identity::Role;
use qm_model::label::LabelOp;
use qm_model::platform::Credentials;
use qm_model::{Caller, Ctx, Error, LabelChange, Labels, Secret};
use qm_testkit::hostile::HostileBroker;
use serde_json::Value;

pub(super) fn admin() -> Ctx {
    person(&[Role::Admin], None)
}

/// Registers a platform and gives what it logs in with.
pub(super) async fn register(deeds: &Lifecycle, id: &str) -> Credentials {
    let new = NewPlatform {
        id: Some(id.to_owned()),
        name: id.to_owned(),
        platform_type: "kubernetes".to_owned(),
        description: String::new(),
        technical: false,
        suspended: false,
        labels: Labels::new(),
    };
    let made = platform::register(deeds, &admin(), new).await.unwrap();
    made.resource.credentials.unwrap()
}

pub(super) async fn change(
    deeds: &Lifecycle,
    id: &str,
    change: PlatformChange,
) -> Option<Credentials> {
    let changed = platform::update(deeds, &admin(), id, change).await;
    changed.unwrap().resource.credentials
}

pub(super) async fn rotate(deeds: &Lifecycle, id: &str) -> Credentials {
    let change_ = PlatformChange {
        regenerate: true,
        ..PlatformChange::default()
    };
    change(deeds, id, change_).await.unwrap()
}

pub(super) fn suspend(suspended: bool) -> PlatformChange {
    PlatformChange {
        suspended: Some(suspended),
        ..PlatformChange::default()
    }
}

pub(super) fn label(key: &str, value: &str) -> LabelChange {
    let values = vec![value.to_owned()];
    LabelChange::new(LabelOp::Add, key.to_owned(), values).unwrap()
}

/// Registers a broker under this id.
pub(super) async fn offer(world: &World, id: &str, host: &HostileBroker) {
    let new = NewBroker {
        id: Some(id.to_owned()),
        name: id.to_owned(),
        description: String::new(),
        url: host.url(),
        access: Access {
            auth: Auth::Basic {
                username: "user".to_owned(),
                password: Secret::new("password".to_owned()),
            },
            tls: Tls::None,
        },
        labels: Labels::new(),
    };
    let made = broker::register(&world.deeds, &admin(), new, Mode::Sync).await;
    made.unwrap();
}

/// The manager's ids of a broker's two plans.
pub(super) async fn plans(world: &World, broker: &str) -> Vec<String> {
    let id = BrokerId::new(broker).unwrap();
    let catalog = world
        .store
        .read(async move |tx| qm_store::catalog::of_broker(tx, &id).await)
        .await
        .unwrap();
    let plans = catalog.into_iter().flat_map(|(_, plans)| plans);
    plans.map(|plan| plan.id.to_string()).collect()
}

/// Makes a plan visible to a platform, or to all.
pub(super) async fn show(deeds: &Lifecycle, plan: &str, platform: Option<&str>) -> String {
    let new = NewVisibility {
        id: None,
        platform_id: platform.map(str::to_owned),
        plan_id: plan.to_owned(),
        labels: Labels::new(),
    };
    let made = visibility::create(deeds, &admin(), new).await.unwrap();
    made.resource.id.to_string()
}

pub(super) async fn hide(deeds: &Lifecycle, visibility: &str) {
    visibility::remove(deeds, &admin(), visibility)
        .await
        .unwrap();
}

/// Logs in at the REST doors.
pub(super) async fn basic(deeds: &Lifecycle, pair: &Credentials) -> Option<Ctx> {
    known(identity::basic(deeds, &pair.username, pair.password.expose()).await)
}

/// Logs in at a broker's door.
pub(super) async fn door(
    deeds: &Lifecycle,
    broker: &str,
    user: &str,
    password: &str,
) -> Option<Ctx> {
    known(identity::door(deeds, broker, user, password).await)
}

/// The same with a platform's own pair.
pub(super) async fn own(deeds: &Lifecycle, broker: &str, pair: &Credentials) -> Option<Ctx> {
    door(deeds, broker, &pair.username, pair.password.expose()).await
}

fn known(proved: Result<Caller, Error>) -> Option<Ctx> {
    match proved {
        Ok(caller) => Some(Ctx {
            caller,
            ..anonymous()
        }),
        Err(Error::Unauthenticated { .. }) => None,
        Err(other) => panic!("{other}"),
    }
}

/// An agent stores a pair for a broker; gives the credential's id.
pub(super) async fn put(
    deeds: &Lifecycle,
    platform: &Ctx,
    broker: &str,
    username: &str,
    password: &str,
) -> String {
    let new = NewCredential {
        broker_id: broker.to_owned(),
        username: username.to_owned(),
        password_hash: Secret::new(bcrypt::hash(password, 4).unwrap()),
        notification_id: None,
        force: true,
    };
    credential::put(deeds, platform, new)
        .await
        .unwrap()
        .id
        .to_string()
}

/// The names of the plans that a platform is shown at a broker's door; nothing when there is no such door for it.
pub(super) async fn catalog(
    deeds: &Lifecycle,
    platform: &Ctx,
    broker: &str,
) -> Option<Vec<String>> {
    let catalog = match qm_lifecycle::door::catalog(deeds, platform, broker).await {
        Ok(catalog) => catalog,
        Err(Error::Missing(_)) => return None,
        Err(other) => panic!("{other}"),
    };
    let catalog: Value = serde_json::from_slice(&catalog.bytes).unwrap();
    let services = catalog["services"].as_array().unwrap();
    let plans = services
        .iter()
        .flat_map(|service| service["plans"].as_array().unwrap());
    Some(
        plans
            .map(|plan| plan["name"].as_str().unwrap().to_owned())
            .collect(),
    )
}
