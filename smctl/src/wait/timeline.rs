//! What is seen while waiting: a live line on a terminal, the steps one by one with `--watch`. On standard error, so that
//! standard output stays for the result.

use crate::doc::Doc;
use console::Term;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

pub(super) struct Timeline {
    bar: Option<ProgressBar>,
    steps: bool,
    shown: usize,
}

impl Timeline {
    pub(super) fn new(steps: bool) -> Self {
        let bar = Term::stderr().is_term().then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}  {elapsed}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        Self {
            bar,
            steps,
            shown: 0,
        }
    }

    pub(super) fn show(&mut self, operation: &Doc) {
        let steps = operation.get("steps").items();
        for step in steps.iter().skip(self.shown) {
            if self.steps {
                self.say(&format!(
                    "{}  {}",
                    clock(step.str("at")),
                    step.str("description")
                ));
            }
        }
        self.shown = steps.len();
        let last = steps.last().map_or("", |step| step.str("description"));
        let words = operation.str("description");
        let now = if words.is_empty() { last } else { words };
        if let Some(bar) = &self.bar {
            let kind = operation.str("type");
            bar.set_message(format!("{kind} {}: {now}", operation.str("state")));
        }
    }

    pub(super) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            None => eprintln!("{line}"),
        }
    }
}

/// `10:00:01` of a timestamp.
fn clock(at: &str) -> &str {
    at.split_once('T')
        .and_then(|(_, time)| time.get(..8))
        .unwrap_or(at)
}
