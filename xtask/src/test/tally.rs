//! Reads what `cargo test` prints, line by line, and counts. The rule that keeps it honest: a test
//! program that was started and printed no result counts as a failure, whatever else it printed.

use std::collections::BTreeMap;

/// Counts of one crate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) passed: u64,
    pub(super) failed: u64,
    pub(super) skipped: u64,
}

/// A test that failed, with what it printed.
#[derive(Debug)]
struct Failure {
    owner: String,
    test: String,
    output: Vec<String>,
}

/// The test program whose lines we read.
struct Running {
    owner: String,
    program: String,
    /// It has printed a result. Documentation tests may print a second one.
    finished: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum Reading {
    /// Names and verdicts.
    Verdicts,
    /// What failed tests printed, in blocks; whether the first one has begun.
    Blocks { begun: bool },
}

pub(super) struct Tally {
    /// File name of a test program to its crate.
    owners: BTreeMap<String, String>,
    counts: BTreeMap<String, Count>,
    failures: Vec<Failure>,
    /// Why tests did nothing, in their own words, and how often. To the harness they have passed.
    skipped_themselves: BTreeMap<String, u64>,
    running: Option<Running>,
    reading: Reading,
    /// Who failed and then passed alone, by crate and name.
    forgiven: Vec<(String, String)>,
}

/// More failures than this are not the machine's fault.
const FORGIVABLE: usize = 8;

/// More of a failed test's output than this is not repeated; it is above in full.
const REPEATED_LINES: usize = 60;

impl Tally {
    pub(super) fn new(owners: BTreeMap<String, String>) -> Self {
        Self {
            owners,
            counts: BTreeMap::new(),
            failures: Vec::new(),
            skipped_themselves: BTreeMap::new(),
            running: None,
            reading: Reading::Verdicts,
            forgiven: Vec::new(),
        }
    }

    pub(super) fn owners(&self) -> &BTreeMap<String, String> {
        &self.owners
    }

    /// The names of the tests that failed, if they are few.
    pub(super) fn worth_another_run(&mut self) -> Vec<String> {
        self.close();
        if self.failures.len() > FORGIVABLE {
            return Vec::new();
        }
        self.failures.iter().map(|f| f.test.clone()).collect()
    }

    /// Whether at least so many tests ran and none failed.
    pub(super) fn is_good(&mut self, at_least: usize) -> bool {
        self.close();
        let total = self.total();
        total.failed == 0 && usize::try_from(total.passed).is_ok_and(|passed| passed >= at_least)
    }

    /// Everything that failed has passed in a run of its own.
    pub(super) fn forgive(&mut self) {
        for failure in self.failures.drain(..) {
            let count = self.counts.entry(failure.owner.clone()).or_default();
            count.failed = count.failed.saturating_sub(1);
            count.passed += 1;
            self.forgiven.push((failure.owner, failure.test));
        }
    }

    pub(super) fn line(&mut self, line: &str) {
        let line = plain(line);
        let line = line.trim_end();
        let word = line.trim_start();
        // A failed test may have printed such lines itself.
        let between = self.reading == Reading::Verdicts;
        if let Some(rest) = word.strip_prefix("Running ").filter(|_| between) {
            if let Some((_, path)) = rest
                .strip_suffix(')')
                .and_then(|rest| rest.rsplit_once('('))
            {
                let file = path.rsplit('/').next().unwrap_or(path);
                let owner = self.owners.get(file).cloned();
                self.start(owner.unwrap_or_else(|| file.to_owned()), file);
            }
        } else if let Some(library) = word.strip_prefix("Doc-tests ").filter(|_| between) {
            let owner = self
                .owners
                .values()
                .find(|name| name.replace('-', "_") == library)
                .cloned();
            self.start(owner.unwrap_or_else(|| library.to_owned()), "documentation");
        } else if let Some(result) = line.strip_prefix("test result: ") {
            self.finish(result);
        } else if self.running.is_some() {
            self.detail(line);
        }
    }

    fn start(&mut self, owner: String, program: &str) {
        self.close();
        self.running = Some(Running {
            owner,
            program: program.to_owned(),
            finished: false,
        });
    }

    fn finish(&mut self, result: &str) {
        self.reading = Reading::Verdicts;
        let Some(running) = &mut self.running else {
            return;
        };
        running.finished = true;
        let number = |what: &str| -> u64 {
            let mut parts = result.split([';', '.']).map(str::trim);
            parts
                .find_map(|part| part.strip_suffix(what)?.trim().parse().ok())
                .unwrap_or(0)
        };
        let count = self.counts.entry(running.owner.clone()).or_default();
        count.passed += number("passed");
        count.failed += number("failed");
        count.skipped += number("ignored");
    }

    fn detail(&mut self, line: &str) {
        if line == "failures:" {
            // Printed twice: before the blocks, and before the list of names.
            self.reading = match self.reading {
                Reading::Verdicts => Reading::Blocks { begun: false },
                Reading::Blocks { .. } => Reading::Verdicts,
            };
            return;
        }
        let Reading::Blocks { begun } = &mut self.reading else {
            if let Some((_, why)) = line.split_once("skipped: ") {
                *self.skipped_themselves.entry(why.to_owned()).or_default() += 1;
            }
            return;
        };
        let head = line
            .strip_prefix("---- ")
            .and_then(|rest| rest.strip_suffix(" ----"));
        if let (Some(head), Some(running)) = (head, &self.running) {
            *begun = true;
            let test = head.strip_suffix(" stdout").unwrap_or(head).to_owned();
            let owner = running.owner.clone();
            self.failures.push(Failure {
                owner,
                test,
                output: Vec::new(),
            });
        } else if let Some(failure) = self.failures.last_mut().filter(|_| *begun) {
            failure.output.push(line.to_owned());
        }
    }

    /// A program that is left without a result has crashed.
    fn close(&mut self) {
        self.reading = Reading::Verdicts;
        if let Some(Running {
            owner,
            program,
            finished: false,
        }) = self.running.take()
        {
            self.counts.entry(owner.clone()).or_default().failed += 1;
            let output = vec!["it ended without a result; what it printed is above".to_owned()];
            self.failures.push(Failure {
                owner,
                test: program,
                output,
            });
        }
    }

    /// Prints the failures and a line per crate; returns whether all went well. `cargo_good` is
    /// cargo's own word: when the two disagree, it is not well.
    pub(super) fn report(&mut self, cargo_good: bool) -> bool {
        self.close();
        for Failure {
            owner,
            test,
            output,
        } in &self.failures
        {
            println!("\nfailed: {owner}: {test}");
            let told = worth_repeating(output);
            for line in told.iter().take(REPEATED_LINES) {
                println!("    {line}");
            }
            if told.len() > REPEATED_LINES {
                println!("    ({} more lines above)", told.len() - REPEATED_LINES);
            }
        }
        println!();
        for (
            owner,
            Count {
                passed,
                failed,
                skipped,
            },
        ) in &self.counts
        {
            println!("{owner:<20} {passed:>5} passed {failed:>3} failed {skipped:>3} skipped");
        }
        for (why, times) in &self.skipped_themselves {
            println!("note: {times} times a test counted as passed did nothing: {why}");
        }
        for (owner, test) in &self.forgiven {
            println!("note: {owner}: {test} failed at first and passed only when it ran alone");
        }
        let counted_good = self.total().failed == 0;
        if counted_good && !cargo_good {
            println!("cargo test failed although no test did; what it said is above");
        }
        counted_good && cargo_good
    }

    fn total(&self) -> Count {
        self.counts
            .values()
            .fold(Count::default(), |sum, count| Count {
                passed: sum.passed + count.passed,
                failed: sum.failed + count.failed,
                skipped: sum.skipped + count.skipped,
            })
    }

    pub(super) fn closing_line(&self) -> String {
        let Count {
            passed,
            failed,
            skipped,
        } = self.total();
        format!("{passed} passed, {failed} failed, {skipped} skipped")
    }
}

/// What a failed test printed, without stack traces and without empty lines at its end.
fn worth_repeating(output: &[String]) -> Vec<&str> {
    let mut told: Vec<&str> = Vec::new();
    let mut in_trace = false;
    for line in output {
        if line == "stack backtrace:" {
            in_trace = true;
            told.push("(stack trace above)");
        } else if in_trace {
            in_trace = line.starts_with(' ');
            if !in_trace && !line.starts_with("note: ") {
                told.push(line);
            }
        } else {
            told.push(line);
        }
    }
    while told.last().is_some_and(|line| line.is_empty()) {
        told.pop();
    }
    told
}

/// The line without terminal colours.
fn plain(line: &str) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        kept.push_str(before);
        rest = after
            .find(|c: char| c.is_ascii_alphabetic())
            .map_or("", |end| &after[end + 1..]);
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::{Count, Tally, worth_repeating};

    fn read(text: &str) -> Tally {
        let owners = [
            ("it-0a", "qm-db"),
            ("it-0b", "quartermaster-osb"),
            ("qm_db-1", "qm-db"),
        ];
        let mut tally = Tally::new(
            owners
                .map(|(file, owner)| (file.to_owned(), owner.to_owned()))
                .into(),
        );
        text.lines().for_each(|line| tally.line(line));
        tally.close();
        tally
    }

    const GOOD: &str = "   Compiling a v1.0.0
     Running unittests src/lib.rs (/cache/target/debug/deps/qm_db-1)
running 1 test
test a ... ok

test result: ok. 1 passed; 0 failed; 2 ignored; 0 measured; 3 filtered out; finished in 0.00s

     Running tests/it/main.rs (target/debug/deps/it-0b)
test result: ok. 40 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s
   Doc-tests quartermaster_osb
test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s
test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s
";

    #[test]
    fn results_are_counted_by_crate() {
        let tally = read(GOOD);
        assert_eq!(
            tally.counts["qm-db"],
            Count {
                passed: 1,
                failed: 0,
                skipped: 2
            }
        );
        assert_eq!(
            tally.counts["quartermaster-osb"],
            Count {
                passed: 43,
                failed: 0,
                skipped: 0
            }
        );
        assert_eq!(tally.closing_line(), "44 passed, 0 failed, 2 skipped");
    }

    #[test]
    fn failures_are_kept_with_what_they_printed() {
        let mut tally = read(
            "     Running tests/it/main.rs (/t/deps/it-0a)
test x::y ... FAILED
test z ... FAILED

failures:

---- x::y stdout ----
thread 'x::y' panicked at db/tests/it/x.rs:1:1:
why

---- z stdout ----
other

failures:
    x::y
    z

test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
",
        );
        assert_eq!(tally.closing_line(), "3 passed, 2 failed, 0 skipped");
        let names: Vec<_> = tally
            .failures
            .iter()
            .map(|f| (f.owner.as_str(), f.test.as_str()))
            .collect();
        assert_eq!(names, [("qm-db", "x::y"), ("qm-db", "z")]);
        assert_eq!(tally.failures[0].output[1], "why");
        assert!(!tally.report(false));
    }

    #[test]
    fn who_passes_alone_is_forgiven() {
        let failing = "     Running tests/it/main.rs (/t/deps/it-0a)
failures:

---- x stdout ----
too late
failures:
    x
test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
";
        let mut tally = read(failing);
        assert_eq!(tally.worth_another_run(), ["x"]);
        let alone = |passed, failed| {
            read(&format!(
                "     Running tests/it/main.rs (/t/deps/it-0a)\ntest result: ok. {passed} passed; {failed} failed;\n"
            ))
        };
        assert!(alone(1, 0).is_good(1));
        assert!(!alone(0, 1).is_good(1), "it failed again");
        assert!(!alone(0, 0).is_good(1), "it did not run");
        tally.forgive();
        assert_eq!(tally.closing_line(), "4 passed, 0 failed, 0 skipped");
        assert!(tally.report(true));
        let mut many = read(&failing.repeat(9));
        assert_eq!(many.worth_another_run(), Vec::<String>::new(), "too many");
    }

    #[test]
    fn a_program_without_a_result_is_a_failure() {
        let mut tally = read(
            "     Running unittests src/lib.rs (/t/deps/qm_db-1)
test a ... error: test failed
     Running tests/it/main.rs (/t/deps/it-0b)
failures:

---- b stdout ----
why
failures:
    b
test result: FAILED. 4 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
",
        );
        assert_eq!(tally.closing_line(), "4 passed, 2 failed, 0 skipped");
        assert_eq!(
            tally.failures[0].output.len(),
            1,
            "the next program's lines are not its own"
        );
        assert_eq!(tally.failures[1].output, ["why"]);
        assert!(!tally.report(true), "even if cargo were content");
        assert_eq!(
            read("     Running tests/it/main.rs (/t/deps/it-0b)\n").closing_line(),
            "0 passed, 1 failed, 0 skipped"
        );
    }

    #[test]
    fn stack_traces_are_not_repeated() {
        let output = [
            "panicked at a.rs:",
            "why",
            "stack backtrace:",
            "   0: a",
            "             at ./a.rs",
            "note: Some details are omitted",
            "and then this",
            "",
        ];
        let output = output.map(str::to_owned);
        assert_eq!(
            worth_repeating(&output),
            [
                "panicked at a.rs:",
                "why",
                "(stack trace above)",
                "and then this"
            ]
        );
    }

    #[test]
    fn tests_that_skip_themselves_are_noted() {
        let tally = read(
            "     Running tests/it/main.rs (/t/deps/it-0b)
skipped: no PostgreSQL
test a ... skipped: no PostgreSQL
ok
test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
",
        );
        assert_eq!(tally.skipped_themselves["no PostgreSQL"], 2);
    }

    #[test]
    fn cargos_own_failure_counts_too() {
        assert!(read(GOOD).report(true));
        assert!(!read(GOOD).report(false));
    }

    #[test]
    fn colours_do_not_hide_a_result() {
        let tally = read(
            "\u{1b}[1m\u{1b}[92m     Running\u{1b}[0m tests/it/main.rs (/t/deps/it-0a)\n\
             test result: \u{1b}[31mFAILED\u{1b}[0m. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n",
        );
        assert_eq!(tally.closing_line(), "1 passed, 1 failed, 0 skipped");
    }
}
