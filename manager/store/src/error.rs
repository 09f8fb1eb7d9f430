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
    /// The lease on an operation was lost: another has taken it over, or it has ended. Stop working on it.
    #[error("the lease on the operation is lost")]
    Fenced,
    /// A text holds the character NUL, which PostgreSQL cannot keep. Refused on both engines.
    #[error("a text holds the character NUL, which cannot be stored")]
    Nul,
    /// What is stored is not what this version writes.
    #[error("{table} holds something of unknown form in {column}")]
    Form {
        /// Where.
        table: &'static str,
        /// Which column.
        column: &'static str,
    },
}

impl Error {
    /// Whether the same call may succeed when it is made again. After [`is_unsure`](Self::is_unsure) it may also turn
    /// out to have succeeded already.
    pub fn passes(&self) -> bool {
        matches!(self, Self::Database(error) if error.retryable()) || self.is_unsure()
    }

    /// Whether nobody can say if it was done: the connection was lost during the commit.
    pub fn is_unsure(&self) -> bool {
        matches!(self, Self::Database(qm_db::Error::Unknown))
    }
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
            Error::Nul => Self::invalid(error.to_string()),
            Error::Fenced => Self::unavailable(
                "the operation took so long that another replica has taken it over; look at the operation",
                error,
            ),
            // Deeds look first and say what exactly is in the way; this is for who was quicker since.
            Error::Database(Db::Unique { .. }) => Self::Conflict {
                word: "Conflict",
                message: "another one with the same name or id was stored at the same time"
                    .to_owned(),
            },
            Error::Database(Db::ForeignKey { .. }) => Self::in_use(
                "something that this depends on was removed at the same time, or others depend on it",
            ),
            _ => Self::internal(error),
        }
    }
}
