//! Who may stand at a door at all.

use super::{broker, caller, ctx, settings, verdict};
use qm_model::ctx::{Person, PlatformCaller};
use qm_model::identity::Role;
use qm_model::{Caller, Ctx};
use qm_policy::Scope;
use qm_policy::door::{Stock, enter, resume};

fn person() -> Ctx {
    ctx(Caller::Person(Person {
        subject: "s".to_owned(),
        name: "admin".to_owned(),
        issuer: "i".to_owned(),
        roles: Role::ALL.into_iter().collect(),
        tenant: None,
    }))
}

fn platform(suspended: bool, tenants: &[&str]) -> Ctx {
    ctx(Caller::Platform(PlatformCaller {
        suspended,
        tenants: tenants.iter().map(|&tenant| tenant.to_owned()).collect(),
        ..caller("kubernetes")
    }))
}

fn stock(tenants: &[&str]) -> Stock {
    let pairs: Vec<_> = tenants.iter().map(|&tenant| ("tenant", tenant)).collect();
    Stock::new(broker(&pairs), Vec::new(), Vec::new())
}

const SUSPENDED: &str = "400 BadRequest platform-suspended";
const NOT_A_PLATFORM: &str = "401 Unauthorized platform-only";
const ANOTHERS: &str = "404 NotFound broker-tenant";

#[test]
fn platforms_only_and_suspended_ones_may_only_look_and_remove() {
    // Caller, who only looks or removes, who changes.
    let cases = [
        (platform(false, &[]), "ok", "ok"),
        (platform(true, &[]), "ok", SUSPENDED),
        (person(), NOT_A_PLATFORM, NOT_A_PLATFORM),
        (ctx(Caller::Anonymous), NOT_A_PLATFORM, NOT_A_PLATFORM),
        (Ctx::system("task", "c".to_owned()), "ok", "ok"),
    ];
    for (ctx, looks, changes) in cases {
        let stock = stock(&[]);
        let found = |mutating| verdict(enter(&ctx, &stock, mutating, &settings()));
        assert_eq!(found(false), looks, "{:?}", ctx.caller);
        assert_eq!(found(true), changes, "{:?}", ctx.caller);
    }
}

#[test]
fn a_broker_of_another_tenant_is_not_there() {
    let cases: [(&[&str], &[&str], &str); 7] = [
        (&[], &[], "ok"),
        (&[], &["a"], "ok"),
        (&["a"], &[], "ok"),
        (&["a"], &["a"], "ok"),
        (&["a", "b"], &["c", "b"], "ok"),
        (&["a"], &["b"], ANOTHERS),
        (&["a", "b"], &["c", "d"], ANOTHERS),
    ];
    for (owners, theirs, wanted) in cases {
        for mutating in [false, true] {
            let (ctx, stock) = (platform(false, theirs), stock(owners));
            let found = verdict(enter(&ctx, &stock, mutating, &settings()));
            assert_eq!(found, wanted, "{owners:?} {theirs:?}");
        }
    }
}

#[test]
fn suspension_is_told_before_the_tenant() {
    let (ctx, stock) = (platform(true, &["b"]), stock(&["a"]));
    assert_eq!(verdict(enter(&ctx, &stock, true, &settings())), SUSPENDED);
    assert_eq!(verdict(enter(&ctx, &stock, false, &settings())), ANOTHERS);
}

#[test]
fn the_permit_reaches_as_far_as_its_caller() {
    let permit = enter(&platform(false, &[]), &stock(&[]), true, &settings()).unwrap();
    assert!(matches!(permit.scope(), Scope::Platform { id, .. } if id.as_str() == "p"));
    let system = Ctx::system("task", "c".to_owned());
    let permit = enter(&system, &stock(&[]), true, &settings()).unwrap();
    assert_eq!(permit.scope(), &Scope::All);
}

#[test]
fn only_the_manager_goes_on_with_what_others_began() {
    let system = Ctx::system("task", "c".to_owned());
    assert_eq!(verdict(resume(&system)), "ok");
    for ctx in [platform(false, &[]), person(), ctx(Caller::Anonymous)] {
        assert_eq!(verdict(resume(&ctx)), "401 Unauthorized manager-only");
    }
}
