//! Pairs of platforms, and pairs that their agents made for brokers: what is remembered ends with the change, not later.

use super::registry::{
    admin, basic, change, door, label, offer, own, put, register, rotate, suspend,
};
use crate::identity::world::{World, on_both};
use qm_lifecycle::platform::{self, PlatformChange};
use qm_lifecycle::{broker, credential};
use qm_model::Caller;
use qm_testkit::hostile::HostileBroker;

on_both!(
    a_platforms_old_pair_ends_when_the_new_one_is_used,
    a_change_of_a_platform_is_seen_by_its_next_call,
    an_agents_old_pair_ends_when_the_new_one_is_activated,
    a_pair_for_one_broker_is_nothing_elsewhere,
    a_wrong_pair_can_become_right,
    with_the_platform_or_the_broker_go_its_pairs,
    a_login_that_a_change_overtakes_is_not_remembered,
    many_first_calls_at_once_are_all_let_in,
    guesses_do_not_keep_others_out,
);

async fn a_platforms_old_pair_ends_when_the_new_one_is_used(world: World) {
    let deeds = &world.deeds;
    let first = register(deeds, "k").await;
    let ctx = basic(deeds, &first).await.unwrap();
    platform::connected(deeds, &ctx, None).await.unwrap();
    let second = rotate(deeds, "k").await;
    for _ in 0..3 {
        for pair in [&first, &second] {
            assert!(basic(deeds, pair).await.is_some());
            assert!(own(deeds, "any", pair).await.is_some());
        }
    }
    // Using the old one ends nothing.
    let old = basic(deeds, &first).await.unwrap();
    platform::connected(deeds, &old, None).await.unwrap();
    assert!(basic(deeds, &first).await.is_some());
    let new = basic(deeds, &second).await.unwrap();
    platform::connected(deeds, &new, None).await.unwrap();
    assert!(basic(deeds, &first).await.is_none());
    assert!(own(deeds, "any", &first).await.is_none());
    assert!(basic(deeds, &second).await.is_some());
    // A pair that was never used is replaced without becoming the old one.
    let unused = rotate(deeds, "k").await;
    assert!(basic(deeds, &unused).await.is_some());
    let last = rotate(deeds, "k").await;
    assert!(basic(deeds, &unused).await.is_none());
    assert!(basic(deeds, &second).await.is_some());
    assert!(basic(deeds, &last).await.is_some());
}

async fn a_change_of_a_platform_is_seen_by_its_next_call(world: World) {
    let deeds = &world.deeds;
    let pair = register(deeds, "k").await;
    let seen = async || {
        let ctx = own(deeds, "any", &pair).await.unwrap();
        let Caller::Platform(platform) = ctx.caller else {
            panic!("{:?}", ctx.caller)
        };
        let same = basic(deeds, &pair).await.unwrap().caller;
        assert_eq!(same, Caller::Platform(platform.clone()));
        platform
    };
    let before = seen().await;
    assert!(!before.suspended && before.tenants.is_empty());
    assert_eq!(
        (before.name.as_str(), before.username == pair.username),
        ("k", true)
    );
    change(deeds, "k", suspend(true)).await;
    assert!(seen().await.suspended);
    change(deeds, "k", suspend(false)).await;
    assert!(!seen().await.suspended);
    let change_ = PlatformChange {
        name: Some("renamed".to_owned()),
        labels: vec![label("tenant", "me")],
        ..PlatformChange::default()
    };
    change(deeds, "k", change_).await;
    let after = seen().await;
    assert_eq!(
        (after.name.as_str(), after.tenants),
        ("renamed", vec!["me".to_owned()])
    );
}

async fn an_agents_old_pair_ends_when_the_new_one_is_activated(world: World) {
    let deeds = &world.deeds;
    let host = HostileBroker::start().await.unwrap();
    offer(&world, "b", &host).await;
    let k = basic(deeds, &register(deeds, "k").await).await.unwrap();
    let id = put(deeds, &k, "b", "one", "first").await;
    let is = async |user: &str, password: &str| door(deeds, "b", user, password).await.is_some();
    assert!(is("one", "first").await);
    credential::activate(deeds, &k, &id).await.unwrap();
    assert!(is("one", "first").await);
    assert_eq!(put(deeds, &k, "b", "two", "second").await, id);
    for _ in 0..3 {
        assert!(is("one", "first").await && is("two", "second").await);
        assert!(!is("one", "second").await && !is("two", "first").await);
    }
    credential::activate(deeds, &k, &id).await.unwrap();
    assert!(!is("one", "first").await);
    assert!(is("two", "second").await);
}

async fn a_pair_for_one_broker_is_nothing_elsewhere(world: World) {
    let deeds = &world.deeds;
    let host = HostileBroker::start().await.unwrap();
    offer(&world, "b", &host).await;
    offer(&world, "c", &host).await;
    let pair = register(deeds, "k").await;
    let (k, l) = (
        basic(deeds, &pair).await.unwrap(),
        basic(deeds, &register(deeds, "l").await).await.unwrap(),
    );
    put(deeds, &k, "b", "user", "password").await;
    // The same words at another broker are another platform's.
    put(deeds, &l, "c", "user", "password").await;
    for _ in 0..2 {
        let at = async |broker: &str| {
            let ctx = door(deeds, broker, "user", "password").await;
            ctx.map(|ctx| ctx.caller.platform().unwrap().id.to_string())
        };
        assert_eq!(at("b").await.as_deref(), Some("k"));
        assert_eq!(at("c").await.as_deref(), Some("l"));
        assert_eq!(at("d").await, None);
        assert_eq!(at("no id:/").await, None);
        assert!(
            own(deeds, "no id:/", &pair).await.is_some(),
            "404 comes later"
        );
        let rest = qm_lifecycle::identity::basic(deeds, "user", "password").await;
        assert!(rest.is_err());
    }
}

async fn a_wrong_pair_can_become_right(world: World) {
    let deeds = &world.deeds;
    let host = HostileBroker::start().await.unwrap();
    offer(&world, "b", &host).await;
    let k = basic(deeds, &register(deeds, "k").await).await.unwrap();
    put(deeds, &k, "b", "user", "right").await;
    for _ in 0..2 {
        assert!(door(deeds, "b", "user", "wrong").await.is_none());
        assert!(door(deeds, "b", "unknown", "wrong").await.is_none());
    }
    put(deeds, &k, "b", "user", "wrong").await;
    assert!(door(deeds, "b", "user", "wrong").await.is_some());
    put(deeds, &k, "b", "unknown", "wrong").await;
    assert!(door(deeds, "b", "unknown", "wrong").await.is_some());
}

async fn with_the_platform_or_the_broker_go_its_pairs(world: World) {
    let deeds = &world.deeds;
    let host = HostileBroker::start().await.unwrap();
    offer(&world, "b", &host).await;
    offer(&world, "c", &host).await;
    let pair = register(deeds, "k").await;
    let k = basic(deeds, &pair).await.unwrap();
    put(deeds, &k, "b", "user", "password").await;
    put(deeds, &k, "c", "user", "password").await;
    let is = async |broker: &str| door(deeds, broker, "user", "password").await.is_some();
    assert!(is("b").await && is("c").await);
    broker::remove(deeds, &admin(), "b").await.unwrap();
    assert!(!is("b").await);
    assert!(is("c").await);
    platform::remove(deeds, &admin(), "k").await.unwrap();
    assert!(!is("c").await);
    assert!(basic(deeds, &pair).await.is_none());
    assert!(own(deeds, "c", &pair).await.is_none());
}

/// A pair is replaced and the new one activated while the old one is being looked at.
async fn a_login_that_a_change_overtakes_is_not_remembered(world: World) {
    let deeds = &world.deeds;
    let host = HostileBroker::start().await.unwrap();
    offer(&world, "b", &host).await;
    let k = basic(deeds, &register(deeds, "k").await).await.unwrap();
    for n in 0..10 {
        let (old, new) = (format!("old {n}"), format!("new {n}"));
        put(deeds, &k, "b", &old, "password").await;
        let logins: Vec<_> = (0..3)
            .map(|_| {
                let (deeds, old) = (deeds.clone(), old.clone());
                tokio::spawn(async move { door(&deeds, "b", &old, "password").await.is_some() })
            })
            .collect();
        let id = put(deeds, &k, "b", &new, "password").await;
        credential::activate(deeds, &k, &id).await.unwrap();
        assert!(door(deeds, "b", &old, "password").await.is_none());
        for login in logins {
            login.await.unwrap();
        }
        assert!(door(deeds, "b", &old, "password").await.is_none());
        assert!(door(deeds, "b", &new, "password").await.is_some());
    }
}

async fn many_first_calls_at_once_are_all_let_in(world: World) {
    let deeds = &world.deeds;
    let host = HostileBroker::start().await.unwrap();
    offer(&world, "b", &host).await;
    let k = basic(deeds, &register(deeds, "k").await).await.unwrap();
    put(deeds, &k, "b", "user", "password").await;
    let calls: Vec<_> = (0..200)
        .map(|_| {
            let deeds = deeds.clone();
            tokio::spawn(async move { door(&deeds, "b", "user", "password").await.is_some() })
        })
        .collect();
    for call in calls {
        assert!(call.await.unwrap());
    }
}

/// Whoever guesses has a line of its own; a right pair that nobody has seen yet gets in while guesses wait.
async fn guesses_do_not_keep_others_out(world: World) {
    let deeds = &world.deeds;
    let host = HostileBroker::start().await.unwrap();
    offer(&world, "b", &host).await;
    let k = basic(deeds, &register(deeds, "k").await).await.unwrap();
    let l = basic(deeds, &register(deeds, "l").await).await.unwrap();
    put(deeds, &k, "b", "guessed", "password").await;
    put(deeds, &l, "b", "quiet", "password").await;
    let guesses: Vec<_> = (0..400)
        .map(|n| {
            let deeds = deeds.clone();
            let user = ["guessed", "nobody"][n % 2];
            tokio::spawn(async move {
                door(&deeds, "b", user, &format!("guess {n}"))
                    .await
                    .is_some()
            })
        })
        .collect();
    assert!(door(deeds, "b", "quiet", "password").await.is_some());
    assert!(
        door(deeds, "b", "guessed", "password").await.is_some(),
        "the one who is guessed at, too"
    );
    for guess in guesses {
        assert!(!guess.await.unwrap());
    }
    assert!(door(deeds, "b", "guessed", "password").await.is_some());
}
