//! How the manager logs in at a broker, from flags: basic, bearer, OAuth2, a client certificate.

use crate::doc::Doc;
use crate::problem::Problem;
use crate::prompt;
use clap::Args;
use std::path::PathBuf;

/// Flags for a broker's credentials.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Credentials")]
pub(crate) struct Credentials {
    /// User and password.
    #[arg(short, long, value_name = "USER:PASSWORD", allow_hyphen_values = true)]
    basic: Option<String>,
    /// User; the password is asked for, or taken from SMCTL_BROKER_PASSWORD.
    #[arg(short, long, value_name = "USER", conflicts_with = "basic")]
    user: Option<String>,
    /// A fixed bearer token, or @FILE.
    #[arg(long, value_name = "TOKEN", conflicts_with_all = ["basic", "user"])]
    bearer: Option<String>,
    /// Token endpoint for the client-credentials grant.
    #[arg(long, value_name = "URL", requires = "oauth2_client_id", conflicts_with_all = ["basic", "user", "bearer"])]
    oauth2_token_url: Option<String>,
    /// Client for the client-credentials grant.
    #[arg(long, value_name = "ID", requires = "oauth2_token_url")]
    oauth2_client_id: Option<String>,
    /// Its secret, or @FILE.
    #[arg(
        long,
        value_name = "SECRET",
        env = "SMCTL_BROKER_CLIENT_SECRET",
        hide_env_values = true
    )]
    oauth2_client_secret: Option<String>,
    /// What to ask for.
    #[arg(long, value_name = "SCOPE", requires = "oauth2_token_url")]
    oauth2_scope: Option<String>,
    /// A client certificate, PEM.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Its key, PEM.
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Use the certificate that the manager is configured with.
    #[arg(long, conflicts_with = "tls_cert")]
    manager_cert: bool,
}

impl Credentials {
    /// As the manager takes them; nothing when nothing was said.
    pub(super) fn doc(&self) -> Result<Option<Doc>, Problem> {
        let mut doc = Doc::map();
        if let Some(basic) = &self.basic {
            let Some((user, password)) = basic.split_once(':') else {
                return Err(Problem::usage("--basic is not USER:PASSWORD"));
            };
            doc.set("basic", pair(user, password));
        }
        if let Some(user) = &self.user {
            let known = crate::session::variable("SMCTL_BROKER_PASSWORD");
            let password = match known {
                Some(password) => password,
                None => prompt::password("Password of the broker: ")?,
            };
            doc.set("basic", pair(user, &password));
        }
        if let Some(token) = &self.bearer {
            doc.set("bearer", Doc::map().with("token", secret(token)?));
        }
        if let (Some(url), Some(id)) = (&self.oauth2_token_url, &self.oauth2_client_id) {
            let secret = match &self.oauth2_client_secret {
                Some(typed) => secret(typed)?,
                None => prompt::password("Client secret: ")?,
            };
            let oauth2 = Doc::map()
                .with("token_url", url)
                .with("client_id", id)
                .with("client_secret", secret)
                .with_some("scope", self.oauth2_scope.as_ref());
            doc.set("oauth2", oauth2);
        }
        if let (Some(certificate), Some(key)) = (&self.tls_cert, &self.tls_key) {
            let tls = Doc::map()
                .with("client_certificate", read(certificate)?)
                .with("client_key", read(key)?);
            doc.set("tls", tls);
        }
        if self.manager_cert {
            doc.set("tls", Doc::map().with("sm_provided_tls_credentials", true));
        }
        Ok((!doc.is_empty()).then_some(doc))
    }
}

fn pair(user: &str, password: &str) -> Doc {
    Doc::map().with("username", user).with("password", password)
}

/// A secret, or a file behind `@`.
fn secret(typed: &str) -> Result<String, Problem> {
    match typed.strip_prefix('@') {
        Some(file) => Ok(read(&PathBuf::from(file))?.trim_end().to_owned()),
        None => Ok(typed.to_owned()),
    }
}

fn read(file: &PathBuf) -> Result<String, Problem> {
    std::fs::read_to_string(file).map_err(|error| {
        Problem::usage(format!("{} cannot be read", file.display())).why(error.to_string())
    })
}
