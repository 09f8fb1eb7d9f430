//! Judges the calls of the whole run for the cases that watch.

use super::broker::Call;
use super::case::{Case, How};
use crate::case::Seen;
use crate::verdict::{Check, Stop};
use std::sync::Arc;

/// How many findings one watching case shows.
const SHOWN: usize = 5;

/// What a watching case says of all calls, and a note of how many it looked at.
pub(super) fn verdict(case: &Case, calls: &[Arc<Call>]) -> (Check, Option<String>) {
    match case.how {
        How::Own(_) => (Err(Stop::skip("not watching")), None),
        How::All(look) => (look(calls), None),
        How::Each(look) => {
            let (mut seen, mut findings) = (0, Vec::new());
            for call in calls {
                match look(call) {
                    Seen::NotMine => {}
                    Seen::Right => seen += 1,
                    Seen::Wrong(expected) => {
                        seen += 1;
                        findings.push(call.finding(expected, "this call"));
                    }
                }
            }
            let note = format!("{} of {seen} calls", seen - findings.len());
            findings.truncate(SHOWN);
            let check = match (seen, findings.is_empty()) {
                (0, _) => Err(Stop::skip("no call of this kind was seen in the run")),
                (_, true) => Ok(()),
                (_, false) => Err(Stop::Failed(findings)),
            };
            (check, Some(note))
        }
    }
}
