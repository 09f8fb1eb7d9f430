//! What goes into the `Authorization` header of a call.
//!
//! A [`Peer`](crate::peer::Peer) has one, made from the broker's registration. The rule: the header is marked
//! as sensitive as soon as it exists, so that nothing that prints headers prints it.

mod grant;
mod token;

use crate::RelayError;
use crate::client::HttpClient;
use crate::exchange::Limits;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use grant::Grant;
use http::HeaderValue;
use qm_model::broker::Auth;

pub(crate) enum Authorization {
    /// None: the client certificate speaks.
    Absent,
    /// The same every time.
    Fixed(HeaderValue),
    /// A token that has to be fetched.
    Fetched(Box<Grant>),
}

/// What to send.
pub(crate) struct Presented {
    /// The header, if any.
    pub(crate) header: Option<HeaderValue>,
    /// It was fetched for an earlier call, so the broker may not take it any more.
    pub(crate) kept: bool,
}

impl Authorization {
    pub(crate) fn new(auth: &Auth) -> Result<Self, RelayError> {
        Ok(match auth {
            Auth::None => Self::Absent,
            Auth::Basic { username, password } => {
                if username.contains(':') {
                    return Err(RelayError::invalid(
                        "the user name of basic credentials must not contain a colon",
                    ));
                }
                Self::Fixed(basic(username, password.expose())?)
            }
            Auth::Bearer { token } => Self::Fixed(bearer(token.expose()).ok_or_else(|| {
                RelayError::invalid("the bearer token has characters that a header cannot carry")
            })?),
            Auth::OAuth2 {
                token_url,
                client_id,
                client_secret,
                scope,
            } => Self::Fetched(Box::new(Grant::new(
                token_url,
                client_id,
                client_secret.expose(),
                scope,
            )?)),
        })
    }

    /// The header for a call. `refused`: the one that the broker has just not taken.
    pub(crate) async fn present(
        &self,
        client: &HttpClient,
        limits: &Limits,
        refused: Option<&HeaderValue>,
    ) -> Result<Presented, RelayError> {
        match self {
            Self::Absent => Ok(Presented {
                header: None,
                kept: false,
            }),
            Self::Fixed(header) => Ok(Presented {
                header: Some(header.clone()),
                kept: false,
            }),
            Self::Fetched(grant) => {
                let presented = grant.present(client, limits, refused).await;
                presented.map_err(|error| RelayError::Token(Box::new(error)))
            }
        }
    }
}

fn basic(user: &str, password: &str) -> Result<HeaderValue, RelayError> {
    sensitive("Basic ", &STANDARD.encode(format!("{user}:{password}")))
        .ok_or_else(|| RelayError::invalid("the basic credentials are too long for a header"))
}

fn bearer(token: &str) -> Option<HeaderValue> {
    sensitive("Bearer ", token)
}

fn sensitive(scheme: &str, value: &str) -> Option<HeaderValue> {
    let mut header = HeaderValue::from_str(&format!("{scheme}{value}")).ok()?;
    header.set_sensitive(true);
    Some(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_made_and_do_not_print() {
        let header = basic("user", "hunter2").unwrap();
        assert_eq!(header.to_str().unwrap(), "Basic dXNlcjpodW50ZXIy");
        assert_eq!(format!("{header:?}"), "Sensitive");
        assert_eq!(
            bearer("hunter2").unwrap().to_str().unwrap(),
            "Bearer hunter2"
        );
    }

    #[test]
    fn what_no_header_can_carry_is_refused_unquoted() {
        let bad = [
            Auth::Bearer {
                token: "hunter2\n".to_owned().into(),
            },
            Auth::Basic {
                username: "a:b".to_owned(),
                password: "hunter2".to_owned().into(),
            },
        ];
        for auth in bad {
            let Err(error) = Authorization::new(&auth) else {
                panic!("{auth:?} was taken");
            };
            assert_eq!(error.status(), 400);
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
    }
}
