//! Programs under test: ready, output, signals, restart, and no survivors.

use crate::victim;
use qm_testkit::process::{Error, Program, free_address};
use std::net::TcpStream;

fn hostile() -> Program {
    Program::binary("hostile-broker").unwrap()
}

/// A stand-in for a program of ours.
fn script(text: &str) -> Program {
    Program::new("/bin/sh").args(["-c", text])
}

#[tokio::test]
async fn killed_and_restarted_at_the_same_address() {
    let address = free_address().unwrap();
    let program = hostile().args(["--listen", &address.to_string()]);
    let mut process = program.start().await.unwrap();
    assert_eq!(process.address(), address);
    let first = process.pid();
    process.kill9();
    assert!(!process.runs());
    assert!(TcpStream::connect(address).is_err());
    process.restart().await.unwrap();
    assert_ne!(process.pid(), first);
    assert_eq!(process.url(), format!("http://{address}"));
    TcpStream::connect(address).unwrap();
    assert_eq!(process.output().matches("listening on").count(), 2);
    drop(process);
    assert!(TcpStream::connect(address).is_err());
}

#[tokio::test]
async fn output_and_exit_status() {
    let program = script(
        "trap 'echo caught >&2; exit 3' TERM; echo listening on http://127.0.0.1:9; echo $WORD;
         while :; do sleep 0.02; done",
    )
    .env("WORD", "from the environment");
    let mut process = program.start().await.unwrap();
    assert!(process.wait_for_output("from the env").await);
    assert!(process.runs());
    let status = process.terminate().await.unwrap();
    assert_eq!(status.code(), Some(3));
    assert!(process.wait_for_output("caught").await);
    assert!(!process.wait_for_output("never said").await);
    assert!(matches!(
        process.terminate().await,
        Err(Error::NotSignalled { .. })
    ));
}

#[tokio::test]
async fn a_program_that_does_not_come_up_says_why() {
    let error = script("echo no such store >&2; exit 7").start().await;
    let text = error.unwrap_err().to_string();
    assert!(
        text.contains("no such store") && text.contains('7'),
        "{text}"
    );
    let absent = Program::new("/nowhere/at/all").start().await;
    assert!(matches!(absent, Err(Error::NotStarted { .. })));
    let missing = Program::example("no-such-example").unwrap_err();
    assert!(
        missing
            .to_string()
            .contains("cargo build --example no-such-example")
    );
}

#[test]
#[ignore = "the victim of killing_the_owner_kills_the_program"]
fn holds_a_program() {
    if victim::chosen() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let process = runtime.block_on(hostile().start()).unwrap();
        victim::wait_with(&process.address().to_string());
    }
}

#[test]
fn killing_the_owner_kills_the_program() {
    let (mut owner, address) = victim::start("process::holds_a_program");
    TcpStream::connect(&address).unwrap();
    owner.kill().unwrap();
    owner.wait().unwrap();
    victim::until("the program is gone", || {
        TcpStream::connect(&address).is_err()
    });
}
