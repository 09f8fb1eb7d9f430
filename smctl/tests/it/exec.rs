//! `smctl exec`: what the program sees, what stays behind, how it ends.

use crate::lab::Lab;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

async fn lab() -> Lab {
    let lab = Lab::with_broker().await;
    lab.done(&["provision", "mydb", "token", "instant", "--wait"]);
    lab
}

fn bindings(lab: &Lab) -> usize {
    lab.json(&["binding", "list", "-o", "json"])["items"]
        .as_array()
        .unwrap()
        .len()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_sees_the_service_in_every_form() {
    let lab = lab().await;
    let script = "echo $MYDB_TOKEN; echo $VCAP_SERVICES; cat $SERVICE_BINDING_ROOT/mydb/token; echo; echo $SERVICE_BINDING_ROOT; exit 7";
    let output = lab.run(&["exec", "--service", "mydb", "--", "sh", "-c", script]);
    assert_eq!(output.status.code(), Some(7), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0].len(), 36, "{text}");
    assert_eq!(lines[0], lines[2]);
    let vcap: serde_json::Value = serde_json::from_str(lines[1]).unwrap();
    assert_eq!(vcap["token"][0]["credentials"]["token"], lines[0]);
    assert_eq!(vcap["token"][0]["instance_name"], "mydb");
    assert!(!std::path::Path::new(lines[3]).exists());
    assert_eq!(bindings(&lab), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_binding_that_was_there_stays() {
    let lab = lab().await;
    lab.done(&["bind", "mydb", "app", "--wait"]);
    let token = lab.done(&["credentials", "app", "-o", "jsonpath={.token}"]);
    let seen = lab.done(&[
        "exec",
        "--binding",
        "mydb/app",
        "--",
        "sh",
        "-c",
        "echo $MYDB_TOKEN",
    ]);
    assert_eq!(seen, token);
    assert_eq!(bindings(&lab), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_stays_behind_after_an_interruption_or_a_missing_program() {
    let lab = lab().await;
    let (error, code) = lab.fails(&[
        "exec",
        "--service",
        "mydb",
        "--",
        "no-such-program-anywhere",
    ]);
    assert_eq!(code, 127, "{error}");
    assert_eq!(bindings(&lab), 0);

    let mut child = lab
        .smctl()
        .args([
            "exec",
            "--service",
            "mydb",
            "--",
            "sh",
            "-c",
            "echo ready; exec sleep 600",
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert_eq!(line, "ready\n");
    assert_eq!(bindings(&lab), 1);
    let sent = Command::new("sh")
        .args(["-c", &format!("kill -INT {}", child.id())])
        .status()
        .unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(bindings(&lab), 0);
}
