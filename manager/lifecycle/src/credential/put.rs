//! A platform's agent has made a new pair for a broker; the old one stays valid until it says it uses the new.

use crate::Lifecycle;
use qm_model::audit::{Entry, Outcome};
use qm_model::broker::Broker;
use qm_model::credential::{Credential, Pair};
use qm_model::event::Event;
use qm_model::id::{BrokerId, CredentialId, EventId, PlatformId};
use qm_model::{Ctx, Error, Kind, Secret};
use qm_policy::Scope;
use qm_store::{audit, credential, outbox, resource};

/// A pair to be stored.
#[derive(Debug, Clone)]
pub struct NewCredential {
    /// For which broker.
    pub broker_id: String,
    /// The user.
    pub username: String,
    /// bcrypt of the password.
    pub password_hash: Secret<String>,
    /// The notification that made the agent do this.
    pub notification_id: Option<String>,
    /// Also over a pair in use.
    pub force: bool,
}

/// Stores a new pair.
///
/// # Errors
/// 400 for a notification that is not about this broker and platform, 404 for an unknown broker, 409 when an
/// active pair is there and neither a notification nor force says to replace it.
pub async fn put(deeds: &Lifecycle, ctx: &Ctx, new: NewCredential) -> Result<Credential, Error> {
    let permit = qm_policy::change(ctx, Kind::Credential, &deeds.settings.policy)?;
    let Scope::Platform {
        id: platform,
        tenant_key,
        ..
    } = permit.scope().clone()
    else {
        return Err(Error::Unauthenticated {
            message: "No authenticated user found: this needs a platform's Basic credentials"
                .to_owned(),
        });
    };
    check(&new)?;
    let (deeds2, ctx) = (deeds.clone(), ctx.clone());
    deeds
        .store
        .change(&permit, async move |tx| {
            let now = deeds2.now();
            // What it hears of it may log in for, whether or not it sees one of the plans already.
            let hears = Scope::Platform {
                id: platform.clone(),
                by_visibility: false,
                tenant_key: tenant_key.clone(),
            };
            let broker = resource::get::<Broker>(tx, &hears, &new.broker_id)
                .await?
                .filter(|broker| broker.meta.ready)
                .ok_or(Error::Missing(Kind::Broker))?;
            let notification_id = match &new.notification_id {
                None => None,
                Some(id) => {
                    let id = EventId::new(id.clone()).map_err(|_| wrong("there is no such notification"))?;
                    let event = outbox::by_id(tx, &id).await?;
                    about(event.as_ref(), &broker.id, &platform)?;
                    Some(id)
                }
            };
            let before = credential::of(tx, &platform, &broker.id).await?;
            if let Some(before) = &before
                && before.active
                && notification_id.is_none()
                && !new.force
            {
                return Err(Error::Conflict {
                    word: "CredentialsError",
                    message: "credentials for this broker are in use; send force=true or the notification's id to replace them".to_owned(),
                });
            }
            let pair = Pair {
                username: new.username.clone(),
                password_hash: new.password_hash.clone(),
            };
            let after = match before {
                None => Credential {
                    id: CredentialId::stored(deeds2.fresh()),
                    broker_id: broker.id.clone(),
                    platform_id: platform.clone(),
                    current: pair,
                    old: None,
                    notification_id,
                    active: false,
                    created_at: now,
                    updated_at: now,
                },
                Some(before) => replace(before, pair, notification_id, now),
            };
            if !credential::put(tx, &after).await? {
                return Err(Error::conflict(Kind::Credential, "the user name is taken for this broker"));
            }
            let entry = Entry::of(&ctx, now, "rotate", Some(Kind::Credential), after.id.as_str(), Outcome::Succeeded, format!("for broker {:?}", broker.name));
            audit::append(tx, &entry).await?;
            Ok(after)
        })
        .await
}

fn check(new: &NewCredential) -> Result<(), Error> {
    let hash = new.password_hash.expose();
    if new.broker_id.is_empty() || new.username.is_empty() || hash.is_empty() {
        return Err(Error::invalid(
            "broker_id, username and password_hash are needed",
        ));
    }
    if new.username.len() > 500 {
        return Err(Error::invalid("username must not be longer than 500 bytes"));
    }
    // A cost above 14 would let one platform buy seconds of our processor with every call.
    let cost = hash
        .strip_prefix("$2")
        .and_then(|rest| rest.get(2..4))
        .and_then(|cost| cost.parse::<u8>().ok());
    match cost {
        Some(4..=14) if hash.len() == 60 => Ok(()),
        Some(15..) if hash.len() == 60 => Err(Error::invalid(
            "password_hash: a bcrypt cost of 14 is the highest taken",
        )),
        _ => Err(Error::invalid(
            "password_hash must be a bcrypt hash of 60 characters",
        )),
    }
}

/// The current pair becomes the old one, unless it was never used and an old one is there: that is the one in use.
fn replace(
    before: Credential,
    pair: Pair,
    notification_id: Option<EventId>,
    now: qm_model::Time,
) -> Credential {
    let Credential {
        id,
        broker_id,
        platform_id,
        current,
        old,
        notification_id: _,
        active,
        created_at,
        updated_at: _,
    } = before;
    Credential {
        id,
        broker_id,
        platform_id,
        old: if active || old.is_none() {
            Some(current)
        } else {
            old
        },
        current: pair,
        notification_id,
        active: false,
        created_at,
        updated_at: now,
    }
}

/// Holds a notification to being about this broker, for this platform.
fn about(event: Option<&Event>, broker: &BrokerId, platform: &PlatformId) -> Result<(), Error> {
    let event = event.ok_or_else(|| wrong("there is no such notification"))?;
    if event.resource != Kind::Broker || event.resource_id != broker.as_str() {
        return Err(wrong("the notification is not about this broker"));
    }
    if !event.audience.includes(platform) {
        return Err(wrong("the notification is not for this platform"));
    }
    Ok(())
}

fn wrong(why: &str) -> Error {
    Error::Invalid {
        word: "CredentialsError",
        message: format!("notification_id: {why}"),
    }
}
