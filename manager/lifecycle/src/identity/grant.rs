//! What a client asks the token endpoint for. The doors hand in the form and the header; `token` acts on it.
//!
//! The rule (RFC 6749 §2.3.1, §3.2): a client proves itself in one way, and no parameter comes twice. smctl
//! sends its id and secret in the header, each encoded as in a form, and on any error once more in the form;
//! the operator sends them in the form only.

use super::OAuthError;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use qm_model::Secret;

/// Who asks, as far as a program can say.
#[derive(Debug, Clone)]
pub struct ClientAuth {
    /// `client_id`.
    pub id: String,
    /// `client_secret`; empty for a client that has none.
    pub secret: Secret<String>,
}

/// What is asked for.
#[derive(Debug, Clone)]
pub enum Grant {
    /// A user logs in.
    Password {
        /// The user name.
        user: String,
        /// The password.
        password: Secret<String>,
        /// Through which program.
        client: Option<ClientAuth>,
        /// Not all of the user's roles.
        scope: Option<String>,
    },
    /// A program logs in as itself.
    ClientCredentials {
        /// Which one.
        client: ClientAuth,
        /// Not all of its roles.
        scope: Option<String>,
    },
    /// Somebody who logged in goes on.
    Refresh {
        /// The refresh token.
        token: Secret<String>,
        /// Through which program.
        client: Option<ClientAuth>,
        /// Not all of the user's roles.
        scope: Option<String>,
    },
}

impl Grant {
    /// Reads a decoded form and the raw `Authorization` header.
    ///
    /// # Errors
    /// What is missing or wrong.
    pub fn read(
        form: &[(String, String)],
        authorization: Option<&str>,
    ) -> Result<Self, OAuthError> {
        let mut form = Form::new(form)?;
        let client = form.client(authorization)?;
        let grant = form.need("grant_type")?;
        let scope = form.take("scope");
        match grant.as_str() {
            "password" => Ok(Self::Password {
                user: form.need("username")?,
                password: Secret::new(form.need("password")?),
                client,
                scope,
            }),
            "client_credentials" => Ok(Self::ClientCredentials {
                client: client.ok_or(OAuthError::InvalidClient(
                    "the client does not say who it is",
                ))?,
                scope,
            }),
            "refresh_token" => Ok(Self::Refresh {
                token: Secret::new(form.need("refresh_token")?),
                client,
                scope,
            }),
            _ => Err(OAuthError::UnsupportedGrantType(
                "there are the grants password, client_credentials and refresh_token",
            )),
        }
    }
}

/// A form whose parameters are taken out one by one.
pub(super) struct Form<'f>(Vec<&'f (String, String)>);

impl<'f> Form<'f> {
    pub(super) fn new(pairs: &'f [(String, String)]) -> Result<Self, OAuthError> {
        // Sent without a value is as good as not sent.
        let pairs: Vec<_> = pairs
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .collect();
        for (n, (name, _)) in pairs.iter().enumerate() {
            if pairs.iter().skip(n + 1).any(|(other, _)| other == name) {
                return Err(OAuthError::InvalidRequest(
                    "a parameter comes twice in the form".to_owned(),
                ));
            }
        }
        Ok(Self(pairs))
    }

    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(found, _)| found == name)?;
        Some(self.0.swap_remove(at).1.clone())
    }

    pub(super) fn need(&mut self, name: &'static str) -> Result<String, OAuthError> {
        self.take(name)
            .ok_or_else(|| OAuthError::InvalidRequest(format!("the parameter {name} is missing")))
    }

    /// Who asks, from the header or from the form.
    pub(super) fn client(
        &mut self,
        authorization: Option<&str>,
    ) -> Result<Option<ClientAuth>, OAuthError> {
        let (id, secret) = (self.take("client_id"), self.take("client_secret"));
        if let Some(header) = authorization {
            let client = basic(header).ok_or(OAuthError::InvalidClient(
                "the Authorization header is not Basic with an id and a secret",
            ))?;
            if secret.is_some() || id.is_some_and(|id| id != client.id) {
                return Err(OAuthError::InvalidRequest(
                    "the client says who it is in two ways".to_owned(),
                ));
            }
            return Ok(Some(client));
        }
        Ok(id.map(|id| ClientAuth {
            id,
            secret: Secret::new(secret.unwrap_or_default()),
        }))
    }
}

fn basic(header: &str) -> Option<ClientAuth> {
    let (scheme, encoded) = header.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (id, secret) = decoded.split_once(':')?;
    Some(ClientAuth {
        id: of_form(id)?,
        secret: Secret::new(of_form(secret)?),
    })
}

/// Undoes the encoding of forms. A secret of ours has neither `+` nor `%`, so one that was not encoded is
/// read as it is.
fn of_form(text: &str) -> Option<String> {
    let text = text.replace('+', " ");
    Some(percent_decode_str(&text).decode_utf8().ok()?.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> Vec<(String, String)> {
        let pairs = text.split('&').filter(|pair| !pair.is_empty());
        pairs
            .map(|pair| pair.split_once('=').unwrap())
            .map(|(n, v)| (n.to_owned(), v.to_owned()))
            .collect()
    }

    fn read(text: &str, header: Option<&str>) -> Result<Grant, &'static str> {
        Grant::read(&form(text), header).map_err(|error| error.word())
    }

    #[test]
    fn smctl_logs_in_by_header_and_by_form() {
        let by_header = read(
            "grant_type=password&username=admin&password=x",
            Some("Basic Y2Y6"),
        )
        .unwrap();
        let by_form = read(
            "grant_type=password&username=admin&password=x&client_id=cf",
            None,
        )
        .unwrap();
        for grant in [by_header, by_form] {
            let Grant::Password {
                user,
                password,
                client: Some(client),
                scope: None,
            } = grant
            else {
                panic!("{grant:?}");
            };
            assert_eq!((user.as_str(), password.expose().as_str()), ("admin", "x"));
            assert_eq!(
                (client.id.as_str(), client.secret.expose().as_str()),
                ("cf", "")
            );
        }
    }

    #[test]
    fn the_header_is_encoded_as_a_form() {
        // "a b:c%" as id and "p+:" as secret.
        let header = format!("basic {}", STANDARD.encode("a+b%3Ac%25:p%2B%3A"));
        let Ok(Grant::ClientCredentials { client, .. }) =
            read("grant_type=client_credentials", Some(&header))
        else {
            panic!();
        };
        assert_eq!(
            (client.id.as_str(), client.secret.expose().as_str()),
            ("a b:c%", "p+:")
        );
    }

    #[test]
    fn the_operator_logs_in_by_form() {
        let Ok(Grant::ClientCredentials { client, scope }) = read(
            "grant_type=client_credentials&client_id=op&client_secret=s&scope=admin",
            None,
        ) else {
            panic!();
        };
        assert_eq!(
            (client.id.as_str(), scope.as_deref()),
            ("op", Some("admin"))
        );
    }

    #[test]
    fn what_is_wrong_has_its_word() {
        for (text, header, word) in [
            ("", None, "invalid_request"),
            (
                "grant_type=authorization_code&code=1",
                None,
                "unsupported_grant_type",
            ),
            ("grant_type=password&username=a", None, "invalid_request"),
            (
                "grant_type=password&username=a&password=",
                None,
                "invalid_request",
            ),
            (
                "grant_type=password&username=a&username=b&password=c",
                None,
                "invalid_request",
            ),
            ("grant_type=client_credentials", None, "invalid_client"),
            (
                "grant_type=client_credentials",
                Some("Bearer x"),
                "invalid_client",
            ),
            (
                "grant_type=client_credentials",
                Some("Basic !"),
                "invalid_client",
            ),
            (
                "grant_type=client_credentials",
                Some("Basic YQ=="),
                "invalid_client",
            ),
            (
                "grant_type=client_credentials&client_id=a&client_secret=b",
                Some("Basic YTpi"),
                "invalid_request",
            ),
            (
                "grant_type=client_credentials&client_id=other",
                Some("Basic YTpi"),
                "invalid_request",
            ),
            ("grant_type=refresh_token", None, "invalid_request"),
        ] {
            assert_eq!(
                read(text, header).map(|_| ()),
                Err(word),
                "{text} {header:?}"
            );
        }
    }

    #[test]
    fn nothing_secret_is_printed() {
        let grant = read(
            "grant_type=password&username=admin&password=hunter2&client_id=c&client_secret=hunter3",
            None,
        );
        let printed = format!("{grant:?}");
        assert!(!printed.contains("hunter"), "{printed}");
    }
}
