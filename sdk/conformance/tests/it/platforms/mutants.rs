//! The small platform, broken in one way at a time. The suite finds each fault, and the case that finds it is the one
//! that is about it.

mod answers;
mod changes;
mod front;
mod order;
mod polling;

use super::habits::{Ask, Flaw, Got, Habits, Kind, Poll, Ruling};
use super::reference::Reference;
use super::{complaints, judge, quick};
use qm_conformance::platform::Options;
use std::sync::Arc;
use std::time::Duration;

/// One way to break a platform.
struct Mutant {
    /// What is broken.
    name: &'static str,
    /// The case that has to find it.
    found_by: &'static str,
    /// A case to run beside it, so that there are calls to watch.
    beside: &'static str,
    habits: fn(&mut Habits),
}

/// A mutant that one case finds by itself.
const fn mutant(name: &'static str, found_by: &'static str, habits: fn(&mut Habits)) -> Mutant {
    Mutant {
        name,
        found_by,
        beside: found_by,
        habits,
    }
}

/// A mutant for a case that watches; `beside` makes calls.
const fn watched(
    name: &'static str,
    found_by: &'static str,
    beside: &'static str,
    habits: fn(&mut Habits),
) -> Mutant {
    Mutant {
        name,
        found_by,
        beside,
        habits,
    }
}

/// A mutant that asks wrongly.
macro_rules! asks {
    ($name:literal, $case:literal, $beside:literal, $ask:expr) => {
        watched($name, $case, $beside, |habits| habits.ask = $ask)
    };
}
/// A mutant that takes some answers for something else.
macro_rules! rules {
    ($name:literal, $case:literal, $ruling:expr) => {
        mutant($name, $case, |habits| habits.ruling = $ruling)
    };
}
/// A mutant that takes some polls for something else.
macro_rules! polls {
    ($name:literal, $case:literal, $poll:expr) => {
        mutant($name, $case, |habits| habits.poll = $poll)
    };
}
/// A mutant that does things in another order.
macro_rules! does {
    ($flaw:ident, $case:literal) => {
        mutant(stringify!($flaw), $case, |habits| habits.flaw = Flaw::$flaw)
    };
}
/// This ruling for a status of a kind of request.
macro_rules! takes {
    ($name:literal, $case:literal, $kind:ident, $status:pat, $ruling:ident) => {
        rules!($name, $case, |kind, got, ruling| {
            match (kind, got.status()) {
                (Kind::$kind, $status) => Ruling::$ruling,
                _ => ruling,
            }
        })
    };
}
use {asks, does, polls, rules, takes};

fn malformed(got: &Got) -> bool {
    got.object().is_none()
}

/// Hunts one mutant. On a busy machine a platform may be too slow to do wrong in time, so there are three tries.
async fn hunt(mutant: &Mutant) -> Result<(), String> {
    let mut outcome = Ok(());
    for round in 1..4 {
        outcome = run_once(mutant, round).await;
        if outcome.is_ok() {
            break;
        }
    }
    outcome
}

async fn run_once(mutant: &Mutant, round: u32) -> Result<(), String> {
    let mut habits = Habits::sound();
    (mutant.habits)(&mut habits);
    let options = Options {
        only: [mutant.found_by]
            .into_iter()
            .chain(mutant.beside.split(','))
            .map(str::to_owned)
            .collect(),
        patience: Duration::from_secs(4) * round,
        settle: Duration::from_millis(500) * round,
        ..quick()
    };
    let report = judge(Arc::new(Reference::new(habits)), options).await;
    let found = report
        .of(mutant.found_by)
        .any(|result| matches!(result.verdict.word(), "failed" | "warned"));
    if found {
        return Ok(());
    }
    let (name, case) = (mutant.name, mutant.found_by);
    let verdicts: Vec<_> = report.of(case).map(|result| &result.verdict).collect();
    let all = complaints(&report);
    Err(format!("{name}: {case} says {verdicts:?}{all}"))
}

async fn all_found(mutants: &[Mutant]) {
    let mut missed = Vec::new();
    for chunk in mutants.chunks(12) {
        for outcome in futures_util::future::join_all(chunk.iter().map(hunt)).await {
            missed.extend(outcome.err());
        }
    }
    let (count, all) = (missed.len(), mutants.len());
    assert!(
        missed.is_empty(),
        "{count} of {all} missed:\n{}",
        missed.join("\n")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_of_requests_are_found() {
    all_found(front::MUTANTS).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_of_judging_answers_are_found() {
    all_found(answers::MUTANTS).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_of_judging_changes_are_found() {
    all_found(changes::MUTANTS).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_of_judging_polls_are_found() {
    all_found(polling::MUTANTS).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_of_the_order_of_things_are_found() {
    all_found(order::MUTANTS).await;
}

/// Every case that can fail has a mutant that makes it fail.
#[test]
fn every_case_has_a_mutant() {
    let mutants = [
        front::MUTANTS,
        answers::MUTANTS,
        changes::MUTANTS,
        polling::MUTANTS,
        order::MUTANTS,
    ];
    let found: Vec<&str> = mutants
        .iter()
        .copied()
        .flatten()
        .map(|m| m.found_by)
        .collect();
    let without: Vec<&str> = qm_conformance::platform::cases::all()
        .map(|case| case.id)
        .filter(|id| !found.contains(id))
        .collect();
    assert_eq!(without, [] as [&str; 0]);
    let all: Vec<&str> = qm_conformance::platform::cases::all()
        .map(|case| case.id)
        .collect();
    for case in found {
        assert!(all.contains(&case), "{case}");
    }
}
