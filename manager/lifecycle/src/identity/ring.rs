//! The keys of the built-in issuer: made on first use, stored sealed, shared by all replicas, renewed when
//! old. `issue` signs with them, `bearer` verifies, `jwks` publishes.
//!
//! The rule: one key signs; those that signed before verify until the last token they signed has expired.
//! A replica may sign with a retired key for as long as it has not looked ([`FRESH`]); that is part of the
//! count.

use super::jwt::Jwt;
use super::keyset::Keyset;
use super::{BUILT_IN, Issuer, RoleRule, account, own_permit, unauthenticated};
use crate::Lifecycle;
use arc_swap::ArcSwapOption;
use aws_lc_rs::encoding::{AsDer as _, Pkcs8V1Der};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use qm_model::identity::Role;
use qm_model::{Error, Secret, Time};
use qm_policy::token::{self, LEEWAY, Verified};
use qm_store::signing_key::{self, SigningKey};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// After which the store is asked again what keys there are.
const FRESH: Duration = Duration::from_secs(60);
/// The same when a token names a key that is not known: another replica may just have made it.
const SOON: Duration = Duration::from_secs(1);

/// What tokens of ours have as `aud`.
pub(super) const AUDIENCE: &str = "service-manager";
/// What tokens of ours have as `typ`.
pub(super) const KIND: &str = "at+jwt";

/// The last look at the keys.
#[derive(Default)]
pub(super) struct Rings {
    ring: ArcSwapOption<Ring>,
    /// Whoever asks the store holds it, so that many who need the same look do it once.
    looking: tokio::sync::Mutex<()>,
    /// Whoever makes a key holds it: one at a time is enough work.
    making: tokio::sync::Mutex<()>,
}

/// All keys that count, as of one look.
pub(super) struct Ring {
    signer: Option<Signer>,
    keys: Keyset,
    published: Vec<Value>,
    looked_at: Time,
}

struct Signer {
    id: String,
    pair: RsaKeyPair,
    made_at: Time,
}

/// Whom a token of ours stands for.
pub(super) async fn verify(deeds: &Lifecycle, jwt: &Jwt<'_>) -> Result<Verified, Error> {
    let mut ring = look(deeds, FRESH).await?;
    if ring.keys.candidates(jwt).is_empty() {
        ring = look(deeds, SOON).await?;
    }
    let ours = jwt.kind.as_deref() == Some(KIND) && jwt.key_id.is_some();
    if !ours
        || !ring
            .keys
            .candidates(jwt)
            .into_iter()
            .any(|key| jwt.signed_by(key))
    {
        return Err(unauthenticated(
            "the token's signature is wrong, or its issuer is not trusted here",
        ));
    }
    let mut verified = token::read(&rules(deeds, jwt), &jwt.claims, deeds.now())
        .map_err(|refusal| unauthenticated(refusal.to_string()))?;
    // One user is one caller, under whatever address the token was asked for.
    BUILT_IN.clone_into(&mut verified.person.issuer);
    account::hold(deeds, jwt, verified).await
}

/// How a token that we signed is read. It has a tenant when the user has one, and without a configured name it names us
/// as we were reached when it was asked for; our signature vouches for both.
fn rules(deeds: &Lifecycle, jwt: &Jwt<'_>) -> Issuer {
    let configured = deeds.settings.identity.public_url.as_deref();
    let grants = Role::ALL.map(|role| (role.word().to_owned(), BTreeSet::from([role])));
    Issuer {
        url: configured.or(jwt.issuer()).unwrap_or_default().to_owned(),
        audience: Some(AUDIENCE.to_owned()),
        roles: RoleRule {
            claim: "roles".to_owned(),
            grants: grants.into(),
        },
        tenant_claim: jwt
            .claims
            .contains_key("tenant")
            .then(|| "tenant".to_owned()),
        name_claim: "user_name".to_owned(),
    }
}

/// The keys, with one that may sign; made if need be.
pub(super) async fn signing(deeds: &Lifecycle) -> Result<Arc<Ring>, Error> {
    let ring = look(deeds, FRESH).await?;
    if ring.may_sign(deeds) {
        return Ok(ring);
    }
    let _one = deeds.identity.rings.making.lock().await;
    let ring = look(deeds, Duration::ZERO).await?;
    if ring.may_sign(deeds) {
        return Ok(ring);
    }
    make(deeds).await?;
    look(deeds, Duration::ZERO).await
}

impl Ring {
    /// A token with these claims.
    pub(super) fn sign(&self, claims: &Map<String, Value>) -> Result<Secret<String>, Error> {
        let Some(Signer {
            id,
            pair,
            made_at: _,
        }) = &self.signer
        else {
            return Err(Error::internal("there is no signing key"));
        };
        let header = json!({"alg": "RS256", "typ": KIND, "kid": id});
        let claims = serde_json::to_vec(claims).map_err(Error::internal)?;
        let encode = |part: &[u8]| URL_SAFE_NO_PAD.encode(part);
        let signed = format!(
            "{}.{}",
            encode(header.to_string().as_bytes()),
            encode(&claims)
        );
        let mut signature = vec![0; pair.public_modulus_len()];
        pair.sign(
            &RSA_PKCS1_SHA256,
            &SystemRandom::new(),
            signed.as_bytes(),
            &mut signature,
        )
        .map_err(Error::internal)?;
        Ok(Secret::new(format!("{signed}.{}", encode(&signature))))
    }

    /// The public halves, as JWKs.
    pub(super) fn published(&self) -> &[Value] {
        &self.published
    }

    fn may_sign(&self, deeds: &Lifecycle) -> bool {
        let signer = self.signer.as_ref();
        signer.is_some_and(|signer| {
            deeds.now().since(signer.made_at) < deeds.settings.identity.key_age
        })
    }
}

/// What keys there are, from a look that is at most so old. While the store is away the last look counts.
async fn look(deeds: &Lifecycle, oldest: Duration) -> Result<Arc<Ring>, Error> {
    if let Some(ring) = looked(deeds, oldest) {
        return Ok(ring);
    }
    let _one = deeds.identity.rings.looking.lock().await;
    if let Some(ring) = looked(deeds, oldest) {
        return Ok(ring);
    }
    let now = deeds.now();
    let last = deeds.identity.rings.ring.load_full();
    let read = deeds
        .store
        .read(async |tx| Ok::<_, Error>(signing_key::all(tx).await?))
        .await;
    let ring = match (read, last) {
        (Ok(keys), _) => Arc::new(open(deeds, keys, now)?),
        (Err(Error::Unavailable { .. }), Some(last)) if !oldest.is_zero() => return Ok(last),
        (Err(error), _) => return Err(error),
    };
    deeds.identity.rings.ring.store(Some(ring.clone()));
    Ok(ring)
}

/// The last look, if it is at most so old.
fn looked(deeds: &Lifecycle, oldest: Duration) -> Option<Arc<Ring>> {
    let now = deeds.now();
    let ring = deeds.identity.rings.ring.load_full()?;
    (ring.looked_at <= now && now.since(ring.looked_at) < oldest).then_some(ring)
}

fn open(deeds: &Lifecycle, stored: Vec<SigningKey>, now: Time) -> Result<Ring, Error> {
    let kept = kept_until(deeds, now);
    let mut signer = None;
    let mut published = Vec::new();
    for key in stored {
        let SigningKey {
            id,
            private,
            public,
            created_at,
            retired_at,
        } = key;
        if retired_at.is_some_and(|at| at < kept) {
            continue;
        }
        published.push(serde_json::from_str(&public).map_err(Error::internal)?);
        if retired_at.is_none() && signer.is_none() {
            signer = Some(Signer {
                id,
                pair: RsaKeyPair::from_pkcs8(private.expose()).map_err(Error::internal)?,
                made_at: created_at,
            });
        }
    }
    Ok(Ring {
        signer,
        keys: Keyset::from_values(&published),
        published,
        looked_at: now,
    })
}

/// A key that was retired before this moment has no token left that is good.
pub(super) fn kept_until(deeds: &Lifecycle, now: Time) -> Time {
    let settings = &deeds.settings.identity;
    now.minus(settings.access_token_age)
        .minus(LEEWAY)
        .minus(FRESH)
}

/// Makes a key and stores it, unless another replica was quicker.
async fn make(deeds: &Lifecycle) -> Result<(), Error> {
    let id = deeds.fresh();
    let now = deeds.now();
    let key = tokio::task::spawn_blocking(move || generate(id, now))
        .await
        .map_err(Error::internal)??;
    let too_old = now.minus(deeds.settings.identity.key_age);
    let permit = own_permit(deeds, &deeds.fresh())?;
    let id = key.id.clone();
    let ours = deeds
        .store
        .change(&permit, async move |tx| {
            let current = signing_key::current(tx).await?;
            if current.is_some_and(|current| current.created_at > too_old) {
                return Ok(false);
            }
            signing_key::insert(tx, &key).await?;
            Ok::<_, Error>(true)
        })
        .await?;
    if ours {
        tracing::info!(
            key = id,
            "a new key signs the tokens of the built-in issuer"
        );
    }
    Ok(())
}

/// A second or less of work for a core.
fn generate(id: String, now: Time) -> Result<SigningKey, Error> {
    let pair = RsaKeyPair::generate(KeySize::Rsa2048).map_err(Error::internal)?;
    let private: Pkcs8V1Der<'_> = pair.as_der().map_err(Error::internal)?;
    let encode = |number: &[u8]| URL_SAFE_NO_PAD.encode(number);
    let public = pair.public_key();
    let public = json!({
        "kty": "RSA",
        "use": "sig",
        "alg": "RS256",
        "kid": id,
        "n": encode(public.modulus().big_endian_without_leading_zero()),
        "e": encode(public.exponent().big_endian_without_leading_zero()),
    });
    Ok(SigningKey {
        id,
        private: Secret::new(private.as_ref().to_vec()),
        public: public.to_string(),
        created_at: now,
        retired_at: None,
    })
}
