//! The comparison: everybody is measured in turns, at every number of connections, in one run.
//!
//! The rule: rounds are interleaved and another one begins each time, so that a busy minute of the machine meets
//! everybody; a ratio is taken within a round and its median over the rounds counts.

use super::contestant::{Contestant, Way};
use super::round;
use super::table::Table;
use super::verb::Verb;
use anyhow::{Context, Result};
use std::time::Duration;

const CONNECTIONS: [usize; 3] = [1, 16, JUDGED];
/// The number of connections at which ratios are judged.
pub(super) const JUDGED: usize = 64;

/// How long it may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    pub(super) rounds: usize,
    /// Of one call in one round.
    pub(super) length: Duration,
    /// Of each call before the first round.
    pub(super) warm_up: Duration,
}

/// Measures everybody.
pub(super) async fn run(contestants: &[Contestant], pace: Pace) -> Result<Table> {
    let names = contestants.iter().map(|one| one.name).collect();
    let mut table = Table::new(names);
    for connections in CONNECTIONS {
        let present: Vec<(usize, &Contestant)> = contestants
            .iter()
            .enumerate()
            .filter(|(_, one)| one.only_at.is_none_or(|only| only == connections))
            .collect();
        for (_, one) in &present {
            let mut none = Table::new(Vec::new());
            measure(one, 0, connections, pace.warm_up, &mut none).await?;
            // A wrong answer is one at any time.
            table.take_errors(&none);
        }
        for turn in 0..pace.rounds {
            eprintln!(
                "{connections} connections, round {} of {}",
                turn + 1,
                pace.rounds
            );
            for n in 0..present.len() {
                // Forwards and backwards: nobody always has the same one's remains before it.
                let n = if turn % 2 == 0 {
                    n
                } else {
                    present.len() - 1 - n
                };
                let (number, one) = present[(n + turn) % present.len()];
                measure(one, number, connections, pace.length, &mut table).await?;
            }
        }
    }
    Ok(table)
}

async fn measure(
    one: &Contestant,
    number: usize,
    connections: usize,
    length: Duration,
    table: &mut Table,
) -> Result<()> {
    let mut before = one.team.spent()?;
    let mut look = |verb, figures| {
        let after = one.team.spent()?;
        let mib = one.own.map_or(Ok(0.0), crate::process::resident_mib)?;
        table.add(verb, connections, number, figures, (before, after), mib);
        before = after;
        Ok(())
    };
    match &one.way {
        Way::Http(door) => round::all(door, connections, 0, length, look).await,
        Way::Database(alone) => {
            let figures = alone.provisions(connections, length).await?;
            look(Verb::Provision, figures)
        }
    }
    .with_context(|| one.name)
}
