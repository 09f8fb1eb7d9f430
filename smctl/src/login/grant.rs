//! One request at the token endpoint.

use crate::client::Query;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::problem::Problem;
use crate::transport::{Reply, Transport};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::Request;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use qm_manager_api::{OAuthError, Secret, TokenResponse};
use std::time::Duration;

/// The program that asks: smctl itself, or one with a secret.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    pub(crate) id: String,
    pub(crate) secret: Secret<String>,
    /// Whether the manager says that its issuer takes Basic.
    pub(crate) basic: bool,
}

/// What came of it.
pub(crate) type Token = TokenResponse;

/// Asks for a token.
pub(crate) async fn ask(
    transport: &Transport,
    endpoint: &str,
    form: &Query,
    program: &Program,
) -> Result<Token, Problem> {
    let reply = post(transport, endpoint, form, program).await?;
    read(&reply)
}

/// Sends a form, with the program's proof in the header, or in the form when the issuer wants it there.
pub(super) async fn post(
    transport: &Transport,
    endpoint: &str,
    form: &Query,
    program: &Program,
) -> Result<Reply, Problem> {
    // A program without a secret proves nothing; RFC 6749 puts its name into the form.
    let public = program.secret.expose().is_empty();
    if program.basic && !public {
        let reply = send(transport, endpoint, form, Some(program)).await?;
        if !unknown_client(&reply) {
            return Ok(reply);
        }
    }
    let mut form = form.clone().with("client_id", &program.id);
    if !public {
        form = form.with("client_secret", program.secret.expose());
    }
    send(transport, endpoint, &form, None).await
}

async fn send(
    transport: &Transport,
    endpoint: &str,
    form: &Query,
    basic: Option<&Program>,
) -> Result<Reply, Problem> {
    let mut request = Request::post(endpoint)
        .header(ACCEPT, "application/json")
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    if let Some(program) = basic {
        let pair = format!(
            "{}:{}",
            utf8_percent_encode(&program.id, NON_ALPHANUMERIC),
            utf8_percent_encode(program.secret.expose(), NON_ALPHANUMERIC)
        );
        request = request.header(AUTHORIZATION, format!("Basic {}", STANDARD.encode(pair)));
    }
    let request = request.body(Bytes::from(form.encoded())).map_err(|error| {
        Problem::new(
            Exit::Failed,
            format!("{endpoint} is no address of a token endpoint"),
        )
        .why(error.to_string())
    })?;
    transport.send(request, Some(Duration::from_secs(60))).await
}

/// Whether it is the program that is refused, and not the person.
fn unknown_client(reply: &Reply) -> bool {
    let error = Doc::parse(&reply.body).unwrap_or_default();
    reply.status.as_u16() == 401 || error.str("error") == "invalid_client"
}

/// The token, or why there is none.
pub(super) fn read(reply: &Reply) -> Result<Token, Problem> {
    if reply.status.is_success() {
        return serde_json::from_slice(&reply.body).map_err(|error| {
            Problem::new(Exit::Auth, "the issuer's answer is no token").why(error.to_string())
        });
    }
    let refused: OAuthError = serde_json::from_slice(&reply.body).unwrap_or_default();
    let raw = String::from_utf8_lossy(&reply.body).trim().to_owned();
    let said = refused.error_description.filter(|text| !text.is_empty());
    let word_is_grant = refused.error == "invalid_grant";
    let word = if refused.error.is_empty() {
        raw
    } else {
        refused.error
    };
    let why = said.unwrap_or(word);
    let mut problem = Problem::new(Exit::Auth, "could not log in")
        .old(format!("could not login\nReason: auth error: {why}"))
        .hint(if word_is_grant {
            "type it again; that of the first administrator is in admin-password in the manager's data folder"
        } else {
            "smctl login --help shows the other ways to log in"
        })
        .why(why);
    problem.status = Some(reply.status.as_u16());
    Err(problem)
}
