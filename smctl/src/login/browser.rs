//! Login with a browser: RFC 8252, authorization code with PKCE on a loopback address.
//!
//! The rule: the code that comes back counts only with the state that was sent, and only once.

use super::grant::{Program, Token, ask};
use super::{Issuer, pkce};
use crate::client::Query;
use crate::exit::Exit;
use crate::problem::Problem;
use crate::transport::Transport;
use percent_encoding::percent_decode_str;
use std::process::{Command, Stdio};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// How long a person may take.
const PATIENCE: Duration = Duration::from_secs(300);

pub(crate) async fn log_in(
    transport: &Transport,
    issuer: &Issuer,
    program: &Program,
) -> Result<Token, Problem> {
    if issuer.authorization.is_empty() {
        return Err(
            Problem::new(Exit::Auth, "the issuer has no page to log in at")
                .hint("smctl login without --browser, or with --device"),
        );
    }
    let listener = TcpListener::bind(("127.0.0.1", 0)).await;
    let bound = listener.and_then(|listener| Ok((listener.local_addr()?, listener)));
    let (address, listener) = bound.map_err(|error| {
        Problem::new(Exit::Failed, "no port for the browser to come back to").why(error.to_string())
    })?;
    let redirect = format!("http://{address}/callback");
    let verifier = pkce::random()?;
    let state = pkce::random()?;
    let question = Query::new()
        .with("response_type", "code")
        .with("client_id", &program.id)
        .with("redirect_uri", &redirect)
        .with("scope", "openid offline_access")
        .with("state", &state)
        .with("code_challenge", pkce::challenge(&verifier))
        .with("code_challenge_method", "S256");
    let page = question.behind(&issuer.authorization);
    eprintln!("Log in with the browser. If none opens, go to:\n  {page}");
    open(&page);
    let code = match tokio::time::timeout(PATIENCE, wait(&listener, &state)).await {
        Ok(code) => code?,
        Err(_) => {
            return Err(Problem::new(
                Exit::Timeout,
                "nobody logged in with the browser",
            ));
        }
    };
    let form = Query::new()
        .with("grant_type", "authorization_code")
        .with("code", code)
        .with("redirect_uri", &redirect)
        .with("code_verifier", verifier);
    ask(transport, &issuer.token, &form, program).await
}

/// The code, when the browser comes back with it. Other visitors (an icon, a probe) are sent away.
async fn wait(listener: &TcpListener, state: &str) -> Result<String, Problem> {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            continue;
        };
        if let Some(outcome) = visit(stream, state).await {
            return outcome;
        }
    }
}

async fn visit(stream: TcpStream, state: &str) -> Option<Result<String, Problem>> {
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    stream.read_line(&mut line).await.ok()?;
    // The rest of the head is read, so that the browser does not see a reset.
    let mut rest = String::new();
    while stream.read_line(&mut rest).await.ok()? > 2 {
        rest.clear();
    }
    let target = line.split(' ').nth(1).unwrap_or_default();
    let Some(query) = target.strip_prefix("/callback?") else {
        say(stream, "404 Not Found", "Nothing is here.").await;
        return None;
    };
    let value = |wanted: &str| {
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let mut found = pairs.filter(|(key, _)| *key == wanted);
        let (_, value) = found.next()?;
        let value = value.replace('+', " ");
        Some(percent_decode_str(&value).decode_utf8_lossy().into_owned())
    };
    if value("state").as_deref() != Some(state) {
        say(
            stream,
            "400 Bad Request",
            "This is not the login that was begun.",
        )
        .await;
        return None;
    }
    if let Some(code) = value("code") {
        say(
            stream,
            "200 OK",
            "You are logged in. This page can be closed.",
        )
        .await;
        return Some(Ok(code));
    }
    let why = value("error_description").or_else(|| value("error"));
    say(
        stream,
        "200 OK",
        "The login was refused. This page can be closed.",
    )
    .await;
    let problem = Problem::new(Exit::Auth, "could not log in");
    Some(Err(problem.why(
        why.unwrap_or_else(|| "the issuer gave no code".to_owned()),
    )))
}

async fn say(stream: BufReader<TcpStream>, status: &str, text: &str) {
    let page = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{text}",
        text.len()
    );
    let mut stream = stream.into_inner();
    let _ = stream.write_all(page.as_bytes()).await;
    let _ = stream.shutdown().await;
}

/// Opens a page with `$BROWSER`, or with what the system has. Not being able to is no error: the address was printed.
fn open(page: &str) {
    let system = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let browser = crate::session::variable("BROWSER").unwrap_or_else(|| system.to_owned());
    let started = Command::new(browser)
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Ok(mut child) = started {
        std::thread::spawn(move || child.wait());
    }
}
