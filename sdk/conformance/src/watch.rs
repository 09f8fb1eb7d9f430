//! Shows every exchange of the run to the cases that watch.
//!
//! Called by `world::exchange`. The rule: findings are judged at once and only a few are kept, so a long run does not
//! keep every answer in memory.

use crate::case::{Case, How, Seen};
use crate::client::Reply;
use crate::evidence::Finding;
use crate::request::Request;
use crate::verdict::{Check, Stop};
use std::sync::{Mutex, PoisonError};

/// How many findings one watching case shows.
const SHOWN: usize = 5;

/// The watching cases and what they saw.
pub(crate) struct Watch(Vec<(&'static Case, Mutex<Tally>)>);

#[derive(Default)]
struct Tally {
    seen: usize,
    wrong: usize,
    findings: Vec<Finding>,
}

impl Watch {
    pub(crate) fn new(cases: &[&'static Case]) -> Self {
        let watching = cases
            .iter()
            .filter(|case| matches!(case.how, How::Watch(_)));
        Self(
            watching
                .map(|case| (*case, Mutex::new(Tally::default())))
                .collect(),
        )
    }

    /// Looks at one exchange.
    pub(crate) fn see(&self, request: &Request, reply: &Reply) {
        for (case, tally) in &self.0 {
            let How::Watch(look) = case.how else { continue };
            let seen = look(request, reply);
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            match seen {
                Seen::NotMine => {}
                Seen::Right => tally.seen += 1,
                Seen::Wrong(expected) => {
                    tally.seen += 1;
                    tally.wrong += 1;
                    if tally.findings.len() < SHOWN {
                        tally.findings.push(reply.finding(expected));
                    }
                }
            }
        }
    }

    /// What a case saw in the whole run, and how many exchanges it looked at.
    pub(crate) fn verdict(&self, id: &str) -> (Check, String) {
        let Some((_, tally)) = self.0.iter().find(|(case, _)| case.id == id) else {
            return (Err(Stop::skip("not watched")), String::new());
        };
        let tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
        let note = format!("{} of {} answers", tally.seen - tally.wrong, tally.seen);
        let check = if tally.seen == 0 {
            Err(Stop::skip("no answer of this kind was seen in the run"))
        } else if tally.findings.is_empty() {
            Ok(())
        } else {
            Err(Stop::Failed(tally.findings.clone()))
        };
        (check, note)
    }
}
