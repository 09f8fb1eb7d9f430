//! The `minimal` broker, broken in one way at a time by a proxy in front of it. The suite finds each fault, and the case
//! that finds it is the one that is about it.

mod ask;
mod bindings;
mod front;
mod instances;
pub(crate) mod proxy;

use crate::brokers::{Minimal, complaints, judge, minimal, quick, target};
use ask::{Answer, Ask, Memory};
use proxy::Proxy;
use qm_conformance::Options;
use std::time::Duration;

/// One way to break a broker.
#[derive(Clone, Copy)]
pub(crate) struct Mutant {
    /// What is broken.
    name: &'static str,
    /// The case that has to find it.
    found_by: &'static str,
    /// Cases to run beside it, so that there is traffic to watch.
    beside: &'static [&'static str],
    /// Changes the request before the broker sees it.
    ask: fn(&mut Ask, &Memory),
    /// Changes the answer before the suite sees it.
    answer: fn(&Ask, &mut Answer, &Memory),
}

/// A mutant that changes answers.
const fn answers(
    name: &'static str,
    found_by: &'static str,
    answer: fn(&Ask, &mut Answer, &Memory),
) -> Mutant {
    Mutant {
        name,
        found_by,
        beside: &[],
        ask: |_, _| {},
        answer,
    }
}

/// A mutant that changes requests.
const fn asks(name: &'static str, found_by: &'static str, ask: fn(&mut Ask, &Memory)) -> Mutant {
    Mutant {
        name,
        found_by,
        beside: &[],
        ask,
        answer: |_, _, _| {},
    }
}

const fn beside(mut mutant: Mutant, cases: &'static [&'static str]) -> Mutant {
    mutant.beside = cases;
    mutant
}

fn options(mutant: &Mutant) -> Options {
    let mut only = vec![mutant.found_by.to_owned()];
    only.extend(mutant.beside.iter().map(|case| (*case).to_owned()));
    Options {
        only,
        poll_deadline: Duration::from_secs(10),
        ..quick()
    }
}

/// Hunts one mutant. On a busy machine a request may miss the moment in which work is under way, so there are three tries.
async fn hunt(broker: &Minimal, mutant: Mutant) -> Result<(), String> {
    let mut outcome = Ok(());
    for _ in 0..3 {
        outcome = run_once(broker, mutant).await;
        if outcome.is_ok() {
            break;
        }
    }
    outcome
}

async fn run_once(broker: &Minimal, mutant: Mutant) -> Result<(), String> {
    let proxy = Proxy::start(broker.process.address(), mutant).await;
    let mut target = target(&proxy.url);
    target.timeout = Duration::from_secs(5);
    let report = judge(target, options(&mutant))
        .await
        .map_err(|error| format!("{}: {error}", mutant.name))?;
    let found = report
        .of(mutant.found_by)
        .any(|result| matches!(result.verdict.word(), "failed" | "warned"));
    if found {
        return Ok(());
    }
    let (name, case) = (mutant.name, mutant.found_by);
    let verdicts: Vec<_> = report.of(case).map(|result| &result.verdict).collect();
    Err(format!(
        "{name}: {case} says {verdicts:?}{}",
        complaints(&report)
    ))
}

async fn all_found(mutants: &[Mutant]) {
    let broker = minimal().await;
    let mut missed = Vec::new();
    for chunk in mutants.chunks(6) {
        let runs = chunk.iter().map(|mutant| hunt(&broker, *mutant));
        for outcome in futures_util::future::join_all(runs).await {
            missed.extend(outcome.err());
        }
    }
    assert!(
        missed.is_empty(),
        "{} of {} missed:\n{}",
        missed.len(),
        mutants.len(),
        missed.join("\n")
    );
}

/// Without this the mutants would prove nothing: the proxy by itself breaks no rule.
#[tokio::test(flavor = "multi_thread")]
async fn the_proxy_itself_is_sound() {
    let broker = minimal().await;
    let proxy = Proxy::start(broker.process.address(), proxy::faithful()).await;
    let report = judge(target(&proxy.url), quick()).await.unwrap();
    let bad = report.summary.failed + report.summary.warned;
    assert_eq!(bad, 0, "{}", complaints(&report));
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_in_front_of_the_broker_are_found() {
    all_found(front::MUTANTS).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_with_instances_are_found() {
    all_found(instances::MUTANTS).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_with_bindings_are_found() {
    all_found(bindings::MUTANTS).await;
}

#[test]
fn there_are_many_mutants_and_each_is_about_a_real_case() {
    let all: Vec<&Mutant> = [front::MUTANTS, instances::MUTANTS, bindings::MUTANTS]
        .into_iter()
        .flatten()
        .collect();
    assert!(all.len() >= 138, "{}", all.len());
    for mutant in all {
        assert!(
            qm_conformance::cases::all().any(|case| case.id == mutant.found_by),
            "{}",
            mutant.found_by
        );
    }
}
