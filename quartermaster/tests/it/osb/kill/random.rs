//! Five hundred kills at random moments, while customers come and go.

use super::super::world::{World, quick};
use super::customer::Customer;
use crate::faults::Dice;
use crate::harness::Engine;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const KILLS: usize = 500;
const CUSTOMERS: usize = 8;
/// A kill falls after so many answers at most, whatever the machine's speed, and then somewhere in the time that the
/// next ones take.
const ANSWERS: u64 = 10;
const THEN_US: u64 = 8_000;

on_both_engines!(five_hundred_kills);

async fn five_hundred_kills(engine: Engine) {
    let began = Instant::now();
    let mut dice = Dice::from_env();
    let mut world = World::on(quick(engine).set("QM_LOG_LEVEL", "warn")).await;
    let stop = Arc::new(AtomicBool::new(false));
    let answers = Arc::new(AtomicU64::new(0));
    let customers: Vec<_> = (0..CUSTOMERS)
        .map(|n| {
            let customer = Customer::new(
                n,
                world.door(),
                dice.split(),
                Arc::clone(&stop),
                Arc::clone(&answers),
            );
            tokio::spawn(customer.live())
        })
        .collect();
    for _ in 0..KILLS {
        let enough = answers.load(Ordering::Relaxed) + 2 + dice.roll(ANSWERS);
        let waiting = async {
            while answers.load(Ordering::Relaxed) < enough {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        // All customers may be waiting for operations that a dead process has left behind.
        let _ = tokio::time::timeout(Duration::from_millis(400), waiting).await;
        tokio::time::sleep(Duration::from_micros(dice.roll(THEN_US))).await;
        world.manager.restart().await;
    }
    stop.store(true, Ordering::Relaxed);
    let mut known = Vec::new();
    for customer in customers {
        known.push(customer.await.unwrap());
    }
    let there: BTreeSet<String> = world.agree().await.into_keys().collect();
    for customer in &known {
        for id in &customer.mine {
            assert!(there.contains(id), "{id} was answered and is gone");
        }
        for id in &customer.gone {
            assert!(!there.contains(id), "{id} was deleted and is there");
        }
    }
    let answered = answers.load(Ordering::Relaxed);
    println!(
        "{KILLS} kills: {answered} answers, {} calls at the broker, {} things left; {:.1} s",
        world.broker.calls().len(),
        there.len(),
        began.elapsed().as_secs_f64()
    );
    assert!(
        answered > KILLS as u64 / 2,
        "too little happened to say anything"
    );
}
