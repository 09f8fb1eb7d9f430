//! What the store can say, and what a caller of the manager hears of it.

use qm_db::seal::SealError;

/// Why the store did not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The database said no.
    #[error("the store did not answer as it should")]
    Database(#[from] qm_db::Error),
    /// What is stored cannot be opened with the keys at hand.
    #[error("a stored secret cannot be opened with the keys at hand")]
    Sealed(#[from] SealError),
    /// The keys at hand are not those the store was made with.
    #[error("the store was sealed with other keys: give the key file or QM_KEYS it was made with")]
    OtherKeys,
    /// What is stored is not what this version writes.
    #[error("{table} holds something of unknown form in {column}")]
    Form {
        /// Where.
        table: &'static str,
        /// Which column.
        column: &'static str,
    },
}

impl From<Error> for qm_model::Error {
    fn from(error: Error) -> Self {
        use qm_db::Error as Db;
        match &error {
            Error::Database(Db::Busy { .. } | Db::Unavailable { .. } | Db::Unknown) => {
                Self::unavailable("the store does not answer now; try again", error)
            }
            Error::Database(Db::Full) => Self::unavailable(
                "the store's disk is full; nothing was changed. Make room and try again",
                error,
            ),
            _ => Self::internal(error),
        }
    }
}
