//! What needs a terminal: questions, passwords that are not shown, tables that fit.

use crate::lab::{Lab, through};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

/// A program on a terminal of its own.
struct Terminal {
    master: File,
    child: Child,
    seen: String,
}

impl Terminal {
    fn run(mut command: Command, columns: u16) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::<u8>::new())
            .unwrap()
            .into_string()
            .unwrap();
        let size = Winsize {
            ws_row: 40,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&master, size).unwrap();
        let open = || {
            Stdio::from(
                OpenOptions::new()
                    .read(true)
                    .write(true)
                    .open(&name)
                    .unwrap(),
            )
        };
        let child = command
            .env("TERM", "xterm")
            .stdin(open())
            .stdout(open())
            .stderr(open())
            .spawn()
            .unwrap();
        Self {
            master: File::from(master),
            child,
            seen: String::new(),
        }
    }

    /// Reads until a text was seen.
    fn until(&mut self, text: &str) {
        let mut byte = [0; 1];
        while !self.seen.contains(text) {
            match self.master.read(&mut byte) {
                Ok(1) => self.seen.push(char::from(byte[0])),
                _ => panic!("{text:?} never came: {:?}", self.seen),
            }
        }
    }

    fn say(&mut self, text: &str) {
        self.master.write_all(text.as_bytes()).unwrap();
    }

    /// Sends what Ctrl-C sends.
    fn interrupt(&self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    }

    /// Everything up to the end, and the exit code.
    fn end(mut self) -> (String, i32) {
        let mut bytes = Vec::new();
        let mut some = [0; 4096];
        // The end of a terminal is an error.
        while let Ok(read @ 1..) = self.master.read(&mut some) {
            bytes.extend_from_slice(&some[..read]);
        }
        self.seen.push_str(&String::from_utf8_lossy(&bytes));
        let code = self.child.wait().unwrap().code().unwrap();
        (self.seen, code)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_is_asked_for_name_and_password_and_the_password_is_not_shown() {
    let lab = Lab::bare().await;
    let mut command = lab.smctl();
    command.args(["login", "-a", &lab.manager.url()]);
    let mut terminal = Terminal::run(command, 80);
    terminal.until("User: ");
    terminal.say("admin\n");
    terminal.until("Password: ");
    terminal.say(&format!("{}\n", lab.password()));
    let (seen, code) = terminal.end();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains("Logged in successfully."), "{seen}");
    assert!(!seen.contains(&lab.password()), "{seen}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_takes_a_yes_and_nothing_else() {
    let lab = Lab::new().await;
    lab.done(&["platform", "register", "k8s", "kubernetes"]);
    for (answer, left) in [("\n", 1), ("n\n", 1), ("y\n", 0)] {
        let mut command = lab.smctl();
        command.args(["platform", "delete", "k8s"]);
        let mut terminal = Terminal::run(command, 80);
        terminal.until("Delete platform k8s? (y/N): ");
        terminal.say(answer);
        let (seen, code) = terminal.end();
        assert_eq!(code, left, "{seen}");
        let found = lab.json(&["platform", "list", "--query", "name eq 'k8s'", "-o", "json"]);
        assert_eq!(
            found["items"].as_array().unwrap().len(),
            usize::try_from(left).unwrap()
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_fits_the_terminal_and_is_coloured_only_there() {
    let lab = Lab::new().await;
    lab.done(&[
        "platform",
        "register",
        "k8s",
        "kubernetes",
        "--description",
        &"long ".repeat(40),
    ]);
    for words in [["platform", "list"].as_slice(), &["list-platforms"]] {
        let mut command = lab.smctl();
        command.args(words);
        let (seen, code) = Terminal::run(command, 80).end();
        assert_eq!(code, 0, "{seen}");
        for line in seen.lines() {
            let plain = console::strip_ansi_codes(line);
            assert!(console::measure_text_width(&plain) <= 80, "{plain}");
        }
    }
    let mut command = lab.smctl();
    command.args(["platform", "list"]);
    assert!(Terminal::run(command, 80).end().0.contains('\u{1b}'));
    let mut command = lab.smctl();
    command.args(["platform", "list"]).env("NO_COLOR", "1");
    assert!(!Terminal::run(command, 80).end().0.contains('\u{1b}'));
    assert!(!lab.done(&["platform", "list"]).contains('\u{1b}'));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_line_shows_how_far_it_is_and_what_comes_next_is_said() {
    let lab = Lab::with_broker().await;
    let mut command = lab.smctl();
    command.args(["provision", "slow", "token", "relaxed", "--wait"]);
    let (seen, code) = Terminal::run(command, 80).end();
    assert_eq!(code, 0, "{seen}");
    // A slow machine may look for the first time when it is done.
    assert!(
        seen.contains("create in progress") || seen.contains("create succeeded"),
        "{seen}"
    );
    assert!(
        seen.contains("Next: smctl exec --service slow -- COMMAND"),
        "{seen}"
    );
    let output = lab.run(&["marketplace"]);
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_is_asked_for_twice() {
    let lab = Lab::new().await;
    for (second, wanted) in [("another-one-2", 2), ("the-new-password-1", 0)] {
        let mut command = lab.smctl();
        command.args(["user", "create", "jane", "--role", "viewer"]);
        let mut terminal = Terminal::run(command, 80);
        terminal.until("New password: ");
        terminal.say("the-new-password-1\n");
        terminal.until("Once more: ");
        terminal.say(&format!("{second}\n"));
        let (seen, code) = terminal.end();
        assert_eq!(code, wanted, "{seen}");
        assert!(!seen.contains("the-new-password-1"), "{seen}");
    }
    let jane = lab.json(&["user", "get", "jane", "-o", "json"]);
    assert_eq!(jane["roles"], serde_json::json!(["viewer"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_live_ends_well_with_an_interruption() {
    let lab = Lab::with_broker().await;
    let mut command = lab.smctl();
    command.args(["top", "--interval", "1h"]);
    let mut terminal = Terminal::run(command, 100);
    terminal.until("under way");
    terminal.until("tokens");
    terminal.interrupt();
    let (seen, code) = terminal.end();
    assert_eq!(code, 0, "{seen}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_typed_interruption_reaches_the_program_and_takes_its_binding_away() {
    let lab = Lab::with_broker().await;
    lab.done(&["provision", "mydb", "token", "instant", "--wait"]);
    // A session of its own, so that the terminal sends the signal as it does to a person's programs.
    let mut command = through("setsid");
    command.arg("--ctty").arg(env!("CARGO_BIN_EXE_smctl"));
    command.env("SM_HOME", lab.home());
    command.args(["exec", "--service", "mydb", "sh", "-c"]);
    command.arg("echo rea''dy; exec sleep 600");
    let mut terminal = Terminal::run(command, 80);
    terminal.until("ready");
    let bindings = |lab: &Lab| lab.json(&["binding", "list", "-o", "json"])["items"].clone();
    assert_eq!(bindings(&lab).as_array().unwrap().len(), 1);
    terminal.say("\u{3}");
    let (seen, code) = terminal.end();
    assert_eq!(code, 130, "{seen}");
    assert_eq!(bindings(&lab), serde_json::json!([]));
}
