//! Claims to persons: what is granted, what is refused, and that nothing is granted by default.

use qm_model::Time;
use qm_model::identity::Role;
use qm_policy::token::{Issuer, Refusal, RoleRule, Verified, read};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

const NOW: Time = Time(1_700_000_000_000);
const NOW_SECONDS: i64 = 1_700_000_000;

fn issuer() -> Issuer {
    Issuer {
        url: "https://login.example".to_owned(),
        audience: None,
        roles: RoleRule {
            claim: "scope".to_owned(),
            grants: BTreeMap::from([
                ("sm.admin".to_owned(), BTreeSet::from([Role::Admin])),
                (
                    "sm.all".to_owned(),
                    BTreeSet::from([Role::Admin, Role::Purge]),
                ),
                ("sm.read".to_owned(), BTreeSet::from([Role::Viewer])),
            ]),
        },
        tenant_claim: None,
        name_claim: "user_name".to_owned(),
    }
}

/// Good claims with others put over them; null takes one away.
fn claims(more: Value) -> Map<String, Value> {
    let good = json!({"iss": "https://login.example", "sub": "u-1", "exp": NOW_SECONDS + 600});
    let (Value::Object(mut claims), Value::Object(more)) = (good, more) else {
        panic!();
    };
    claims.extend(more);
    claims.retain(|_, value| !value.is_null());
    claims
}

fn with(more: Value) -> Result<Verified, Refusal> {
    read(&issuer(), &claims(more), NOW)
}

/// Any valid token was an administrator; now a token has the roles it brings and no other.
#[test]
fn a_token_without_a_known_role_has_none() {
    for scope in [
        json!(null),
        json!(""),
        json!("openid"),
        json!("admin"),
        json!("SM.ADMIN"),
        json!(["openid", 7]),
        json!({"sm.admin": true}),
        json!(true),
    ] {
        let verified = with(json!({"scope": scope})).unwrap();
        assert_eq!(verified.person.roles, BTreeSet::new(), "{scope}");
    }
}

#[test]
fn roles_come_from_words_or_lists() {
    let admin = BTreeSet::from([Role::Admin]);
    assert_eq!(
        with(json!({"scope": "openid sm.admin"}))
            .unwrap()
            .person
            .roles,
        admin
    );
    assert_eq!(
        with(json!({"scope": ["openid", "sm.admin"]}))
            .unwrap()
            .person
            .roles,
        admin
    );
    assert_eq!(
        with(json!({"scope": "sm.read sm.all"}))
            .unwrap()
            .person
            .roles,
        BTreeSet::from([Role::Viewer, Role::Admin, Role::Purge])
    );
}

#[test]
fn a_claim_may_lie_inside_another() {
    let mut issuer = issuer();
    issuer.roles.claim = "realm_access.roles".to_owned();
    let claims = claims(json!({"realm_access": {"roles": ["sm.read"]}}));
    let verified = read(&issuer, &claims, NOW).unwrap();
    assert_eq!(verified.person.roles, BTreeSet::from([Role::Viewer]));
}

#[test]
fn the_person_is_named_by_the_claim_or_the_subject() {
    let verified = with(json!({"user_name": "ann"})).unwrap();
    assert_eq!(verified.person.name, "ann");
    assert_eq!(verified.person.subject, "u-1");
    assert_eq!(verified.person.issuer, "https://login.example");
    assert_eq!(verified.expires_at, Time((NOW_SECONDS + 600) * 1000));
    assert_eq!(with(json!({})).unwrap().person.name, "u-1");
    // A name that would break a log line is not used.
    assert_eq!(
        with(json!({"user_name": "a\nb"})).unwrap().person.name,
        "u-1"
    );
}

#[test]
fn the_issuer_must_match_but_for_a_slash() {
    assert!(with(json!({"iss": "https://login.example/"})).is_ok());
    for iss in [
        json!("https://login.example.evil"),
        json!("http://login.example"),
        json!("https://login.example/x"),
    ] {
        assert_eq!(with(json!({"iss": iss})), Err(Refusal::Issuer), "{iss}");
    }
}

#[test]
fn times_have_a_minute_of_leeway_and_no_more() {
    let exp = |seconds: i64| with(json!({"exp": NOW_SECONDS + seconds}));
    assert!(exp(-59).is_ok());
    assert_eq!(
        exp(-60),
        Err(Refusal::Expired(Time((NOW_SECONDS - 60) * 1000)))
    );
    let nbf = |seconds: i64| with(json!({"nbf": NOW_SECONDS + seconds}));
    assert!(nbf(-1000).is_ok());
    assert!(nbf(60).is_ok());
    assert_eq!(
        nbf(61),
        Err(Refusal::Early(Time((NOW_SECONDS + 61) * 1000)))
    );
    assert!(with(json!({"exp": 1_700_000_000.5})).is_ok());
}

#[test]
fn a_claim_of_the_wrong_form_is_refused() {
    let wrong = |name: &str| Err(Refusal::Claim(name.to_owned()));
    for exp in [
        json!(null),
        json!("soon"),
        json!(1e300),
        json!([1]),
        json!(u64::MAX),
    ] {
        assert_eq!(with(json!({"exp": exp})), wrong("exp"), "{exp}");
    }
    assert_eq!(with(json!({"nbf": "later"})), wrong("nbf"));
    for sub in [
        json!(null),
        json!(""),
        json!(7),
        json!("a\u{0}b"),
        json!("x".repeat(256)),
    ] {
        assert_eq!(with(json!({"sub": sub})), wrong("sub"), "{sub}");
    }
    for iss in [json!(null), json!(["https://login.example"])] {
        assert_eq!(with(json!({"iss": iss})), wrong("iss"), "{iss}");
    }
}

#[test]
fn an_audience_is_checked_when_set() {
    assert!(with(json!({"aud": "anything"})).is_ok());
    let mut issuer = issuer();
    issuer.audience = Some("sm".to_owned());
    let aud = |aud: Value| read(&issuer, &claims(json!({"aud": aud})), NOW);
    assert!(aud(json!("sm")).is_ok());
    assert!(aud(json!(["other", "sm"])).is_ok());
    for other in [
        json!(null),
        json!("smx"),
        json!("sm other"),
        json!([]),
        json!({"sm": 1}),
        json!([["sm"]]),
    ] {
        assert_eq!(aud(other.clone()), Err(Refusal::Audience), "{other}");
    }
}

#[test]
fn an_issuer_with_tenants_makes_nobody_without_one() {
    let mut issuer = issuer();
    issuer.tenant_claim = Some("zid".to_owned());
    let zid = |zid: Value| {
        read(
            &issuer,
            &claims(json!({"zid": zid, "scope": "sm.admin"})),
            NOW,
        )
    };
    assert_eq!(
        zid(json!("acme")).unwrap().person.tenant.as_deref(),
        Some("acme")
    );
    for other in [json!(null), json!(""), json!(["acme"]), json!(1)] {
        assert_eq!(
            zid(other.clone()),
            Err(Refusal::Claim("zid".to_owned())),
            "{other}"
        );
    }
    // Without the setting the claim confines nobody.
    assert_eq!(with(json!({"zid": "acme"})).unwrap().person.tenant, None);
}
