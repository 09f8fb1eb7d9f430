//! Typed ids of the manager's resources.
//!
//! The rule: an id that exists can be stored, logged and put into one segment of a path, so nobody
//! downstream checks again. Ids that platforms chose by the OSB protocol (instances, bindings) may hold
//! anything printable; the manager's own exclude what a path reserves.

use std::fmt;

/// Longest id in bytes.
pub const MAX_ID_BYTES: usize = 255;

const RESERVED: &str = ":/?#[]@!$&'()*+,;=%\\ ";

/// Why a text is no id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadId {
    /// The empty string.
    #[error("{0} must not be empty")]
    Empty(&'static str),
    /// Longer than [`MAX_ID_BYTES`] (1024 for ids that platforms choose).
    #[error("{0} is too long")]
    TooLong(&'static str),
    /// A line break, a NUL or the like.
    #[error("{0} must not contain control characters")]
    Control(&'static str),
    /// A character that has a meaning in a path.
    #[error("{0} must not contain any of : / ? # [ ] @ ! $ & ' ( ) * + , ; = % \\ or a space")]
    Reserved(&'static str),
}

fn strict(label: &'static str, text: &str) -> Result<(), BadId> {
    if text.len() > MAX_ID_BYTES {
        return Err(BadId::TooLong(label));
    }
    lax(label, text)?;
    if text.chars().any(|c| RESERVED.contains(c)) {
        return Err(BadId::Reserved(label));
    }
    Ok(())
}

fn lax(label: &'static str, text: &str) -> Result<(), BadId> {
    if text.is_empty() {
        Err(BadId::Empty(label))
    } else if text.len() > quartermaster_osb::id::MAX_ID_BYTES {
        Err(BadId::TooLong(label))
    } else if text.chars().any(char::is_control) {
        Err(BadId::Control(label))
    } else {
        Ok(())
    }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $label:literal, $check:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Takes a text that keeps the rule.
            ///
            /// # Errors
            /// What is wrong with it.
            pub fn new(text: impl Into<String>) -> Result<Self, BadId> {
                let text = text.into();
                $check($label, &text)?;
                Ok(Self(text))
            }

            /// Takes what the store gives back: it was checked when it went in.
            pub fn stored(text: String) -> Self {
                Self(text)
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }
    };
}

id!(
    /// A registered broker.
    BrokerId, "id", strict
);
id!(
    /// A registered platform.
    PlatformId, "id", strict
);
id!(
    /// A visibility.
    VisibilityId, "id", strict
);
id!(
    /// The manager's own id of an offering; the broker's is its catalog id.
    OfferingId, "id", strict
);
id!(
    /// The manager's own id of a plan; the broker's is its catalog id.
    PlanId, "id", strict
);
id!(
    /// An instance; chosen by a platform, or by the manager for its own.
    InstanceId, "instance_id", lax
);
id!(
    /// A binding; chosen by a platform, or by the manager for its own.
    BindingId, "binding_id", lax
);
id!(
    /// An operation.
    OperationId, "id", strict
);
id!(
    /// An event in the outbox; its revision is another thing.
    EventId, "id", strict
);
id!(
    /// A broker-platform credential.
    CredentialId, "id", strict
);
id!(
    /// A grant to refer to a shared instance.
    ShareId, "id", strict
);
id!(
    /// A user of the built-in issuer.
    UserId, "id", strict
);
id!(
    /// A client of the built-in issuer, also its `client_id`.
    ClientId, "client_id", strict
);

impl PlatformId {
    /// The platform that the manager itself is.
    pub fn manager() -> Self {
        Self("service-manager".to_owned())
    }

    /// Whether this is the manager's own.
    pub fn is_manager(&self) -> bool {
        self.0 == "service-manager"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_ids_fit_one_segment_of_a_path() {
        assert!(PlatformId::new("cf-eu10.prod_1~x").is_ok());
        for bad in [
            ":", "/", "?", "#", "[", "]", "@", "!", "$", "&", "'", "(", ")", "*", "+", ",", ";",
            "=",
        ] {
            assert_eq!(
                PlatformId::new(format!("a{bad}b")),
                Err(BadId::Reserved("id")),
                "{bad}"
            );
        }
        assert_eq!(PlatformId::new(""), Err(BadId::Empty("id")));
        assert_eq!(PlatformId::new("a\nb"), Err(BadId::Control("id")));
        assert_eq!(PlatformId::new("x".repeat(256)), Err(BadId::TooLong("id")));
    }

    #[test]
    fn ids_of_platforms_are_opaque() {
        assert!(InstanceId::new("a/b c?").is_ok());
        assert!(InstanceId::new("x".repeat(1024)).is_ok());
        assert_eq!(
            InstanceId::new("x".repeat(1025)),
            Err(BadId::TooLong("instance_id"))
        );
    }
}
