//! One turn of a node: begins as many of its dependants as there is room for, looks how they do, begins more, until none
//! is left, or until only such are left as take their time; then it rests.
//!
//! The rule: a turn may end anywhere, also by the death of the process. The next one looks anew.

use super::node::Node;
use super::progress;
use crate::Lifecycle;
use crate::engine::{at, wait};
use qm_model::{Chain, Error};
use qm_store::Tx;
use qm_store::operation::Taken;
use qm_store::operation::family::{self, Child, Left, Place, Tally};
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

/// The first and the longest pause between two looks.
const PAUSES: (Duration, Duration) = (Duration::from_millis(25), Duration::from_millis(400));
/// How often people are told how far it is.
const TELL: Duration = Duration::from_secs(1);
/// A node that rests is looked at again after a time between these.
const RESTS: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(5));
/// Somebody else may have the node after this time.
const LONGEST: Duration = Duration::from_secs(600);

/// Takes up a node whose lease was just claimed. Boxed, because a node begins nodes.
///
/// # Errors
/// The store's; the node is then claimed again when the lease has run out.
pub fn turn(
    deeds: &Lifecycle,
    taken: Taken,
) -> Pin<Box<dyn Future<Output = Result<(), Error>> + Send + '_>> {
    Box::pin(async move { Node::new(deeds, taken)?.go_on().await })
}

/// The same on a task of its own.
pub(super) fn detach(deeds: &Lifecycle, taken: Taken) {
    let deeds2 = deeds.clone();
    deeds.spawn(async move {
        let id = taken.operation.id.clone();
        if let Err(error) = turn(&deeds2, taken).await {
            tracing::warn!(operation = %id, error = %Chain(&error), "a cascade is left to the tasks");
        }
    });
}

/// What was said and when, so that it is not said again too soon.
struct Told {
    words: String,
    tenth: u64,
    at: Option<Instant>,
    renewed: Instant,
}

/// How a turn goes.
struct Going {
    place: Place,
    pause: Duration,
    /// How many children were under way at the last look.
    open: u64,
    moved: bool,
}

impl Node<'_> {
    async fn go_on(&self) -> Result<(), Error> {
        at("cascade", "turn");
        let began = Instant::now();
        let mut told = Told {
            words: self.operation.description.clone(),
            tenth: 0,
            at: None,
            renewed: began,
        };
        self.tell(&mut told).await?;
        let mut going = Going {
            place: Place::default(),
            pause: PAUSES.0,
            open: 0,
            moved: false,
        };
        loop {
            let Some(calling) = self.step(&mut going, &mut told).await? else {
                return Ok(());
            };
            // Whoever is being called will soon have answered; anything else may last.
            let idle = !calling && going.pause >= PAUSES.1;
            if idle || began.elapsed() > LONGEST || self.deeds.is_settling() {
                return self.rest(going.moved).await;
            }
            tokio::time::sleep(going.pause).await;
            going.pause = (going.pause * 2).min(PAUSES.1);
        }
    }

    /// One look, and what follows from it. `None`: the node has ended. Otherwise whether somebody is being called.
    async fn step(&self, going: &mut Going, told: &mut Told) -> Result<Option<bool>, Error> {
        let late = self.is_late();
        let (tree, mine) = self.open().await?;
        let room = match late {
            true => 0,
            false => progress::room(self.deeds.settings.cascade.at_once, &tree, &mine),
        };
        let found = self.next(going.place, room).await?;
        let at_the_end = late || room > found.len();
        going.place = match found.last() {
            Some(last) if !at_the_end => last.place,
            Some(_) | None if at_the_end => Place::default(),
            _ => going.place,
        };
        let mut begun = 0;
        for child in &found {
            begun += u64::from(self.child(child).await?);
            at("cascade", "child");
            self.tell(told).await?;
        }
        if begun > 0 || mine.open != going.open {
            going.pause = PAUSES.0;
            going.moved = true;
        }
        going.open = mine.open + begun;
        if at_the_end && begun == 0 && mine.open == 0 {
            let left = self.left().await?;
            let stuck = left.open == 0 && left.untouched == 0;
            if left.all == 0 {
                if self.end().await? {
                    return Ok(None);
                }
            } else if stuck || late {
                self.fail(left.all, late).await?;
                return Ok(None);
            }
        }
        self.tell(told).await?;
        Ok(Some(tree.calling > 0 || begun > 0))
    }

    async fn open(&self) -> Result<(Tally, Tally), Error> {
        let (root, own) = (self.root.clone(), self.operation.id.clone());
        self.deeds
            .store
            .read(async move |tx: &Tx<'_>| {
                let tree = family::open(tx, &root).await?;
                Ok((tree, family::open_children(tx, &own).await?))
            })
            .await
    }

    async fn next(&self, after: Place, room: usize) -> Result<Vec<Child>, Error> {
        if room == 0 {
            return Ok(Vec::new());
        }
        let (root, branch) = (self.root.clone(), self.branch.clone());
        self.deeds
            .store
            .read(async move |tx: &Tx<'_>| Ok(branch.next(tx, &root, after, room).await?))
            .await
    }

    async fn left(&self) -> Result<Left, Error> {
        let (root, branch) = (self.root.clone(), self.branch.clone());
        self.deeds
            .store
            .read(async move |tx: &Tx<'_>| Ok(branch.left(tx, &root).await?))
            .await
    }

    /// Says how far it is, where people look for that, and keeps the lease.
    async fn tell(&self, told: &mut Told) -> Result<(), Error> {
        let (store, now) = (&self.deeds.store, self.deeds.now());
        let lease = self.deeds.settings.lease;
        let until = self.deeds.lease_now().plus(lease);
        if told.at.is_none_or(|at| at.elapsed() >= TELL) && (self.is_root() || told.at.is_none()) {
            told.at = Some(Instant::now());
            let (words, step) = self.words(told).await?;
            if words != told.words || step {
                let step = step.then_some(words.as_str());
                family::progress(store, &self.held, &words, step, now, until).await?;
                told.words = words;
                told.renewed = Instant::now();
            }
        }
        if told.renewed.elapsed() >= lease / 3 {
            qm_store::operation::renew(store, &self.held, until).await?;
            told.renewed = Instant::now();
        }
        Ok(())
    }

    async fn words(&self, told: &mut Told) -> Result<(String, bool), Error> {
        if !self.is_root() {
            return Ok(("what depends on it is removed first".to_owned(), false));
        }
        let (root, branch) = (self.root.clone(), self.branch.clone());
        let (tally, living) = self
            .deeds
            .store
            .read(async move |tx: &Tx<'_>| {
                let tally = family::tally(tx, &root).await?;
                Ok::<_, Error>((tally, branch.living(tx).await?))
            })
            .await?;
        let tenth = progress::tenth(&tally, living);
        let first = self.operation.story.steps.is_empty() && told.words.is_empty();
        let step = living > 0 && (first || tenth > told.tenth && !told.words.is_empty());
        told.tenth = told.tenth.max(tenth);
        Ok((progress::words(&tally, living), step))
    }

    /// Lets go of the node for a while.
    async fn rest(&self, moved: bool) -> Result<(), Error> {
        let attempts = if moved { 0 } else { self.operation.attempts };
        let pause = wait::backoff(RESTS.0, attempts, RESTS.1);
        let due = self.deeds.lease_now().plus(pause);
        Ok(family::rest(&self.deeds.store, &self.held, due).await?)
    }
}
