//! From the claims of a token whose signature is good to the person it stands for. The identity deeds call
//! it for external issuers and for the built-in one.
//!
//! The rule: what a token does not say it does not grant. No known role is no role, an issuer with tenants
//! never makes somebody without one, and a claim of the wrong form is a refusal.

use qm_model::Time;
use qm_model::ctx::Person;
use qm_model::identity::Role;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How far two clocks may be apart.
pub const LEEWAY: Duration = Duration::from_secs(60);

/// Longest subject, name or tenant that is taken over from a token, in bytes.
const LONGEST: usize = 255;

/// An issuer that is trusted, and how its tokens are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issuer {
    /// Where it is, which is also what its tokens have as `iss`.
    pub url: String,
    /// Its tokens must be meant for this audience, when set.
    pub audience: Option<String>,
    /// Which claim grants roles, and how.
    pub roles: RoleRule,
    /// Its callers are confined to the tenant that this claim names. A token without it is refused.
    pub tenant_claim: Option<String>,
    /// What to call a person in logs; the subject when a token has no such claim.
    pub name_claim: String,
}

/// How roles come out of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleRule {
    /// The claim: a text with words, or a list of texts. `a.b` also means `b` inside `a`.
    pub claim: String,
    /// Which word grants which roles. A word that is not here grants none.
    pub grants: BTreeMap<String, BTreeSet<Role>>,
}

impl Issuer {
    /// Whether this is what its tokens have as `iss`. A slash at the end is the most frequent difference
    /// between what is configured and what is in tokens.
    pub fn is(&self, iss: &str) -> bool {
        iss.trim_end_matches('/') == self.url.trim_end_matches('/')
    }
}

/// A token that stands for somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// Who that is.
    pub person: Person,
    /// Until when, without leeway.
    pub expires_at: Time,
}

/// Why a token stands for nobody. The text is for its bearer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Another issuer's.
    #[error("the token is of another issuer")]
    Issuer,
    /// Its time is over.
    #[error("the token expired at {0}")]
    Expired(Time),
    /// Its time has not come.
    #[error("the token is not valid before {0}; are the clocks right?")]
    Early(Time),
    /// Meant for somebody else.
    #[error("the token is not meant for this Service Manager (claim aud)")]
    Audience,
    /// A claim is missing or of the wrong form.
    #[error("the token's claim {0:?} is missing or of the wrong form")]
    Claim(String),
}

/// Reads the claims of a token whose signature is good.
///
/// # Errors
/// Why it stands for nobody.
pub fn read(issuer: &Issuer, claims: &Map<String, Value>, now: Time) -> Result<Verified, Refusal> {
    if !issuer.is(text(claims, "iss")?) {
        return Err(Refusal::Issuer);
    }
    let expires_at = moment(claims, "exp")?.ok_or_else(|| wrong("exp"))?;
    if expires_at.plus(LEEWAY) <= now {
        return Err(Refusal::Expired(expires_at));
    }
    if let Some(begins) = moment(claims, "nbf")?
        && begins.minus(LEEWAY) > now
    {
        return Err(Refusal::Early(begins));
    }
    if let Some(wanted) = &issuer.audience
        && !meant_for(claims, wanted)
    {
        return Err(Refusal::Audience);
    }
    let subject = text(claims, "sub")?;
    Ok(Verified {
        person: Person {
            subject: subject.to_owned(),
            name: text(claims, &issuer.name_claim)
                .unwrap_or(subject)
                .to_owned(),
            issuer: issuer.url.clone(),
            roles: roles(&issuer.roles, claims),
            tenant: match &issuer.tenant_claim {
                None => None,
                Some(claim) => Some(text(claims, claim)?.to_owned()),
            },
        },
        expires_at,
    })
}

/// The roles that the claim grants: none when it is absent or of another form.
fn roles(rule: &RoleRule, claims: &Map<String, Value>) -> BTreeSet<Role> {
    let words: Vec<&str> = match at(claims, &rule.claim) {
        Some(Value::String(words)) => words.split_whitespace().collect(),
        Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    words
        .into_iter()
        .filter_map(|word| rule.grants.get(word))
        .flatten()
        .copied()
        .collect()
}

/// A claim by its name, or by a path of names with points between.
fn at<'c>(claims: &'c Map<String, Value>, name: &str) -> Option<&'c Value> {
    if let Some(found) = claims.get(name) {
        return Some(found);
    }
    let (first, rest) = name.split_once('.')?;
    at(claims.get(first)?.as_object()?, rest)
}

/// A claim that must be a text fit for logs.
fn text<'c>(claims: &'c Map<String, Value>, name: &str) -> Result<&'c str, Refusal> {
    at(claims, name)
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty() && text.len() <= LONGEST)
        .filter(|text| !text.chars().any(char::is_control))
        .ok_or_else(|| wrong(name))
}

/// A claim that, when there, must be seconds since 1970, whole or not.
fn moment(claims: &Map<String, Value>, name: &str) -> Result<Option<Time>, Refusal> {
    let Some(value) = claims.get(name) else {
        return Ok(None);
    };
    if let Some(seconds) = value.as_i64() {
        return Ok(Some(Time(seconds.saturating_mul(1000))));
    }
    match value.as_f64() {
        // Beyond this a number of seconds is no date, and not exact either.
        Some(seconds) if seconds.abs() < 1e15 => {
            #[expect(clippy::cast_possible_truncation, reason = "bounded above")]
            let millis = (seconds * 1000.0) as i64;
            Ok(Some(Time(millis)))
        }
        _ => Err(wrong(name)),
    }
}

fn meant_for(claims: &Map<String, Value>, wanted: &str) -> bool {
    match claims.get("aud") {
        Some(Value::String(one)) => one == wanted,
        Some(Value::Array(many)) => many.iter().any(|one| one.as_str() == Some(wanted)),
        _ => false,
    }
}

fn wrong(claim: &str) -> Refusal {
    Refusal::Claim(claim.to_owned())
}
