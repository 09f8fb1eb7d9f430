//! How far work is, for whoever goes on with it. What clients see is the state.

/// How far work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Stored, and nobody was called yet: whoever takes it up begins.
    Queued,
    /// What depends on it goes first.
    Cascading,
    /// Stored; what follows may have begun or not.
    Intent,
    /// The broker works on it.
    Polling,
    /// What we were creating must be deleted again.
    Mitigating,
    /// Ended; nothing is left to do.
    Done,
}

impl Phase {
    const ALL: [Self; 6] = [
        Self::Queued,
        Self::Cascading,
        Self::Intent,
        Self::Polling,
        Self::Mitigating,
        Self::Done,
    ];

    /// The word in the store.
    pub fn word(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Cascading => "cascading",
            Self::Intent => "intent",
            Self::Polling => "polling",
            Self::Mitigating => "mitigating",
            Self::Done => "done",
        }
    }

    /// The phase with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.word() == word)
    }
}
