//! Collects what a program writes while it runs.
//!
//! Two threads read its two pipes, so that a program never blocks on a full one. The rule: a waiter sees
//! the lines in the order they came and wakes when both pipes are closed.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::Child;
use tokio::sync::watch;

#[derive(Debug, Default)]
struct Lines {
    lines: Vec<String>,
    closed: usize,
}

#[derive(Debug)]
pub(super) struct Output {
    lines: watch::Receiver<Lines>,
}

impl Output {
    /// Takes the pipes of a child.
    pub(super) fn of(child: &mut Child) -> Self {
        let (sender, lines) = watch::channel(Lines::default());
        collect(child.stdout.take(), sender.clone());
        collect(child.stderr.take(), sender);
        Self { lines }
    }

    pub(super) fn text(&self) -> String {
        let lines = self.lines.borrow();
        lines
            .lines
            .iter()
            .flat_map(|line| [line.as_str(), "\n"])
            .collect()
    }

    /// The address in `listening on http://ADDR`; `None` when the program closed its pipes without.
    pub(super) async fn listening(&self) -> Option<SocketAddr> {
        self.line(|line| {
            let (_, rest) = line.split_once("listening on http://")?;
            rest.split(|c: char| c.is_whitespace() || c == '/')
                .next()?
                .parse()
                .ok()
        })
        .await
    }

    /// The first line, past or to come, that `pick` makes something of.
    pub(super) async fn line<T>(&self, pick: impl Fn(&str) -> Option<T>) -> Option<T> {
        let first = |seen: &Lines| seen.lines.iter().find_map(|line| pick(line));
        let mut lines = self.lines.clone();
        let seen = lines
            .wait_for(|seen| seen.closed == 2 || first(seen).is_some())
            .await
            .ok()?;
        first(&seen)
    }
}

fn collect(pipe: Option<impl Read + Send + 'static>, sender: watch::Sender<Lines>) {
    std::thread::spawn(move || {
        if let Some(pipe) = pipe {
            let mut reader = BufReader::new(pipe);
            let mut line = Vec::new();
            while reader
                .read_until(b'\n', &mut line)
                .is_ok_and(|read| read > 0)
            {
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                sender.send_modify(|seen| seen.lines.push(text));
                line.clear();
            }
        }
        sender.send_modify(|seen| seen.closed += 1);
    });
}
