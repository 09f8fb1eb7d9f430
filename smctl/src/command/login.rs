//! `smctl login`: password, client credentials, certificate, browser or device code.

mod flow;

use crate::client::{Client, Query};
use crate::config::{Expiry, Settings};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::login::{self, Program};
use crate::output;
use crate::problem::Problem;
use crate::transport::{Transport, Trust};
use flow::Flow;
use qm_manager_api::{Secret, info};
use std::path::PathBuf;
use std::time::Duration;

pub(super) const EXAMPLES: &str = "\
Examples:
  smctl login -a https://sm.example.com -u admin
  smctl login -a sm.example.com --browser
  echo $PASSWORD | smctl login -a sm.example.com -u admin --password-stdin
  smctl login -a sm.example.com --auth-flow client-credentials --client-id ci --client-secret ...
  smctl login -a sm.example.com --context production

Without a login: SMCTL_URL and SMCTL_TOKEN in the environment.

Next: smctl marketplace";

/// What smctl is called at issuers, unless something else is said.
const DEFAULT_CLIENT: &str = "cf";

/// Flags of `smctl login`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Base URL of the Service Manager.
    #[arg(short = 'a', long, env = "SMCTL_URL", hide_env_values = true)]
    url: Option<String>,
    /// User ID.
    #[arg(short, long)]
    user: Option<String>,
    /// Password. It is seen by everybody on this machine; better let smctl ask, or use SMCTL_PASSWORD.
    #[arg(
        short,
        long,
        env = "SMCTL_PASSWORD",
        hide_env_values = true,
        allow_hyphen_values = true
    )]
    password: Option<String>,
    /// Read the password from standard input.
    #[arg(long, conflicts_with = "password")]
    password_stdin: bool,
    /// Client id used for OAuth flow.
    #[arg(long)]
    client_id: Option<String>,
    /// Client secret used for OAuth flow.
    #[arg(
        long,
        env = "SMCTL_CLIENT_SECRET",
        hide_env_values = true,
        allow_hyphen_values = true
    )]
    client_secret: Option<String>,
    /// Path to the file which contains the certificate (public-key).
    #[arg(long)]
    cert: Option<PathBuf>,
    /// Path to the file which contains the key (private-key).
    #[arg(long)]
    key: Option<PathBuf>,
    /// Skip verification of certificates. Not recommended!
    #[arg(long)]
    skip_ssl_validation: bool,
    /// password-grant, client-credentials, browser or device-code.
    #[arg(long, value_name = "FLOW", default_value = "password-grant")]
    auth_flow: String,
    /// Log in with the browser.
    #[arg(long, alias = "sso")]
    browser: bool,
    /// Log in with a browser on another machine.
    #[arg(long, conflicts_with = "browser")]
    device: bool,
    /// Additional query parameters for /v1/info in the form key=value.
    #[arg(long = "param", value_name = "KEY=VALUE")]
    params: Vec<String>,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(mut self, global: &Global) -> Result<Exit, Problem> {
        let url = self.address(global)?;
        let flow = self.flow()?;
        let secrets = self.answers(flow)?;
        let trust = Trust {
            anybody: self.skip_ssl_validation,
            certificate: self.cert.clone().zip(self.key.clone()),
        };
        let transport = Transport::new(trust.clone(), global.verbose);
        let (issuer_url, basic) = self.ask_info(global, &trust, &url, flow).await?;
        let issuer = login::discover(&transport, &issuer_url, trust.certificate.is_some()).await?;
        let program = Program {
            id: self
                .client_id
                .clone()
                .unwrap_or_else(|| DEFAULT_CLIENT.to_owned()),
            secret: Secret::new(self.client_secret.clone().unwrap_or_default()),
            basic,
        };
        let token = flow.token(&transport, &issuer, &program, &secrets).await?;
        let refreshes = token.refresh_token.is_some();
        let user = match &secrets {
            flow::Answers::Person { user, .. } => user.clone(),
            // A person whom the issuer knows by another name than this program.
            flow::Answers::Nothing if flow != Flow::ClientCredentials => {
                login::who(token.access_token.expose()).unwrap_or_else(|| program.id.clone())
            }
            flow::Answers::Nothing => program.id.clone(),
        };
        let settings = Settings {
            url: url.clone(),
            user,
            ssl_disabled: self.skip_ssl_validation,
            token_basic_auth: basic,
            access_token: token.access_token,
            refresh_token: token.refresh_token.unwrap_or_default(),
            expiry: Expiry::in_seconds(token.expires_in),
            client_id: program.id,
            // Only a login that can be renewed needs the secret again.
            client_secret: if refreshes {
                program.secret
            } else {
                Secret::default()
            },
            issuer_url: issuer.url,
            token_url: issuer.token,
            auth_url: issuer.authorization,
            auth_flow: flow.word().to_owned(),
            revocation_url: issuer.revocation,
            cert: self.cert.map(absolute),
            key: self.key.map(absolute),
        };
        let doc = Doc::map()
            .with("url", &settings.url)
            .with("user", &settings.user)
            .with("auth_flow", &settings.auth_flow)
            .with("expires_at", settings.expiry.told())
            .with("logged_in", true);
        global
            .config()?
            .log_in(global.context.as_deref(), settings)?;
        let line = "Logged in successfully.";
        output::told(&self.output.format, "context", &doc, line);
        output::next(global, "smctl marketplace");
        Ok(Exit::Done)
    }

    /// The address, with a scheme. Without `-a`, that of the login before.
    fn address(&self, global: &Global) -> Result<String, Problem> {
        let known = || {
            let config = global.config().ok()?;
            let settings = config.settings(global.context.as_deref()).ok()??;
            Some(settings.url.clone()).filter(|url| !url.is_empty())
        };
        let typed = match &self.url {
            Some(url) if !url.is_empty() => url.clone(),
            _ if global.compat => return Err(Problem::usage("URL flag must be provided")),
            _ => known().ok_or_else(|| {
                Problem::usage("where is the Service Manager?")
                    .why("-a was not given, and no login before this one names an address")
                    .hint("smctl login -a https://HOST -u USER")
            })?,
        };
        if global.compat && !typed.starts_with("http://") && !typed.starts_with("https://") {
            return Err(Problem::usage(format!(
                "service manager URL is invalid: url is not an HTTP URL: {typed}"
            )));
        }
        let (url, added) = login::with_scheme(&typed);
        let host = url.parse::<http::Uri>().ok().and_then(|uri| {
            let known = matches!(uri.scheme_str(), Some("http" | "https"));
            uri.host()
                .filter(|host| known && !host.is_empty())
                .map(ToOwned::to_owned)
        });
        if host.is_none() {
            let what = format!("{typed} is no address of a Service Manager");
            return Err(Problem::usage(what)
                .why("url is not an HTTP URL")
                .hint("write it as https://HOST[:PORT]"));
        }
        if added {
            eprintln!("{typed} is taken for {url}");
        }
        Ok(url)
    }

    fn flow(&self) -> Result<Flow, Problem> {
        match (self.browser, self.device) {
            (true, _) => Ok(Flow::Browser),
            (_, true) => Ok(Flow::Device),
            _ => self.auth_flow.parse(),
        }
    }

    /// Who logs in: from flags, from the environment, or asked.
    fn answers(&mut self, flow: Flow) -> Result<flow::Answers, Problem> {
        match flow {
            Flow::Password => {
                let password = if self.password_stdin {
                    Some(flow::password_from_stdin()?)
                } else {
                    self.password.take()
                };
                flow::person(self.user.take(), password)
            }
            Flow::ClientCredentials => {
                let filled =
                    |text: &Option<String>| text.as_ref().is_some_and(|text| !text.is_empty());
                let certificate = self.cert.is_some() && self.key.is_some();
                if !filled(&self.client_id) || !(filled(&self.client_secret) || certificate) {
                    let old = "Invalid credentials. In a Client Credentials authorization flow, use either the combination of a client_id and client_secret or client_id and client cert and key.";
                    return Err(Problem::usage("a program needs more than this to log in")
                        .why("it has a client id and a secret, or a client id, a certificate and a key")
                        .hint("--client-id ID --client-secret SECRET, or --client-id ID --cert FILE --key FILE")
                        .old(old));
                }
                Ok(flow::Answers::Nothing)
            }
            Flow::Browser | Flow::Device => Ok(flow::Answers::Nothing),
        }
    }

    /// Where the manager says that tokens come from. It is asked without a certificate, as everybody may.
    async fn ask_info(
        &self,
        global: &Global,
        trust: &Trust,
        url: &str,
        flow: Flow,
    ) -> Result<(String, bool), Problem> {
        let transport = Transport::new(trust.clone(), global.verbose);
        let mut client = Client::new(transport, url, None);
        client.patience = Some(Duration::from_secs(10));
        let mut query = Query::new();
        for param in &self.params {
            let (key, value) = param.split_once('=').unwrap_or((param, ""));
            query = query.with(key, value);
        }
        if flow == Flow::ClientCredentials {
            query = query.with("grant_type", "client_credentials");
        }
        let doc = client
            .get(info::PATH, &query)
            .await
            .map_err(|mut problem| {
                let old = problem.old.take().unwrap_or_else(|| problem.what.clone());
                if problem.status.is_some() {
                    problem.what = format!("{url} is no Service Manager, or not at this path");
                    problem.hint =
                        Some("check the address; it is the one that ends before /v1".to_owned());
                }
                problem.old(format!("Could not get Service Manager info\nReason: {old}"))
            })?;
        let issuer = doc.str("token_issuer_url");
        if issuer.is_empty() {
            return Err(
                Problem::new(Exit::Failed, format!("{url} does not say where to log in"))
                    .why("token_issuer_url is missing in /v1/info"),
            );
        }
        let basic = doc.get("token_basic_auth") != &Doc::Bool(false);
        Ok((issuer.to_owned(), basic))
    }
}

/// A path that means the same from every folder.
fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}
