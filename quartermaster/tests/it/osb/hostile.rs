//! The hostile broker's whole repertoire at one broker, while another one behind the same manager is used steadily.
//!
//! The rule: every call is answered, nothing that was begun stays under way, no call to the good broker fails or waits
//! for the bad one, and the process is no larger afterwards than a process that works may be.

mod repertoire;

use super::world::{Door, World, quick};
use crate::harness::answer::id;
use crate::harness::{Engine, brokers, eventually};
use qm_testkit::hostile::{Fault, HostileBroker};
use quartermaster_osb::Verb;
use repertoire::{Case, cases};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tokio::task::JoinSet;

on_both_engines!(
    every_fault_at_every_verb,
    who_hangs_takes_nothing_from_the_others,
    defect_21_answers_without_end_leave_nothing_behind,
);

/// How many of them go on at the same time.
const AT_ONCE: usize = 12;

/// Another broker behind the same manager, and its door.
async fn good(world: &World) -> (HostileBroker, Door) {
    let admin = world.manager.admin();
    let broker = brokers::broker().await;
    let registered = brokers::register(&admin, "good", &broker).await;
    for plan in brokers::plans(&admin, &registered).await {
        brokers::show(&admin, &plan, None).await.expect(201);
    }
    let door = Door {
        path: format!("/v1/osb/{}/v2", id(&registered)),
        ..world.door()
    };
    (broker, door)
}

/// A life at the good broker: every call of it succeeds.
async fn good_life(door: &Door, n: usize) {
    let (id, binding) = (format!("good-{n}"), format!("good-{n}-b"));
    door.provision(&id).await.expect(201);
    door.bind(&id, &binding).await.expect(201);
    door.client.get(&door.url(&id)).await.expect(200);
    door.unbind(&id, &binding).await.expect(200);
    door.deprovision(&id).await.expect(200);
}

async fn every_fault_at_every_verb(engine: Engine) {
    // The breaker would keep most faults away.
    let setup = quick(engine)
        .set("QM_LOG_LEVEL", "warn")
        .set("QM_BROKERS_BREAKER_FAILURES", "100000");
    let world = World::on(setup).await;
    let (good_broker, good_door) = good(&world).await;
    let stop = Arc::new(AtomicBool::new(false));
    let lives = Arc::new(AtomicUsize::new(0));
    let steady = tokio::spawn({
        let (stop, lives) = (Arc::clone(&stop), Arc::clone(&lives));
        async move {
            while !stop.load(Ordering::Relaxed) {
                good_life(&good_door, lives.fetch_add(1, Ordering::Relaxed)).await;
            }
        }
    });
    let mut all = cases().into_iter();
    let mut lied = Vec::new();
    let mut living = JoinSet::new();
    let mut count = 0;
    loop {
        while living.len() < AT_ONCE
            && let Some(case) = all.next()
        {
            case.script(&world.broker);
            living.spawn(case.live(world.door()));
            count += 1;
        }
        let Some(case) = living.join_next().await else {
            break;
        };
        let case: Case = case.unwrap();
        if case.lies() {
            lied.push(case.id);
        }
    }
    stop.store(true, Ordering::Relaxed);
    steady.await.unwrap();
    let lives = lives.load(Ordering::Relaxed);
    println!("{count} bad lives, {lives} good ones");
    assert!(lives > 0, "the good broker was not used");
    eventually("nothing is under way", async || {
        world.open_operations().is_empty().then_some(())
    })
    .await;
    let recorded = world.recorded().await;
    assert!(recorded.is_empty(), "{recorded:?}");
    assert!(good_broker.instances().is_empty());
    // Only what the broker said to have deleted and did not may be there.
    let left = world.broker.instances().into_iter();
    let left: Vec<_> = left
        .filter(|instance| !lied.contains(&instance.id))
        .collect();
    assert!(left.is_empty(), "{left:#?}");
}

async fn who_hangs_takes_nothing_from_the_others(engine: Engine) {
    // It hangs for longer than this test lasts.
    let setup = quick(engine)
        .set("QM_SERVER_REQUEST_TIMEOUT", "6m")
        .set("QM_BROKERS_TIMEOUT", "4m")
        .set("QM_BROKERS_HEADER_TIMEOUT", "4m");
    let mut world = World::on(setup).await;
    let (_good_broker, good_door) = good(&world).await;
    world.broker.on_any().always().then(Fault::Hang);
    const HANGING: usize = 100;
    let hanging: Vec<_> = (0..HANGING)
        .map(|n| {
            let door = world.door();
            let path = door.url(&format!("bad-{n}"));
            let body = super::world::wanted(qm_testkit::hostile::SYNC_PLAN).to_string();
            tokio::spawn(async move {
                let json = [("content-type", "application/json")];
                let put = http::Method::PUT;
                door.client.try_send(put, &path, &json, body).await.is_ok()
            })
        })
        .collect();
    let arrived = world.broker.wait_for(Verb::Provision, HANGING).await;
    arrived.unwrap();
    for n in 0..10 {
        good_life(&good_door, n).await;
    }
    let calls = world.broker.calls_of(Verb::Provision);
    assert!(
        calls.iter().all(|call| !call.answered),
        "all the while the others hang"
    );
    assert!(hanging.iter().all(|call| !call.is_finished()));
    world.broker.behave();
    world.broker.stop().await;
    world.broker.resume().unwrap();
    for call in hanging {
        call.await.unwrap();
    }
    assert!(world.agree().await.is_empty());
}

async fn defect_21_answers_without_end_leave_nothing_behind(engine: Engine) {
    let setup = quick(engine)
        .set("QM_LOG_LEVEL", "warn")
        .set("QM_BROKERS_BREAKER_FAILURES", "100000");
    let mut world = World::on(setup).await;
    let door = world.door();
    let pid = world.manager.process().pid();
    let endless = [
        Fault::Gigantic { bytes: None },
        Fault::HangInBody,
        Fault::Cut,
        Fault::Reset,
    ];
    for verb in [Verb::Provision, Verb::FetchInstance, Verb::PollInstance] {
        let faults = endless.to_vec();
        world.broker.on(verb).always().then(Fault::Cycle { faults });
    }
    let mut sizes = Vec::new();
    for round in 0..3 {
        let mut asking = JoinSet::new();
        for n in 0..40 {
            let (door, id) = (door.clone(), format!("r{round}-{n}"));
            asking.spawn(async move {
                door.provision(&id).await;
                door.client.get(&door.url(&id)).await;
            });
        }
        while let Some(asked) = asking.join_next().await {
            asked.unwrap();
        }
        sizes.push((resident(pid), descriptors(pid)));
    }
    world.broker.behave();
    assert!(world.agree().await.is_empty());
    println!("MiB and descriptors after each round: {sizes:?}");
    let (memory, open) = sizes[sizes.len() - 1];
    assert!(memory < 300, "{memory} MiB");
    assert!(open < 400, "{open} descriptors");
}

/// In MiB.
fn resident(pid: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kilobytes = line.unwrap().split_whitespace().nth(1).unwrap();
    kilobytes.parse::<usize>().unwrap() / 1024
}

fn descriptors(pid: u32) -> usize {
    std::fs::read_dir(format!("/proc/{pid}/fd"))
        .unwrap()
        .count()
}
