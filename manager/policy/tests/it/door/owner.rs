//! Whose instance it is: the platform's and the tenant's.

use super::{ctx, instance, object, platform, verdict};
use qm_model::{Caller, Ctx};
use qm_policy::door::{own, same_tenant};
use serde_json::{Value, json};

#[test]
fn an_instance_is_its_platforms_and_an_unknown_one_anybodys() {
    let anothers = "404 NotFound instance-platform";
    let (mine, theirs) = (instance("x", "p", &[]), instance("x", "q", &[]));
    // Caller; its own, another's, an unknown one.
    let cases = [
        (platform("kubernetes"), "ok", anothers),
        (platform("cloudfoundry"), "ok", anothers),
        (Ctx::system("task", "c".to_owned()), "ok", "ok"),
        (ctx(Caller::Anonymous), anothers, anothers),
    ];
    for (ctx, of_p, of_q) in cases {
        assert_eq!(verdict(own(&ctx, Some(&mine))), of_p, "{:?}", ctx.caller);
        assert_eq!(verdict(own(&ctx, Some(&theirs))), of_q, "{:?}", ctx.caller);
        assert_eq!(verdict(own(&ctx, None)), "ok");
    }
}

/// The instance's labels, the context, the verdict.
type Case<'c> = (Option<&'c [(&'c str, &'c str)]>, Option<Value>, &'c str);

#[test]
fn a_tenant_is_refused_only_where_both_sides_name_one() {
    let anothers = "404 NotFound instance-tenant";
    let labelled: &[(&str, &str)] = &[("tenant", "a"), ("tenant", "b")];
    let cases: [Case<'_>; 10] = [
        (None, None, "ok"),
        (None, Some(json!({"tenant": "a"})), "ok"),
        (Some(&[]), Some(json!({"tenant": "a"})), "ok"),
        (Some(labelled), None, "ok"),
        (Some(labelled), Some(json!({})), "ok"),
        (Some(labelled), Some(json!({"tenant": ""})), "ok"),
        (Some(labelled), Some(json!({"tenant": null})), "ok"),
        (Some(labelled), Some(json!({"tenant": "b"})), "ok"),
        (Some(labelled), Some(json!({"tenant": "c"})), anothers),
        (Some(labelled), Some(json!({"other": "c"})), "ok"),
    ];
    for (pairs, context, wanted) in cases {
        let instance = pairs.map(|pairs| instance("x", "p", pairs));
        let context = context.map(object);
        let found = verdict(same_tenant("tenant", instance.as_ref(), context.as_ref()));
        assert_eq!(found, wanted, "{pairs:?} {context:?}");
    }
}
