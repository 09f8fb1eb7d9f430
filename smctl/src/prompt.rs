//! Questions to the person: yes or no, a line, a password.
//!
//! The rule: a question that nobody can answer is an error with a way to answer beforehand, never a hang.

use crate::exit::Exit;
use crate::problem::Problem;
use std::io::{BufRead, IsTerminal, Write};

/// The answers that mean yes, as the old smctl has them.
const YES: [&str; 5] = ["y", "Y", "yes", "Yes", "YES"];

/// Asks a question that ends with a blank, and takes everything but a plain yes for a no.
pub(crate) fn confirm(question: &str) -> Result<bool, Problem> {
    let answer = line(question)?;
    Ok(YES.contains(&answer.as_str()))
}

/// Asks before something is destroyed, unless `--yes` was said.
pub(crate) fn sure(yes: bool, what: &str) -> Result<(), Problem> {
    if yes {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() {
        return Err(Problem::usage(format!("{what} needs a yes"))
            .why("standard input is no terminal, so nobody can be asked")
            .hint("say --yes"));
    }
    eprint!("{what}? (y/N): ");
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    if read.is_ok() && YES.contains(&answer.trim()) {
        Ok(())
    } else {
        Err(Problem::new(Exit::Failed, "nothing was done").why("the answer was no"))
    }
}

/// Asks for a line.
pub(crate) fn line(question: &str) -> Result<String, Problem> {
    print!("{question}");
    let _ = std::io::stdout().flush();
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line) {
        Ok(0) => Err(Problem::new(Exit::Failed, "nobody answered")
            .why("standard input has ended")
            .hint("answer beforehand: --force for a confirmation, -u and -p for a login")
            .old("EOF")),
        Ok(_) => Ok(line.trim_end_matches(['\n', '\r']).to_owned()),
        Err(error) => Err(Problem::new(Exit::Failed, "nobody answered").why(error.to_string())),
    }
}

/// Asks for a password without showing it.
pub(crate) fn password(question: &str) -> Result<String, Problem> {
    if !std::io::stdin().is_terminal() {
        println!("{question}");
        return Err(Problem::usage("there is nobody to type a password")
            .why("standard input is no terminal")
            .hint("set SMCTL_PASSWORD, or say --password-stdin")
            .old("inappropriate ioctl for device"));
    }
    hidden(question).map_err(|error| {
        Problem::new(Exit::Failed, "the password cannot be read").why(error.to_string())
    })
}

/// The terminal is quiet before the question is seen, so that not even a fast answer shows.
#[cfg(unix)]
fn hidden(question: &str) -> std::io::Result<String> {
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

    let stdin = std::io::stdin();
    let before = tcgetattr(&stdin)?;
    let mut quiet = before.clone();
    quiet.local_modes.remove(LocalModes::ECHO);
    tcsetattr(&stdin, OptionalActions::Drain, &quiet)?;
    print!("{question}");
    let _ = std::io::stdout().flush();
    let mut line = String::new();
    let read = stdin.lock().read_line(&mut line);
    tcsetattr(&stdin, OptionalActions::Drain, &before)?;
    println!();
    read?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}

#[cfg(not(unix))]
fn hidden(question: &str) -> std::io::Result<String> {
    print!("{question}");
    let _ = std::io::stdout().flush();
    console::Term::stdout().read_secure_line()
}
