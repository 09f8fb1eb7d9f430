//! Logging in: a token, a user with the password grant of OAuth 2, or HTTP basic.

use super::ServiceManager;
use crate::Secret;
use crate::client::basic;
use crate::platform::driver::{State, Told};
use http::{HeaderMap, HeaderValue, Method, header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// How the Service Manager knows us.
#[derive(Debug, Clone)]
pub enum Login {
    /// A bearer token.
    Token(Secret<String>),
    /// A user who logs in at the token issuer that `/v1/info` names.
    Password {
        /// The user.
        user: String,
        /// The password.
        password: Secret<String>,
        /// The OAuth client that asks for the token.
        client_id: String,
        /// Its secret, often empty.
        client_secret: Secret<String>,
    },
    /// HTTP basic with every request.
    Basic {
        /// The user.
        user: String,
        /// The password.
        password: Secret<String>,
    },
}

impl ServiceManager {
    /// Finds the credentials for all further requests.
    pub(super) async fn log_in(&self) -> Result<(), Told> {
        match &self.login {
            Login::Token(token) => self.http.authorize(format!("Bearer {}", token.expose())),
            Login::Basic { user, password } => self.http.authorize(basic(user, password.expose())),
            Login::Password {
                user,
                password,
                client_id,
                client_secret,
            } => {
                let endpoint = self.token_endpoint().await?;
                let client = basic(client_id, client_secret.expose());
                let token = self.token(&endpoint, &client, user, password).await?;
                self.http.authorize(format!("Bearer {}", token.expose()));
            }
        }
        Ok(())
    }

    /// The two steps by which every client of a Service Manager finds the issuer.
    async fn token_endpoint(&self) -> Result<String, Told> {
        let info = self.http.get("/v1/info").await?;
        let lacks = |what: &str, line: String| {
            Told::new(State::Broken, format!("{what} has no token issuer: {line}"))
        };
        let issuer = info.text("token_issuer_url");
        let issuer = issuer.ok_or_else(|| lacks("/v1/info", info.line()))?;
        let url = format!(
            "{}/.well-known/openid-configuration",
            issuer.trim_end_matches('/')
        );
        let found = self
            .http
            .exchange(Method::GET, &url, HeaderMap::new(), Default::default())
            .await?;
        let endpoint = found.text("token_endpoint");
        endpoint.ok_or_else(|| lacks(&url, found.line()))
    }

    async fn token(
        &self,
        endpoint: &str,
        client: &str,
        user: &str,
        password: &Secret<String>,
    ) -> Result<Secret<String>, Told> {
        let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let form = format!(
            "grant_type=password&username={}&password={}",
            encoded(user),
            encoded(password.expose())
        );
        let mut headers = HeaderMap::new();
        let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
        headers.insert(header::CONTENT_TYPE, kind);
        if let Ok(mut value) = HeaderValue::from_str(client) {
            value.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, value);
        }
        let reply = self
            .http
            .exchange(Method::POST, endpoint, headers, form.into())
            .await?;
        match reply.text("access_token") {
            Some(token) if reply.status == 200 => Ok(Secret::new(token)),
            _ => Err(Told::new(
                State::Refused,
                format!("{endpoint} gives no token: {}", reply.line()),
            )),
        }
    }
}
