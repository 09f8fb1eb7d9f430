//! Random sequences of deeds, of a broker's failures and of restarts, and what must hold whatever they are:
//!
//! - no deletion is sent without the wish to delete, or a creation of our own that failed;
//! - every accepted request ends;
//! - no two operations write one resource at once;
//! - names stay unique.
//!
//! `QM_FAULT_SEED` repeats a run.

mod broker;
mod deeds;
mod wishes;

use super::world::{BINDINGS, INSTANCES, World, quick};
use crate::faults::Dice;
use crate::harness::Engine;
use crate::harness::answer::{id, text};
use crate::harness::wait::within;
use broker::Weather;
use deeds::Actor;
use futures_util::future::join_all;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use wishes::Wishes;

on_both_engines!(whatever_happens);

/// How many sequences, side by side, and of how many turns.
const SEQUENCES: usize = 4;
const TURNS: usize = 70;

async fn whatever_happens(engine: Engine) {
    let mut dice = Dice::from_env();
    let mut running = Vec::new();
    for _ in 0..SEQUENCES {
        let world = World::on(quick(engine).set("QM_LOG_LEVEL", "error")).await;
        running.push(sequence(world, dice.split()));
    }
    let sent: usize = join_all(running).await.into_iter().sum();
    println!("{SEQUENCES} sequences of {TURNS} turns, {sent} calls at the brokers");
    assert!(
        sent > SEQUENCES * TURNS / 2,
        "too little happened to say anything"
    );
}

async fn sequence(mut world: World, mut dice: Dice) -> usize {
    let mut wishes = Wishes::default();
    let mut weather = Weather::default();
    for turn in 0..TURNS {
        match dice.roll(20) {
            0..=3 => weather.change(&mut world, &mut dice).await,
            4 => world.manager.restart().await,
            5 => {
                // Two at once, at the same things.
                let (mut one, mut other) = (
                    Actor::of(&world, dice.split()),
                    Actor::of(&world, dice.split()),
                );
                let (first, second) =
                    tokio::join!(one.act(&wishes.known), other.act(&wishes.known));
                wishes.note(&world, first);
                wishes.note(&world, second);
            }
            _ => {
                let mut actor = Actor::of(&world, dice.split());
                let done = actor.act(&wishes.known).await;
                wishes.note(&world, done);
            }
        }
        one_at_a_time(&world, turn);
    }
    weather.clear(&mut world).await;
    // The broker's time passes by being asked; nobody asks for what was taken over.
    within(
        Duration::from_secs(60),
        "every operation ends",
        async || {
            broker::tick(&world).await;
            world.open_operations().is_empty().then_some(())
        },
    )
    .await;
    every_request_ended(&world, &wishes).await;
    names_are_unique(&world).await;
    wishes.hold(&world);
    all_can_be_deleted(&world).await;
    world.asked()
}

/// No two operations are under way on one thing.
fn one_at_a_time(world: &World, turn: usize) {
    let twice = world.manager.sql(
        "SELECT resource_type || ' ' || resource_id FROM operation WHERE phase <> 'done'
         GROUP BY resource_type, resource_id HAVING count(*) > 1",
    );
    assert!(twice.is_empty(), "turn {turn}: {twice:?}");
}

async fn every_request_ended(world: &World, wishes: &Wishes) {
    let operations = world.person().all("/v1/operations").await;
    let mut ended = BTreeSet::new();
    for operation in &operations {
        let state = text(operation, "state");
        assert!(
            ["succeeded", "failed"].contains(&state.as_str()),
            "{operation:#}"
        );
        if state == "failed" {
            assert!(
                !operation["errors"].is_null(),
                "nobody says why: {operation:#}"
            );
        }
        ended.insert(id(operation));
    }
    for location in &wishes.accepted {
        let operation = location.rsplit('/').next().unwrap();
        assert!(
            ended.contains(operation),
            "{location} is not known any more"
        );
    }
}

async fn names_are_unique(world: &World) {
    let mut bearers: BTreeMap<String, usize> = BTreeMap::new();
    let mut count = |name: String| *bearers.entry(name).or_default() += 1;
    let ready = |thing: &&Value| thing["ready"] == true;
    for instance in world.person().all(INSTANCES).await.iter().filter(ready) {
        count(text(instance, "name"));
    }
    for binding in world.person().all(BINDINGS).await.iter().filter(ready) {
        count(format!(
            "{} of {}",
            text(binding, "name"),
            text(binding, "service_instance_id")
        ));
    }
    bearers.retain(|_, many| *many > 1);
    assert!(bearers.is_empty(), "{bearers:?}");
}

/// The broker has what the manager has, whatever became of it; and all of it can be deleted.
async fn all_can_be_deleted(world: &World) {
    let person = world.person();
    let mut recorded = BTreeSet::new();
    for path in [INSTANCES, BINDINGS] {
        for thing in person.all(path).await {
            let last = &thing["last_operation"];
            // Of a deletion that failed nobody can say more than that.
            let unsure = last["type"] == "delete" && last["state"] == "failed";
            let there = world.existing().contains_key(&id(&thing));
            let ready = thing["ready"] == true;
            assert!(
                unsure || there == ready,
                "at the broker: {there}: {thing:#}"
            );
            recorded.insert(id(&thing));
        }
    }
    let forgotten: Vec<String> = world
        .existing()
        .into_keys()
        .filter(|thing| !recorded.contains(thing))
        .collect();
    assert!(
        forgotten.is_empty(),
        "at the broker and not recorded: {forgotten:?}"
    );
    for instance in person.all(INSTANCES).await {
        let path = format!("{INSTANCES}/{}?cascade=true", id(&instance));
        let location = person.0.delete(&path).await.location();
        person.good_end(&location).await;
    }
    assert!(world.agree().await.is_empty());
}
