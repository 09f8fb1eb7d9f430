//! The line that moves while cases run. On a terminal only, and never on standard output.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use qm_conformance::{Event, Listener, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The progress line.
#[derive(Clone)]
pub(crate) struct Progress {
    bar: ProgressBar,
    failed: Arc<AtomicUsize>,
}

impl Progress {
    /// A line on standard error that says what is done first; hidden when that is no terminal or when `quiet`.
    pub(crate) fn new(quiet: bool, first: &str) -> Self {
        let target = if quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template(&format!("{{spinner}} {first}")) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        Self {
            bar,
            failed: Arc::default(),
        }
    }

    /// What the run calls with its news.
    pub(crate) fn listener(&self) -> Listener {
        let this = self.clone();
        Arc::new(move |event| this.show(event))
    }

    /// A line above the progress line.
    pub(crate) fn say(&self, text: &str) {
        self.bar.suspend(|| eprintln!("{text}"));
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn show(&self, event: Event) {
        match event {
            Event::Planned { total, .. } => {
                self.bar.set_length(total as u64);
                let template = "{spinner} {pos}/{len} {bar:24} {elapsed} {wide_msg}";
                if let Ok(style) = ProgressStyle::with_template(template) {
                    self.bar.set_style(style);
                }
            }
            Event::Started { id, .. } => self.message(id),
            Event::Finished { id, verdict, .. } => {
                if verdict == Verdict::Failed {
                    self.failed.fetch_add(1, Ordering::Relaxed);
                }
                self.bar.inc(1);
                self.message(id);
            }
            Event::Cleaning { left } => {
                self.bar
                    .set_message(format!("deleting what was created ({left} left)"));
            }
        }
    }

    fn message(&self, id: &str) {
        match self.failed.load(Ordering::Relaxed) {
            0 => self.bar.set_message(id.to_owned()),
            failed => self.bar.set_message(format!("{failed} failed · {id}")),
        }
    }
}
