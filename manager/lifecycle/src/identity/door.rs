//! A platform logs in at a broker's door: with its own pair, or with the one that its agent made for that broker. The
//! OSB doors call it for every request.
//!
//! The rule: a pair for one broker is nothing at another's door. Current and old pair are equally good until the current
//! one is activated. After its first call a pair of either kind costs the same: it is remembered until the platform or
//! the credential changes or the broker goes, and a wrong one likewise.

use super::basic::{caller, has, mark, wrong};
use super::{agent_password, pairs};
use crate::Lifecycle;
use crate::views::{Of, Since};
use qm_model::credential::{Credential, Pair};
use qm_model::ctx::PlatformCaller;
use qm_model::id::BrokerId;
use qm_model::platform::Platform;
use qm_model::{Caller, Error};
use qm_store::{credential, platform};

/// Who the pair belongs to at this broker's door. Whether there is such a broker is not asked here.
///
/// # Errors
/// 401 when it belongs to nobody; 503 when too many guesses at the same credential wait; what the store says.
pub async fn door(
    deeds: &Lifecycle,
    broker: &str,
    username: &str,
    password: &str,
) -> Result<Caller, Error> {
    let pairs = &deeds.identity.pairs;
    let stamps = &deeds.memory.stamps;
    let proof = pairs.proof(username, password);
    if let Some(known) = remembered(deeds, proof, broker) {
        return known.map(Caller::Platform);
    }
    let since = stamps.now();
    let found = read(deeds, broker, username).await?;
    if has(found.own.as_ref(), password)
        && let Some((platform, _)) = found.own
    {
        let mark = mark(deeds, since, &platform);
        let caller = caller(deeds, platform, username);
        pairs.put_right(proof, None, caller.clone(), mark);
        return Ok(Caller::Platform(caller));
    }
    let Some((credential, pair, platform)) = found.made else {
        agent_password::in_vain(&deeds.identity, password).await?;
        return Err(wrong());
    };
    let turn = deeds.identity.lines.wait(credential.id.as_str()).await?;
    if let Some(known) = remembered(deeds, proof, broker) {
        return known.map(Caller::Platform);
    }
    let right =
        agent_password::is_right(&deeds.identity, &turn, password, &pair.password_hash).await?;
    let mark = depends(deeds, since, &credential);
    if !right {
        pairs.put_wrong(proof, broker, mark);
        return Err(wrong());
    }
    let caller = caller(deeds, platform, username);
    pairs.put_right(proof, Some(broker), caller.clone(), mark);
    Ok(Caller::Platform(caller))
}

/// What is known of the pair, if anything is.
fn remembered(
    deeds: &Lifecycle,
    proof: Option<pairs::Proof>,
    broker: &str,
) -> Option<Result<PlatformCaller, Error>> {
    let pairs = &deeds.identity.pairs;
    let stamps = &deeds.memory.stamps;
    let known = pairs
        .right(proof, None, stamps)
        .or_else(|| pairs.right(proof, Some(broker), stamps));
    match known {
        Some(known) => Some(Ok(known)),
        None => pairs.wrong(proof, broker, stamps).then(|| Err(wrong())),
    }
}

/// Whose user a name is.
struct Found {
    /// That of a platform's own pair.
    own: Option<(Platform, platform::Stored)>,
    /// That of a pair which an agent made for the broker.
    made: Option<(Credential, Pair, Platform)>,
}

async fn read(deeds: &Lifecycle, broker: &str, username: &str) -> Result<Found, Error> {
    let (broker, username) = (BrokerId::new(broker).ok(), username.to_owned());
    deeds
        .store
        .read(async move |tx| {
            let own = platform::by_username(tx, &username).await?;
            let Some(broker) = &broker else {
                return Ok(Found { own, made: None });
            };
            let made = match credential::by_username(tx, broker, &username).await? {
                None => None,
                Some((credential, is_old)) => {
                    let platform = platform::get_any(tx, credential.platform_id.as_str()).await?;
                    let pair = match is_old {
                        true => credential.old.clone(),
                        false => Some(credential.current.clone()),
                    };
                    pair.zip(platform)
                        .map(|(pair, platform)| (credential, pair, platform))
                }
            };
            Ok::<_, Error>(Found { own, made })
        })
        .await
}

/// What a pair for a broker depends on.
fn depends(deeds: &Lifecycle, since: Since, credential: &Credential) -> crate::views::Mark {
    let parts = [
        Of::Platform(credential.platform_id.as_str()),
        Of::Credential(credential.id.as_str()),
        Of::Gone(credential.broker_id.as_str()),
    ];
    deeds.memory.stamps.mark(since, parts)
}
