//! What was measured: figures by call, number of connections and contestant, and the table of them.

use super::contestant::Spent;
use super::round::Figures;
use super::verb::{self, Verb};
use crate::load::median;
use std::collections::BTreeMap;

/// All rounds of one line.
#[derive(Default)]
struct Line {
    rounds: Vec<Figures>,
    spent: Spent,
    mib: f64,
}

/// Everything so far.
#[derive(Default)]
pub(super) struct Table {
    /// Contestants in the order in which they are shown.
    names: Vec<&'static str>,
    lines: BTreeMap<(Verb, usize, usize), Line>,
    errors: usize,
    examples: Vec<String>,
}

impl Table {
    pub(super) fn new(names: Vec<&'static str>) -> Self {
        Self {
            names,
            ..Self::default()
        }
    }

    /// One measurement of the contestant with this number.
    pub(super) fn add(
        &mut self,
        verb: Verb,
        connections: usize,
        contestant: usize,
        figures: Figures,
        (before, after): (Spent, Spent),
        mib: f64,
    ) {
        self.errors += figures.errors;
        if let Some(words) = &figures.example
            && self.examples.len() < 5
        {
            let name = self.names.get(contestant).unwrap_or(&"");
            self.examples.push(format!("{name}, {words}"));
        }
        let line = self
            .lines
            .entry((verb, connections, contestant))
            .or_default();
        line.rounds.push(figures);
        line.spent.add(before, after);
        line.mib = line.mib.max(mib);
    }

    /// Counts the wrong answers of figures that are not kept.
    pub(super) fn take_errors(&mut self, other: &Self) {
        self.errors += other.errors;
        self.examples.extend(other.examples.iter().cloned());
    }

    /// How many answers had a status that nobody wants, and what some of them said.
    pub(super) fn errors(&self) -> (usize, String) {
        (self.errors, self.examples.join("\n"))
    }

    /// The median of the rounds' ratios of two contestants' rates, and the lowest and highest; none when one of them was
    /// not measured.
    pub(super) fn ratio(
        &self,
        verb: Verb,
        connections: usize,
        ours: &str,
        theirs: &str,
    ) -> Option<(f64, f64, f64)> {
        let rounds = |name: &str| {
            let number = self.names.iter().position(|known| *known == name)?;
            let line = self.lines.get(&(verb, connections, number))?;
            Some(&line.rounds)
        };
        let ratios: Vec<f64> = rounds(ours)?
            .iter()
            .zip(rounds(theirs)?)
            .map(|(ours, theirs)| ours.rate / theirs.rate)
            .collect();
        let (low, high) = ratios.iter().fold((f64::MAX, 0.0_f64), |(low, high), x| {
            (low.min(*x), high.max(*x))
        });
        Some((median(ratios), low, high))
    }

    pub(super) fn print(&self) {
        println!(
            "\nmedians of the rounds; CPU in microseconds per request of each process; MiB of the server, the most seen"
        );
        for verb in verb::ALL {
            println!(
                "\n{:<15} {:>5} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7}",
                verb.name(),
                "conns",
                "req/s",
                "p50 ms",
                "p99 ms",
                "server",
                "postgres",
                "broker",
                "callers",
                "MiB"
            );
            for ((_, connections, number), line) in
                self.lines.iter().filter(|(key, _)| key.0 == verb)
            {
                line.print(self.names.get(*number).unwrap_or(&""), *connections);
            }
        }
    }
}

impl Line {
    fn print(&self, name: &str, connections: usize) {
        let of = |pick: fn(&Figures) -> f64| median(self.rounds.iter().map(pick).collect());
        let answers: usize = self.rounds.iter().map(|round| round.answers).sum();
        // A wrong answer costs as well.
        let errors: usize = self.rounds.iter().map(|round| round.errors).sum();
        let each = |seconds: f64| seconds * 1e6 / (answers + errors).max(1) as f64;
        let Spent {
            server,
            broker,
            postgres,
            callers,
        } = self.spent;
        let wrong = if errors > 0 {
            format!("  {errors} WRONG ANSWERS")
        } else {
            String::new()
        };
        println!(
            "{name:<15} {connections:>5} {:>9.0} {:>8.2} {:>8.2} {:>8.0} {:>8.0} {:>8.0} {:>8.0} {:>7.1}{wrong}",
            of(|round| round.rate),
            of(|round| round.p50.as_secs_f64() * 1e3),
            of(|round| round.p99.as_secs_f64() * 1e3),
            each(server),
            each(postgres),
            each(broker),
            each(callers),
            self.mib,
        );
    }
}
