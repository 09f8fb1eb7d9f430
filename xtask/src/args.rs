//! The words after `cargo xtask`, taken one by one. Every command uses this and ends with
//! [`Args::finish`], so that a mistyped flag is an error and never ignored.

use std::collections::VecDeque;

use anyhow::{Result, bail};

pub(crate) struct Args {
    words: VecDeque<String>,
    passed_on: Vec<String>,
}

impl Args {
    pub(crate) fn new(words: impl IntoIterator<Item = String>) -> Self {
        let mut words = words.into_iter();
        // Nothing after `--` is ours to read.
        let own = words.by_ref().take_while(|word| word != "--").collect();
        Self {
            words: own,
            passed_on: words.collect(),
        }
    }

    /// `-h` or `--help` anywhere among our own words.
    pub(crate) fn wants_help(&self) -> bool {
        self.words
            .iter()
            .any(|word| word == "-h" || word == "--help")
    }

    /// Takes a flag without a value.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let before = self.words.len();
        self.words.retain(|word| word != name);
        self.words.len() != before
    }

    /// Takes `--name VALUE` or `--name=VALUE`.
    pub(crate) fn value(&mut self, name: &str) -> Result<Option<String>> {
        let joined = format!("{name}=");
        let Some(at) = self
            .words
            .iter()
            .position(|word| word == name || word.starts_with(&joined))
        else {
            return Ok(None);
        };
        let word = self.words.remove(at).unwrap_or_default();
        if let Some(value) = word.strip_prefix(&joined) {
            return Ok(Some(value.to_owned()));
        }
        match self.words.remove(at) {
            Some(value) if !value.starts_with('-') => Ok(Some(value)),
            _ => bail!("{name} needs a value"),
        }
    }

    /// Takes the next word that is not a flag, if it comes first.
    pub(crate) fn positional(&mut self) -> Option<String> {
        match self.words.front() {
            Some(word) if !word.starts_with('-') => self.words.pop_front(),
            _ => None,
        }
    }

    /// Everything after `--`.
    pub(crate) fn passed_on(&mut self) -> Vec<String> {
        std::mem::take(&mut self.passed_on)
    }

    /// Everything that is left, flags included: for commands that hand their words to a program.
    pub(crate) fn rest(&mut self) -> Vec<String> {
        self.words
            .drain(..)
            .chain(self.passed_on.drain(..))
            .collect()
    }

    /// Refuses what no one took.
    pub(crate) fn finish(self) -> Result<()> {
        match self.words.into_iter().chain(self.passed_on).next() {
            Some(word) => bail!("`{word}` is not understood here; see `cargo xtask --help`"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Args;

    fn args(line: &str) -> Args {
        Args::new(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn a_value_is_taken_in_both_forms() {
        assert_eq!(
            args("--listen a:1").value("--listen").unwrap().as_deref(),
            Some("a:1")
        );
        assert_eq!(
            args("x --listen=a:1").value("--listen").unwrap().as_deref(),
            Some("a:1")
        );
        assert_eq!(args("x").value("--listen").unwrap(), None);
    }

    #[test]
    fn a_missing_value_is_an_error() {
        assert!(args("--listen").value("--listen").is_err());
        assert!(args("--listen --other").value("--listen").is_err());
    }

    #[test]
    fn words_after_the_dashes_are_passed_on_untouched() {
        let mut args = args("--no-check -- -p qm-db --help -- --nocapture");
        assert!(!args.wants_help());
        assert!(args.flag("--no-check"));
        assert_eq!(
            args.passed_on(),
            ["-p", "qm-db", "--help", "--", "--nocapture"]
        );
        args.finish().unwrap();
    }

    #[test]
    fn a_word_nobody_took_is_refused_by_name() {
        let error = args("--nocheck").finish().unwrap_err().to_string();
        assert!(error.contains("`--nocheck`"), "{error}");
        assert!(args("-- x").finish().is_err());
    }
}
