//! What a token endpoint may answer beside a token (RFC 6749 §5.2). Doors write it as
//! `{"error": word, "error_description": text}`.

use qm_model::Error;

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub enum OAuthError {
    /// A parameter is missing, comes twice, or makes no sense.
    #[error("{0}")]
    InvalidRequest(String),
    /// The client is not known or its secret is wrong.
    #[error("{0}")]
    InvalidClient(&'static str),
    /// The password or the refresh token is wrong, used or expired.
    #[error("{0}")]
    InvalidGrant(&'static str),
    /// No such grant here.
    #[error("{0}")]
    UnsupportedGrantType(&'static str),
    /// There is nothing that a browser could be sent to.
    #[error("{0}")]
    UnsupportedResponseType(&'static str),
    /// A scope that there is not, or that the user does not have.
    #[error("{0}")]
    InvalidScope(String),
    /// Such a token cannot be revoked.
    #[error("{0}")]
    UnsupportedTokenType(&'static str),
    /// Nothing about the request: too many tries, the store is away.
    #[error(transparent)]
    Other(#[from] Error),
}

impl OAuthError {
    /// The `error` word on the wire.
    pub fn word(&self) -> &'static str {
        match self {
            Self::InvalidRequest(_) => "invalid_request",
            Self::InvalidClient(_) => "invalid_client",
            Self::InvalidGrant(_) => "invalid_grant",
            Self::UnsupportedGrantType(_) => "unsupported_grant_type",
            Self::UnsupportedResponseType(_) => "unsupported_response_type",
            Self::InvalidScope(_) => "invalid_scope",
            Self::UnsupportedTokenType(_) => "unsupported_token_type",
            Self::Other(error) if error.status() < 500 => "invalid_request",
            Self::Other(Error::Unavailable { .. }) => "temporarily_unavailable",
            Self::Other(_) => "server_error",
        }
    }

    /// The HTTP code.
    pub fn status(&self) -> u16 {
        match self {
            Self::InvalidClient(_) => 401,
            Self::Other(error) => error.status(),
            Self::InvalidRequest(_)
            | Self::InvalidGrant(_)
            | Self::UnsupportedGrantType(_)
            | Self::UnsupportedResponseType(_)
            | Self::InvalidScope(_)
            | Self::UnsupportedTokenType(_) => 400,
        }
    }
}

/// So that a grant can write inside one closure and refuse from there; a refusal undoes what was written.
impl From<qm_store::Error> for OAuthError {
    fn from(error: qm_store::Error) -> Self {
        Self::Other(error.into())
    }
}
