//! A clock that jumps an hour forward and back: leases, deadlines, trimming, tokens, locked-out users.
//!
//! The rule: time decides when something happens, never whether it is right. Whatever a jump does, nothing is done
//! twice, nothing waits for it, nothing that is still needed is removed, and nobody is kept out for long.

use crate::identity::world::{World, on_both, person};
use qm_lifecycle::broker::{self, NewBroker};
use qm_lifecycle::{Done, Mode, identity, read};
use qm_model::broker::{Access, Auth, Broker, Tls};
use qm_model::event::{Audience, Change, NewEvent};
use qm_model::id::{EventId, UserId};
use qm_model::identity::Role;
use qm_model::{Caller, Ctx, Error, Kind, Labels, Secret, Time};
use qm_store::{operation, outbox};
use qm_testkit::hostile::{Fault, HostileBroker};
use quartermaster_osb::Verb;
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(60 * 60);

on_both!(
    a_catalog_is_due_an_interval_after_it_was_looked_at,
    a_jump_ends_no_lease,
    a_lease_that_ended_is_fenced,
    work_of_the_dead_does_not_wait_out_a_jump_back,
    an_account_that_is_changed_ends_tokens_whatever_the_clock_says,
    trimming_removes_by_age_and_never_from_the_middle,
    tokens_are_good_for_their_time_and_no_longer,
    nobody_is_kept_out_for_long_by_a_jump_back,
);

fn new_broker(name: &str, host: &HostileBroker) -> NewBroker {
    NewBroker {
        id: Some(name.to_owned()),
        name: name.to_owned(),
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
    }
}

async fn stored(world: &World, ctx: &Ctx, name: &str) -> Option<Broker> {
    match read::one::<Broker>(&world.deeds, ctx, name).await {
        Ok(shown) => Some(shown.resource),
        Err(Error::Missing(Kind::Broker)) => None,
        Err(error) => panic!("{error}"),
    }
}

/// Takes up what is due at that time by the clock of leases, as the task does; how much it was.
async fn take_up(world: &World, owner: &str, now: Time) -> usize {
    let until = now.plus(Duration::from_secs(60));
    let taken = operation::claim(&world.store, owner, now, until, 10)
        .await
        .unwrap();
    let count = taken.len();
    for taken in taken {
        // What came of it stands in the operation.
        let _ = broker::resume(&world.deeds, taken).await;
    }
    count
}

/// Registering and changing a broker look at its catalog; the tasks do not look again at once.
async fn a_catalog_is_due_an_interval_after_it_was_looked_at(world: World) {
    let admin = person(&[Role::Admin], None);
    let host = HostileBroker::start().await.unwrap();
    let due = async |now: Time| {
        let due = qm_store::broker::claim_due(&world.store, now, now.plus(HOUR), 10).await;
        due.unwrap().len()
    };
    // The interval of this world is a minute.
    let (nearly, over) = (Duration::from_secs(59), Duration::from_secs(61));
    let start = world.deeds.lease_now();
    let made = broker::register(&world.deeds, &admin, new_broker("one", &host), Mode::Sync).await;
    made.unwrap();
    assert_eq!(due(start).await, 0, "just looked at");
    assert_eq!(due(start.plus(nearly)).await, 0);
    let again = world.deeds.lease_now();
    let change = broker::BrokerChange::default();
    let changed = broker::update(&world.deeds, &admin, "one", change, Mode::Sync).await;
    changed.unwrap();
    assert_eq!(due(again.plus(nearly)).await, 0, "looked at by the change");
    let later = world.deeds.lease_now().plus(over);
    assert_eq!(due(later).await, 1);
    assert_eq!(due(later).await, 0, "whoever asks first looks");
    // Whoever starts after the clock was set back by a day does not wait for a day.
    assert_eq!(due(later.minus(24 * HOUR)).await, 1);
    assert_eq!(due(later.minus(24 * HOUR)).await, 0);
}

/// The clock jumps over lease and deadline while a broker is asked, and back: nobody else takes the work up.
async fn a_jump_ends_no_lease(world: World) {
    let admin = person(&[Role::Admin], None);
    let host = HostileBroker::start().await.unwrap();
    for (name, forward) in [("forward", true), ("back", false)] {
        host.reset();
        host.on(Verb::Catalog).nth(1).then(Fault::slow(700));
        let (deeds, ctx, new) = (world.deeds.clone(), admin.clone(), new_broker(name, &host));
        let registering =
            tokio::spawn(async move { broker::register(&deeds, &ctx, new, Mode::Sync).await });
        host.wait_for(Verb::Catalog, 1).await.unwrap();
        match forward {
            true => world.clock.forward(HOUR),
            false => world.clock.back(HOUR),
        }
        let now = world.deeds.lease_now();
        assert_eq!(take_up(&world, "other", now).await, 0, "its lease holds");
        assert!(matches!(registering.await.unwrap().unwrap(), Done::Now(_)));
        assert!(stored(&world, &admin, name).await.unwrap().meta.ready);
        assert_eq!(host.calls_of(Verb::Catalog).len(), 1);
    }
}

/// A process sleeps until its lease is over. Another takes the work up and does it; the first one wakes and finds that
/// it may not write.
async fn a_lease_that_ended_is_fenced(world: World) {
    let admin = person(&[Role::Admin], None);
    let host = HostileBroker::start().await.unwrap();
    host.on(Verb::Catalog).nth(1).then(Fault::slow(700));
    let (deeds, ctx, new) = (
        world.deeds.clone(),
        admin.clone(),
        new_broker("slept", &host),
    );
    let registering =
        tokio::spawn(async move { broker::register(&deeds, &ctx, new, Mode::Sync).await });
    host.wait_for(Verb::Catalog, 1).await.unwrap();
    let now = world.deeds.lease_now();
    assert_eq!(take_up(&world, "too early", now).await, 0);
    assert_eq!(take_up(&world, "other", now.plus(HOUR)).await, 1);
    let other = stored(&world, &admin, "slept").await.unwrap();
    assert!(other.meta.ready, "done by the other one");
    let Caller::Person(began) = &admin.caller else {
        panic!("{admin:?}");
    };
    let records = world.audit().await;
    let record = records.iter().find(|record| record.object_id == "slept");
    let record = record.unwrap();
    assert_eq!(
        (
            record.actor_kind.as_str(),
            record.actor_id.as_str(),
            record.remote.as_str()
        ),
        ("person", began.subject.as_str(), admin.remote.as_str()),
        "written down as begun by whoever began it"
    );
    assert_eq!(
        (record.action.as_str(), record.outcome.word()),
        ("create", "succeeded")
    );
    registering.await.unwrap().expect_err("its lease was lost");
    let left = stored(&world, &admin, "slept").await.unwrap();
    assert_eq!(left, other, "whoever lost its lease writes nothing");
    assert_eq!(take_up(&world, "afterwards", now.plus(2 * HOUR)).await, 0);
}

/// A process dies, and the next one starts with a clock that is a day behind: by that clock the lease would last for a
/// day. Nobody takes one for so long, so it is over.
async fn work_of_the_dead_does_not_wait_out_a_jump_back(world: World) {
    let admin = person(&[Role::Admin], None);
    let host = HostileBroker::start().await.unwrap();
    host.on(Verb::Catalog).nth(1).then(Fault::slow(600_000));
    let (deeds, ctx, new) = (
        world.deeds.clone(),
        admin.clone(),
        new_broker("left", &host),
    );
    let dying = tokio::spawn(async move { broker::register(&deeds, &ctx, new, Mode::Sync).await });
    host.wait_for(Verb::Catalog, 1).await.unwrap();
    dying.abort();
    assert!(!stored(&world, &admin, "left").await.unwrap().meta.ready);
    let removed = broker::remove(&world.deeds, &admin, "left").await;
    assert_eq!(
        removed.unwrap_err().status(),
        422,
        "somebody may be at work"
    );

    let void = async |now: Time| {
        let void = operation::void(&world.store, now, now.plus(Duration::from_secs(900))).await;
        void.unwrap()
    };
    assert_eq!(void(world.deeds.lease_now()).await, 0, "it is a good lease");
    let behind = world.deeds.lease_now().minus(24 * HOUR);
    assert_eq!(take_up(&world, "next", behind).await, 0);
    assert_eq!(void(behind).await, 1);
    assert_eq!(take_up(&world, "next", behind).await, 1);
    assert!(stored(&world, &admin, "left").await.unwrap().meta.ready);
    assert_eq!(take_up(&world, "another", behind.plus(48 * HOUR)).await, 0);
    assert_eq!(host.calls_of(Verb::Catalog).len(), 2);
}

/// A token says for which state of its account it was made; when that was, by which clock, does not matter.
async fn an_account_that_is_changed_ends_tokens_whatever_the_clock_says(world: World) {
    let (_, password) = world.admin().await;
    let admin = person(&[Role::Admin], None);
    world.clock.back(24 * HOUR);
    // The account was made a day later by now, and still one can log in.
    let early = world.login("admin", &password).await.unwrap();
    let good = async |token: &str| identity::bearer(&world.deeds, token).await.is_ok();
    assert!(good(early.access_token.expose()).await);
    world.clock.forward(48 * HOUR);
    let fast = world.login("admin", &password).await.unwrap();
    let fast = fast.access_token.expose().clone();
    assert!(good(&fast).await);
    world.clock.back(24 * HOUR);
    world.clock.forward(Duration::from_secs(1));
    let person = world
        .who(&world.login("admin", &password).await.unwrap())
        .await;
    let id = UserId::stored(person.subject);
    let change = identity::UserChange {
        password: Some(Secret::new("another long password".to_owned())),
        ..identity::UserChange::default()
    };
    identity::change_user(&world.deeds, &admin, &id, change)
        .await
        .unwrap();
    // What was believed is not looked at again for half a minute.
    world.clock.forward(Duration::from_secs(31));
    assert!(
        !good(&fast).await,
        "it was made before the change, whatever its date"
    );
}

async fn trimming_removes_by_age_and_never_from_the_middle(world: World) {
    let keep = 12 * HOUR;
    let append = async |name: &str| {
        let event = NewEvent {
            broker: None,
            id: EventId::stored(name.to_owned()),
            resource: Kind::Visibility,
            resource_id: name.to_owned(),
            change: Change::Created,
            audience: Audience::Everyone,
            payload: "{}".to_owned(),
            correlation_id: "test".to_owned(),
        };
        let now = world.clock.now();
        let settings = qm_policy::Settings {
            tenant_label: "tenant".to_owned(),
        };
        let permit = qm_policy::change(
            &Ctx::system("test", String::new()),
            Kind::Visibility,
            &settings,
        );
        world
            .store
            .change::<_, qm_store::Error, _>(&permit.unwrap(), async move |tx| {
                outbox::append(tx, &event, now).await
            })
            .await
            .unwrap();
        outbox::sequence(&world.store).await.unwrap()
    };
    let kept = async || {
        let read = world.store.read::<_, qm_store::Error, _>(async |tx| {
            let position = outbox::position(tx).await?;
            let events = outbox::after(tx, position.trimmed, 100).await?;
            let revisions: Vec<i64> = events.iter().map(|event| event.revision).collect();
            Ok((position.trimmed, revisions))
        });
        read.await.unwrap()
    };
    let trim = async || {
        let before = world.clock.now().minus(keep);
        outbox::trim(&world.store, before, None)
            .await
            .unwrap()
            .removed
    };
    append("first").await;
    world.clock.forward(HOUR);
    append("while the clock was fast").await;
    world.clock.back(HOUR);
    append("after it was set right").await;
    assert_eq!(trim().await, 0);
    assert_eq!(
        kept().await,
        (0, vec![1, 2, 3]),
        "in the order of commits, whatever the clock said"
    );

    // The first and the third are too old by now, the second is not: the third stays behind it.
    world.clock.forward(keep + Duration::from_secs(60));
    assert_eq!(trim().await, 1);
    assert_eq!(kept().await, (1, vec![2, 3]));
    world.clock.forward(HOUR);
    assert_eq!(trim().await, 2);
    assert_eq!(kept().await, (3, vec![]));
    // Set back: nothing is removed, and revisions go on where they were.
    world.clock.back(HOUR);
    append("later").await;
    assert_eq!(trim().await, 0);
    assert_eq!(kept().await, (3, vec![4]));
}

async fn tokens_are_good_for_their_time_and_no_longer(world: World) {
    let (_, password) = world.admin().await;
    let issued = world.login("admin", &password).await.unwrap();
    let token = issued.access_token.expose().clone();
    let good = async |token: &str| identity::bearer(&world.deeds, token).await.is_ok();
    assert!(good(&token).await);
    world.clock.forward(HOUR);
    assert!(!good(&token).await, "it was good for half an hour");
    // Whoever logs in while the clock is fast is in, and stays in no longer than a token lives by that clock.
    let fast = world.login("admin", &password).await.unwrap();
    let fast_token = fast.access_token.expose().clone();
    assert!(good(&fast_token).await);
    world.clock.back(HOUR);
    assert!(good(&token).await, "its time has not come yet");
    let fresh = world.login("admin", &password).await.unwrap();
    assert!(
        good(fresh.access_token.expose()).await,
        "logging in works at once"
    );
    assert!(
        world
            .refresh(fresh.refresh_token.unwrap().expose())
            .await
            .is_ok()
    );
    world.clock.forward(HOUR + Duration::from_secs(31 * 60));
    assert!(!good(&fast_token).await, "over for good");
    assert!(!good(&token).await);
}

async fn nobody_is_kept_out_for_long_by_a_jump_back(world: World) {
    let (_, password) = world.admin().await;
    world.clock.forward(HOUR);
    let limits = identity::Settings::default().login;
    for _ in 0..limits.free + 3 {
        assert!(world.login("admin", "wrong").await.is_err());
    }
    assert!(
        world.login("admin", &password).await.is_err(),
        "it has to wait now"
    );
    world.clock.back(HOUR);
    world.clock.forward(limits.longest_for_name);
    assert!(
        world.login("admin", &password).await.is_ok(),
        "the longest wait is over, although the clock was set back in between"
    );
}
