//! Five hundred kills at random moments, while customers come and go.

use super::super::world::{World, quick};
use super::customer::Customer;
use crate::faults::Dice;
use crate::harness::Engine;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const KILLS: usize = 500;
const CUSTOMERS: usize = 8;
/// A kill falls at most so long after the start.
const LIFE_MS: u64 = 120;

on_both_engines!(five_hundred_kills);

async fn five_hundred_kills(engine: Engine) {
    let began = Instant::now();
    let mut dice = Dice::from_env();
    let mut world = World::on(quick(engine).set("QM_LOG_LEVEL", "warn")).await;
    let stop = Arc::new(AtomicBool::new(false));
    let customers: Vec<_> = (0..CUSTOMERS)
        .map(|n| {
            let customer = Customer::new(n, world.door(), dice.split(), Arc::clone(&stop));
            tokio::spawn(customer.live())
        })
        .collect();
    for _ in 0..KILLS {
        tokio::time::sleep(Duration::from_millis(dice.roll(LIFE_MS))).await;
        world.manager.restart().await;
    }
    stop.store(true, Ordering::Relaxed);
    let mut known = Vec::new();
    for customer in customers {
        known.push(customer.await.unwrap());
    }
    let there: BTreeSet<String> = world.agree().await.into_keys().collect();
    let mut answered = 0;
    for customer in &known {
        answered += customer.answered;
        for id in &customer.mine {
            assert!(there.contains(id), "{id} was answered and is gone");
        }
        for id in &customer.gone {
            assert!(!there.contains(id), "{id} was deleted and is there");
        }
    }
    println!(
        "{KILLS} kills: {answered} answers, {} calls at the broker, {} things left; {:.1} s",
        world.broker.calls().len(),
        there.len(),
        began.elapsed().as_secs_f64()
    );
    assert!(answered > KILLS, "too little happened to say anything");
}
