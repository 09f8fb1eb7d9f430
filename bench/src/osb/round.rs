//! A round: so many callers go through the six calls together, each call for some time.
//!
//! The rule: the number of callers is the same from the first to the last moment of a measurement. When one of them
//! has nothing left to ask of, all stop, and the rate is taken over that time.

use super::caller::{Called, Caller, Door};
use super::verb::{self, Verb};
use anyhow::{Result, bail};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// What some time of one call came to.
#[derive(Debug, Clone, Default)]
pub(super) struct Figures {
    pub(super) answers: usize,
    /// Answers per second.
    pub(super) rate: f64,
    /// Half of the answers were quicker.
    pub(super) p50: Duration,
    /// All but one in a hundred were quicker.
    pub(super) p99: Duration,
    pub(super) errors: usize,
    /// What the first error said.
    pub(super) example: Option<String>,
}

/// The callers of one round.
pub(super) struct Crowd {
    callers: Vec<Caller>,
}

impl Crowd {
    /// Connects; `first` is the number of the first of them.
    pub(super) async fn gather(door: &Arc<Door>, count: usize, first: usize) -> Result<Self> {
        let mut callers = Vec::with_capacity(count);
        for number in first..first + count {
            callers.push(Caller::connect(door, number).await?);
        }
        Ok(Self { callers })
    }

    /// Asks for one thing until the time is over.
    pub(super) async fn ask(&mut self, verb: Verb, length: Duration) -> Result<Figures> {
        let stop = Arc::new(AtomicBool::new(false));
        let began = Instant::now();
        let mut tasks = JoinSet::new();
        for caller in self.callers.drain(..) {
            tasks.spawn(go_on(caller, verb, began + length, Arc::clone(&stop)));
        }
        let mut seen = Seen::default();
        while let Some(ended) = tasks.join_next().await {
            let (caller, one) = ended??;
            self.callers.push(caller);
            seen.add(one);
        }
        let took = began.elapsed();
        if seen.times.is_empty() {
            bail!(
                "{}: no good answer at all; {}",
                verb.name(),
                seen.example.unwrap_or_default()
            );
        }
        Ok(seen.figures(took))
    }
}

/// All six calls of one round; what comes of each is given to `each` at once.
pub(super) async fn all(
    door: &Arc<Door>,
    count: usize,
    first: usize,
    length: Duration,
    mut each: impl FnMut(Verb, Figures) -> Result<()>,
) -> Result<()> {
    let mut crowd = Crowd::gather(door, count, first).await?;
    for verb in verb::ALL {
        let figures = crowd.ask(verb, length).await?;
        each(verb, figures)?;
    }
    Ok(())
}

#[derive(Default)]
struct Seen {
    times: Vec<Duration>,
    errors: usize,
    example: Option<String>,
}

impl Seen {
    fn add(&mut self, other: Self) {
        let Self {
            times,
            errors,
            example,
        } = other;
        self.times.extend(times);
        self.errors += errors;
        self.example = self.example.take().or(example);
    }

    fn figures(self, took: Duration) -> Figures {
        let Self {
            times,
            errors,
            example,
        } = self;
        Figures {
            errors,
            example,
            ..Figures::of(times, took)
        }
    }
}

impl Figures {
    /// Of good answers alone, given how long each took and how long all of them did.
    pub(super) fn of(mut times: Vec<Duration>, took: Duration) -> Self {
        times.sort_unstable();
        let last = times.len().saturating_sub(1);
        let at = |part: f64| {
            let index = (times.len() as f64 * part) as usize;
            times.get(index.min(last)).copied().unwrap_or_default()
        };
        Self {
            answers: times.len(),
            rate: times.len() as f64 / took.as_secs_f64(),
            p50: at(0.5),
            p99: at(0.99),
            errors: 0,
            example: None,
        }
    }
}

async fn go_on(
    mut caller: Caller,
    verb: Verb,
    end: Instant,
    stop: Arc<AtomicBool>,
) -> Result<(Caller, Seen)> {
    let mut seen = Seen::default();
    while Instant::now() < end && !stop.load(Ordering::Relaxed) {
        match caller.call(verb).await? {
            Called::Good(took) => seen.times.push(took),
            Called::Bad(words) => {
                seen.errors += 1;
                seen.example.get_or_insert(words);
            }
            Called::NothingLeft => stop.store(true, Ordering::Relaxed),
        }
    }
    Ok((caller, seen))
}
