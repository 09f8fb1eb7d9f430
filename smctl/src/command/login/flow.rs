//! The ways to log in.

use crate::client::Query;
use crate::exit::Exit;
use crate::login::{self, Issuer, Program, Token};
use crate::problem::Problem;
use crate::prompt;
use crate::transport::Transport;
use qm_manager_api::Secret;
use std::io::BufRead;
use std::str::FromStr;

/// A way to log in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Password,
    ClientCredentials,
    Browser,
    Device,
}

/// What a person answered.
#[derive(Debug)]
pub(super) enum Answers {
    Nothing,
    Person {
        user: String,
        password: Secret<String>,
    },
}

impl Flow {
    /// As the config file has it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Password => "password-grant",
            Self::ClientCredentials => "client-credentials",
            Self::Browser => "browser",
            Self::Device => "device-code",
        }
    }

    pub(super) async fn token(
        self,
        transport: &Transport,
        issuer: &Issuer,
        program: &Program,
        answers: &Answers,
    ) -> Result<Token, Problem> {
        if issuer.token.is_empty() {
            return Err(Problem::new(
                Exit::Auth,
                format!("the issuer {} gives no tokens", issuer.url),
            ));
        }
        let form = match (self, answers) {
            (Self::Browser, _) => return login::with_browser(transport, issuer, program).await,
            (Self::Device, _) => return login::with_device(transport, issuer, program).await,
            (Self::Password, Answers::Person { user, password }) => Query::new()
                .with("grant_type", "password")
                .with("username", user)
                .with("password", password.expose()),
            _ => Query::new().with("grant_type", "client_credentials"),
        };
        login::ask(transport, &issuer.token, &form, program).await
    }
}

impl FromStr for Flow {
    type Err = Problem;

    fn from_str(word: &str) -> Result<Self, Problem> {
        match word {
            "password-grant" | "password" => Ok(Self::Password),
            "client-credentials" => Ok(Self::ClientCredentials),
            "browser" => Ok(Self::Browser),
            "device-code" => Ok(Self::Device),
            _ => Err(
                Problem::usage(format!("unknown authentication flow: {word}"))
                    .hint("--auth-flow password-grant, client-credentials, browser or device-code"),
            ),
        }
    }
}

/// A user and a password; what is missing is asked for.
pub(super) fn person(user: Option<String>, password: Option<String>) -> Result<Answers, Problem> {
    let user = match user.filter(|user| !user.is_empty()) {
        Some(user) => user,
        None => prompt::line("User: ")?,
    };
    let password = match password.filter(|password| !password.is_empty()) {
        Some(password) => password,
        None => prompt::password("Password: ")?,
    };
    if user.is_empty() || password.is_empty() {
        return Err(Problem::usage("username/password should not be empty"));
    }
    Ok(Answers::Person {
        user,
        password: Secret::new(password),
    })
}

/// The first line of standard input.
pub(super) fn password_from_stdin() -> Result<String, Problem> {
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(|error| {
            Problem::usage("the password cannot be read from standard input").why(error.to_string())
        })?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}
