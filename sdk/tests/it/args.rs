//! The flags of a broker program, read and used.

use clap::Parser;
use qm_testkit::http::Client;
use qm_testkit::process::Program;
use quartermaster_sdk::args::{HealthPlace, ServeArgs, StoreChoice};
use quartermaster_sdk::{DeletedOperation, MissingVersion};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Debug, Parser)]
struct Words {
    #[command(flatten)]
    serve: ServeArgs,
}

/// Reads flags. The environment of the test is not the program's: variables are tried on a child.
fn read(words: &[&str]) -> Result<ServeArgs, clap::Error> {
    let words = Words::try_parse_from([&["broker"], words].concat())?;
    Ok(words.serve)
}

fn refused(words: &[&str]) -> String {
    read(words).unwrap_err().to_string()
}

#[test]
fn defaults_are_safe() {
    let args = read(&[]).unwrap();
    assert_eq!(args.listen(), "127.0.0.1:8080");
    assert_eq!(args.store(), Ok(StoreChoice::File("broker.db".into())));
    assert_eq!(args.key(), None);
    assert_eq!(args.health(), &HealthPlace::Here);
    assert_eq!(args.log(), "info");
    assert_eq!(args.missing_version(), MissingVersion::default());
    assert_eq!(args.deleted_operation(), DeletedOperation::default());
    assert!(args.tls().unwrap().is_none());
    let credentials = args.credentials().unwrap().unwrap();
    assert_eq!(
        (credentials.user.as_str(), credentials.generated),
        ("broker", true)
    );
    assert_eq!(credentials.password.expose().len(), 32);
    let others = args.credentials().unwrap().unwrap();
    assert_ne!(credentials.password, others.password);
}

#[test]
fn every_flag_is_read() {
    let args = read(&[
        "--listen=[::1]:0",
        "--user=cf",
        "--password=a:b c",
        "--store=postgres://u:p@h/d",
        "--key=k",
        "--health=127.0.0.1:9",
        "--missing-version=400",
        "--deleted-operation=gone",
        "--log=warn,x=debug",
    ])
    .unwrap();
    assert_eq!(args.listen(), "[::1]:0");
    let url = "postgres://u:p@h/d".to_owned();
    assert_eq!(args.store(), Ok(StoreChoice::Postgres(url.into())));
    assert_eq!(args.key(), Some(Path::new("k")));
    assert_eq!(args.health(), &HealthPlace::On("127.0.0.1:9".into()));
    assert_eq!(args.missing_version(), MissingVersion::BadRequest);
    assert_eq!(args.deleted_operation(), DeletedOperation::Gone);
    assert_eq!(args.log(), "warn,x=debug");
    let credentials = args.credentials().unwrap().unwrap();
    assert_eq!(
        (credentials.user.as_str(), credentials.generated),
        ("cf", false)
    );
    assert_eq!(credentials.password.expose(), "a:b c");
}

#[test]
fn wrong_words_are_explained() {
    let cases: [(&[&str], &str); 10] = [
        (&["--user="], "cannot be empty"),
        (&["--user=a:b"], "colon"),
        (&["--password="], "leave it out"),
        (&["--health=there"], "host:port"),
        (&["--missing-version=500"], "400, 412"),
        (&["--deleted-operation=maybe"], "succeeded, gone"),
        (&["--tls-cert=c.pem"], "--tls-key"),
        (&["--tls-key=k.pem"], "--tls-cert"),
        (&["--client-ca=ca.pem"], "--tls-cert"),
        (&["--listne=x"], "--listen"),
    ];
    for (words, wanted) in cases {
        let text = refused(words);
        assert!(text.contains(wanted), "{words:?}: {text}");
    }
}

#[test]
fn stores_are_told_apart() {
    let file = |path: &str| Ok(StoreChoice::File(PathBuf::from(path)));
    let store = |word: &str| read(&["--store", word]).unwrap().store();
    assert_eq!(store("memory"), Ok(StoreChoice::Memory));
    assert_eq!(store("./memory"), file("./memory"));
    assert_eq!(store("/var/lib/x.db"), file("/var/lib/x.db"));
    assert!(matches!(
        store("postgresql://h/d"),
        Ok(StoreChoice::Postgres(_))
    ));
    let unknown = store("mysql://root:canary@h/d").unwrap_err().to_string();
    assert!(unknown.contains("mysql://"), "{unknown}");
    assert!(!unknown.contains("canary"), "{unknown}");
    assert!(store("").is_err());
}

#[test]
fn nothing_prints_a_secret() {
    let args = read(&["--password=canary1", "--store=postgres://u:canary2@h/d"]).unwrap();
    let printed = format!(
        "{args:?} {:?} {:?}",
        args.store().unwrap(),
        args.credentials().unwrap()
    );
    assert!(!printed.contains("canary"), "{printed}");
}

#[test]
fn the_definition_is_sound() {
    use clap::CommandFactory;
    Words::command().debug_assert();
    let help = Words::command().render_long_help().to_string();
    for flag in [
        "--listen",
        "--user",
        "--password",
        "--store",
        "--key",
        "--tls-cert",
        "--log",
    ] {
        assert!(help.contains(flag), "{flag} is not in the help");
    }
}

fn minimal() -> Program {
    Program::example("minimal")
        .unwrap()
        .args(["--listen", "127.0.0.1:0", "--store", "memory"])
}

#[tokio::test]
async fn a_program_takes_its_password_from_the_environment() {
    let program = minimal()
        .args(["--user", "cf"])
        .env("QM_BROKER_PASSWORD", "s3cret");
    let mut process = program.start().await.unwrap();
    let right = Client::new(&process.url(), "cf", "s3cret");
    assert_eq!(right.get("/v2/catalog").await.unwrap().status(), 200);
    let wrong = Client::new(&process.url(), "cf", "wrong")
        .get("/v2/catalog")
        .await
        .unwrap();
    assert_eq!(wrong.status(), 401);
    assert!(
        wrong.headers()["www-authenticate"]
            .to_str()
            .unwrap()
            .starts_with("Basic ")
    );
    let nobody = Client::new(&process.url(), "", "");
    assert_eq!(nobody.get("/healthz").await.unwrap().status(), 200);
    assert_eq!(nobody.get("/readyz").await.unwrap().status(), 200);
    let metrics = nobody.get("/metrics").await.unwrap();
    let metrics = String::from_utf8(metrics.body().to_vec()).unwrap();
    assert!(metrics.contains("\nosb_requests_total{"), "{metrics}");

    assert!(process.terminate().await.unwrap().success());
    assert!(!process.output().contains("s3cret"), "{}", process.output());
}

#[tokio::test]
async fn a_program_makes_a_password_and_says_it_once() {
    let mut process = minimal().start().await.unwrap();
    // The two streams are read side by side; the address may be seen first.
    assert!(process.wait_for_output("--password ").await);
    let output = process.output();
    let told: Vec<&str> = output
        .lines()
        .filter(|line| line.contains("--password "))
        .collect();
    assert_eq!(told.len(), 1, "{output}");
    let password = told[0].rsplit_once("--password ").unwrap().1;
    let client = Client::new(&process.url(), "broker", password);
    assert_eq!(client.get("/v2/catalog").await.unwrap().status(), 200);
    process.signal("INT").unwrap();
    assert!(process.wait().await.unwrap().success());
}

#[tokio::test]
async fn a_program_that_cannot_start_says_why_in_one_line() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = taken.local_addr().unwrap().to_string();
    let example = || {
        Program::example("minimal")
            .unwrap()
            .args(["--store", "memory"])
    };
    let cases = [
        (
            example().args(["--listen", &addr]),
            format!("cannot listen on {addr}: "),
        ),
        (
            example().args(["--listen", "nowhere"]),
            "cannot listen on nowhere: ".into(),
        ),
        (
            minimal().args(["--tls-cert", "/no/cert.pem", "--tls-key", "/no/key.pem"]),
            "/no/cert.pem is not a readable PEM file".into(),
        ),
        (
            minimal().args(["--log", "a=b=c"]),
            "`a=b=c` is not a log filter".into(),
        ),
        (
            Program::example("minimal")
                .unwrap()
                .args(["--store", "mysql://h/d"]),
            "--store takes a file".into(),
        ),
    ];
    for (program, wanted) in cases {
        let output = program.command().output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(output.stdout.is_empty(), "{:?}", output.stdout);
        let last = errors.lines().last().unwrap_or_default();
        assert!(
            last.starts_with("Error: ") && last.contains(&wanted),
            "{errors}"
        );
    }
}

#[test]
fn standard_output_is_the_address_line_alone() {
    let mut child = minimal()
        .command()
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    let addr = line
        .strip_prefix("listening on http://")
        .unwrap()
        .trim_end();
    let addr: std::net::SocketAddr = addr.parse().unwrap();
    assert_ne!(addr.port(), 0);
    std::net::TcpStream::connect(addr).expect("it listens when it says so");

    let pid = child.id().to_string();
    Command::new("sh")
        .args(["-c", "kill -TERM \"$1\"", "sh", &pid])
        .status()
        .unwrap();
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
    assert!(child.wait().unwrap().success());
}
