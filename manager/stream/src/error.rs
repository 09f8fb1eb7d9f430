//! Why a subscription was not given. The door answers 410 or 503 from it.

/// Why a subscription was not given.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SubscribeError {
    /// What follows the revision is not known, no longer kept or too much: read everything anew.
    #[error("the notifications after this revision cannot be given; read everything anew")]
    Gone,
    /// The store does not answer: come again later.
    #[error("notifications are not available now; try again")]
    Unavailable(#[source] Option<qm_store::Error>),
    /// The stream is being stopped: go to another replica or come again later.
    #[error("notifications are being stopped; try again")]
    Stopping,
}

impl From<SubscribeError> for qm_model::Error {
    fn from(error: SubscribeError) -> Self {
        match error {
            SubscribeError::Gone => Self::Gone(error.to_string()),
            SubscribeError::Unavailable(_) | SubscribeError::Stopping => {
                Self::unavailable(error.to_string(), error)
            }
        }
    }
}
