//! A test process for other tests to kill: this very program, started again to run one ignored test.
//!
//! The rule: an ignored test that is a victim does nothing unless `QM_VICTIM` is set, so that running
//! all ignored tests by hand does not hang.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// Whether this process was started to be killed.
pub(crate) fn chosen() -> bool {
    std::env::var_os("QM_VICTIM").is_some()
}

/// Tells the killer something, then waits for the end.
pub(crate) fn wait_with(word: &str) -> ! {
    println!("\nvictim {word}");
    loop {
        std::thread::park();
    }
}

/// Starts a victim and waits for its word.
pub(crate) fn start(test: &str) -> (Child, String) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--ignored", "--nocapture"])
        .env("QM_VICTIM", "1")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let word = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok)
        .find_map(|line| line.strip_prefix("victim ").map(str::to_owned))
        .expect("the victim says its word");
    (child, word)
}

/// Waits for something to become true; the limit only ends a test that has already failed.
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    for _ in 0..600 {
        if holds() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("never: {what}");
}
