//! Every kind of caller times every kind of resource, to read and to change, against a table written by hand
//! from the authentication matrix. A new caller or kind does not compile or does not fit until it is here.

use qm_model::ctx::{Person, PlatformCaller};
use qm_model::id::PlatformId;
use qm_model::identity::Role;
use qm_model::{Caller, Ctx, Error, Kind};
use qm_policy::{Scope, Settings};

/// One letter per kind, in the order of [`Kind::ALL`]: `A` all rows, `T` the tenant's, `P` the platform's,
/// `V` the platform's and by visibility, `1` who are you (401), `3` you may not (403).
///                                              brokers
///                                              |platforms
///                                              ||visibilities
///                                              |||offerings
///                                              ||||plans
///                                              |||||instances
///                                              ||||||bindings
///                                              |||||||operations
///                                              ||||||||credentials
///                                              |||||||||users
///                                              ||||||||||clients
///                                              |||||||||||tenants
#[rustfmt::skip]
const READ: &[(&str, &str)] = &[
    ("anonymous", "111111111111"),
    ("the manager itself", "AAAAAAAAAAAA"),
    ("cloudfoundry", "PPPPPPPP1111"),
    ("kubernetes", "VVVVVVVV1111"),
    ("person without roles", "333333333333"),
    ("viewer", "AAAAAAAA3333"),
    ("developer", "AAAAAAAA3333"),
    ("admin", "AAAAAAAAAAAA"),
    ("purge", "333333333333"),
    ("tenant's person without roles", "333333333333"),
    ("tenant's viewer", "TTTTTTTT3333"),
    ("tenant's developer", "TTTTTTTT3333"),
    ("tenant's admin", "TTTTTTTT3333"),
    ("tenant's purge", "333333333333"),
];

#[rustfmt::skip]
const CHANGE: &[(&str, &str)] = &[
    ("anonymous", "111111111111"),
    ("the manager itself", "AAAAAAAAAAAA"),
    ("cloudfoundry", "11111111P111"),
    ("kubernetes", "11111111V111"),
    ("person without roles", "333333331333"),
    ("viewer", "333333331333"),
    ("developer", "33333AA31333"),
    ("admin", "AAAAAAAA1AAA"),
    ("purge", "333333331333"),
    ("tenant's person without roles", "333333331333"),
    ("tenant's viewer", "333333331333"),
    ("tenant's developer", "33333TT31333"),
    ("tenant's admin", "TT333TT31333"),
    ("tenant's purge", "333333331333"),
];

fn callers() -> Vec<(String, Caller)> {
    let platform = |platform_type: &str| {
        Caller::Platform(PlatformCaller {
            suspended: false,
            tenants: Vec::new(),
            id: PlatformId::new("p-1").unwrap(),
            name: "one".to_owned(),
            platform_type: platform_type.to_owned(),
            username: "user".to_owned(),
        })
    };
    let person = |role: Option<Role>, tenant: Option<&str>| {
        Caller::Person(Person {
            subject: "s".to_owned(),
            name: "somebody".to_owned(),
            issuer: "https://issuer.example".to_owned(),
            roles: role.into_iter().collect(),
            tenant: tenant.map(str::to_owned),
        })
    };
    let mut callers = vec![
        ("anonymous".to_owned(), Caller::Anonymous),
        ("the manager itself".to_owned(), Caller::System("a test")),
        ("cloudfoundry".to_owned(), platform("cloudfoundry")),
        ("kubernetes".to_owned(), platform("kubernetes")),
    ];
    for (prefix, tenant) in [("", None), ("tenant's ", Some("acme"))] {
        callers.push((
            format!("{prefix}person without roles"),
            person(None, tenant),
        ));
        for role in Role::ALL {
            callers.push((format!("{prefix}{role}"), person(Some(role), tenant)));
        }
    }
    callers
}

/// What the answer is in the table's letters; also whether it is about the right caller.
fn letter(answer: Result<&Scope, &Error>) -> char {
    match answer {
        Ok(Scope::All) => 'A',
        Ok(Scope::Tenant { key, value }) => {
            assert_eq!((key.as_str(), value.as_str()), ("tenant", "acme"));
            'T'
        }
        Ok(Scope::Platform {
            id,
            by_visibility,
            tenant_key,
        }) => {
            assert_eq!((id.as_str(), tenant_key.as_str()), ("p-1", "tenant"));
            if *by_visibility { 'V' } else { 'P' }
        }
        Err(Error::Unauthenticated { .. }) => '1',
        Err(Error::Forbidden { .. }) => '3',
        Err(other) => panic!("{other}"),
    }
}

fn compare(table: &[(&str, &str)], ask: impl Fn(&Ctx, Kind) -> char) {
    let callers = callers();
    assert_eq!(table.len(), callers.len());
    for (name, caller) in callers {
        let wanted = table.iter().find(|(row, _)| *row == name).unwrap().1;
        let ctx = Ctx {
            caller,
            correlation_id: "c".to_owned(),
            remote: "192.0.2.1".to_owned(),
        };
        let got: String = Kind::ALL.into_iter().map(|kind| ask(&ctx, kind)).collect();
        assert_eq!(got, wanted, "{name}");
    }
}

fn settings() -> Settings {
    Settings {
        tenant_label: "tenant".to_owned(),
    }
}

#[test]
fn who_may_read_what() {
    compare(READ, |ctx, kind| {
        let answer = qm_policy::read(ctx, kind, &settings());
        letter(answer.as_ref().map(qm_policy::Permit::scope))
    });
}

#[test]
fn who_may_change_what() {
    compare(CHANGE, |ctx, kind| {
        let answer = qm_policy::change(ctx, kind, &settings());
        letter(answer.as_ref().map(qm_policy::Permit::scope))
    });
}

#[test]
fn roles_add_up() {
    let ctx = |roles: &[Role]| Ctx {
        caller: Caller::Person(Person {
            subject: "s".to_owned(),
            name: "somebody".to_owned(),
            issuer: "i".to_owned(),
            roles: roles.iter().copied().collect(),
            tenant: None,
        }),
        correlation_id: String::new(),
        remote: String::new(),
    };
    let both = ctx(&[Role::Purge, Role::Developer]);
    assert!(qm_policy::change(&both, Kind::Instance, &settings()).is_ok());
    assert!(qm_policy::change(&both, Kind::Broker, &settings()).is_err());
}

#[test]
fn a_refusal_names_the_role_that_is_missing() {
    let ctx = Ctx {
        caller: callers()
            .into_iter()
            .find(|(name, _)| name == "viewer")
            .unwrap()
            .1,
        correlation_id: String::new(),
        remote: String::new(),
    };
    let refusal = qm_policy::change(&ctx, Kind::Broker, &settings()).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "the role admin is needed to change brokers; somebody has viewer"
    );
}
