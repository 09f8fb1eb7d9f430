//! What needs a terminal: questions, passwords that are not shown, tables that fit.

use crate::lab::Lab;
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
