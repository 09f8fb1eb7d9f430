//! Which plan is meant and whether it is visible: provision, update, bind.

use super::{instance, object, platform, stock, verdict, visibility};
use qm_model::Ctx;
use qm_model::id::PlanId;
use qm_model::visibility::Visibility;
use qm_policy::door::{Object, bind, provision, update};
use serde_json::{Value, json};

const HIDDEN: &str = "404 ServicePlanNotFound plan-visibility";
const UNKNOWN: &str = "404 NotFound plan-known";
const NO_ID: &str = "400 BadRequest ids-required";
const NO_ORGANIZATION: &str = "400 BadRequest organization-required";

/// Rows of the plan `small`.
fn row(platform: Option<&str>, pairs: &[(&str, &str)]) -> Visibility {
    visibility("p-small", platform, pairs)
}

/// One letter for each kind of rows: none, public, own, another's, own for the organization `x`, another's for `x`,
/// own with another label.
fn rows(letter: char) -> Vec<Visibility> {
    match letter {
        'n' => vec![],
        'p' => vec![row(None, &[])],
        'o' => vec![row(Some("p"), &[])],
        'a' => vec![row(Some("q"), &[])],
        'x' => vec![row(Some("p"), &[("organization_guid", "x")])],
        'y' => vec![row(Some("q"), &[("organization_guid", "x")])],
        'l' => vec![row(Some("p"), &[("team", "t")])],
        // Of the other plan.
        'z' => vec![visibility("p-large", None, &[])],
        other => panic!("{other}"),
    }
}

fn asks(platform_type: &str, rows: Vec<Visibility>, context: Option<&Object>) -> String {
    let (ctx, stock) = (platform(platform_type), stock(rows));
    verdict(provision(&ctx, &stock, "s", "small", context))
}

#[test]
fn a_plan_is_visible_by_public_and_own_rows() {
    for platform_type in ["kubernetes", "anything"] {
        let cases = [
            ('n', HIDDEN),
            ('p', "ok"),
            ('o', "ok"),
            ('a', HIDDEN),
            ('x', "ok"),
            ('y', HIDDEN),
            ('l', "ok"),
            ('z', HIDDEN),
        ];
        for (letter, wanted) in cases {
            // The context is not asked for.
            assert_eq!(asks(platform_type, rows(letter), None), wanted, "{letter}");
        }
    }
}

#[test]
fn on_cloud_foundry_labels_name_organizations() {
    let organization = |guid: &str| object(json!({"organization_guid": guid}));
    // Rows, organization x, organization w.
    let cases = [
        ('n', HIDDEN, HIDDEN),
        ('p', "ok", "ok"),
        ('o', "ok", "ok"),
        ('a', HIDDEN, HIDDEN),
        ('x', "ok", HIDDEN),
        ('y', "ok", HIDDEN),
        ('l', HIDDEN, HIDDEN),
        ('z', HIDDEN, HIDDEN),
    ];
    for (letter, x, w) in cases {
        let found = |guid| asks("cloudfoundry", rows(letter), Some(&organization(guid)));
        assert_eq!(found("x"), x, "{letter}");
        assert_eq!(found("w"), w, "{letter}");
    }
    let both = || [rows('x'), rows('o')].concat();
    assert_eq!(asks("cloudfoundry", both(), Some(&organization("w"))), "ok");
}

#[test]
fn cloud_foundry_must_name_its_organization() {
    let contexts = [
        None,
        Some(json!({})),
        Some(json!({"organization_guid": ""})),
        Some(json!({"organization_guid": 5})),
        Some(json!({"organization_guid": null})),
    ];
    for context in contexts {
        let context = context.map(object);
        let found = asks("cloudfoundry", rows('p'), context.as_ref());
        assert_eq!(found, NO_ORGANIZATION, "{context:?}");
    }
}

#[test]
fn ids_are_needed_and_must_be_of_this_broker() {
    let (ctx, stock) = (platform("kubernetes"), stock(rows('p')));
    let cases = [
        ("s", "small", "ok"),
        ("", "small", NO_ID),
        ("s", "", NO_ID),
        ("s", "other", UNKNOWN),
        ("other", "small", UNKNOWN),
        // The manager's own ids are not the broker's.
        ("o-s", "p-small", UNKNOWN),
    ];
    for (service, plan, wanted) in cases {
        let found = verdict(provision(&ctx, &stock, service, plan, None));
        assert_eq!(found, wanted, "{service} {plan}");
        let found = verdict(bind(&ctx, &stock, service, plan));
        assert_eq!(found, wanted, "{service} {plan}");
    }
    let ware = provision(&ctx, &stock, "s", "small", None).unwrap();
    assert_eq!(ware.plan.id.as_str(), "p-small");
    assert_eq!(ware.offering.id.as_str(), "o-s");
}

#[test]
fn who_has_an_instance_may_bind_what_is_hidden() {
    let (ctx, stock) = (platform("cloudfoundry"), stock(rows('n')));
    assert_eq!(verdict(bind(&ctx, &stock, "s", "small")), "ok");
}

#[test]
fn the_manager_itself_sees_every_plan() {
    let (ctx, stock) = (Ctx::system("task", "c".to_owned()), stock(rows('n')));
    let found = verdict(provision(&ctx, &stock, "s", "small", None));
    assert_eq!(found, "ok");
}

#[test]
fn an_update_asks_only_for_a_plan_that_changes() {
    let has = |plan| Some(instance(plan, "p", &[]));
    // Rows of small; the instance's plan; the plan asked for; the verdict on Kubernetes.
    let cases: [(char, Option<&str>, Option<&str>, &str); 9] = [
        ('n', Some("p-small"), None, "ok"),
        ('n', Some("p-small"), Some(""), "ok"),
        ('n', Some("p-small"), Some("small"), "ok"),
        ('n', Some("p-large"), Some("small"), HIDDEN),
        ('p', Some("p-large"), Some("small"), "ok"),
        ('n', Some("p-large"), Some("other"), UNKNOWN),
        ('n', None, None, "ok"),
        // Nobody knows whether it changes.
        ('n', None, Some("small"), HIDDEN),
        ('o', None, Some("small"), "ok"),
    ];
    for (letter, before, plan, wanted) in cases {
        let (ctx, stock) = (platform("kubernetes"), stock(rows(letter)));
        let instance = before.and_then(has);
        let found = update(&ctx, &stock, instance.as_ref(), "s", plan, None);
        if let Ok(ware) = &found {
            let named = plan.filter(|id| !id.is_empty());
            assert_eq!(ware.map(|ware| ware.plan.catalog_id.as_str()), named);
        }
        assert_eq!(verdict(found), wanted, "{letter} {before:?} {plan:?}");
    }
}

#[test]
fn an_update_on_cloud_foundry_needs_the_organization_only_for_another_plan() {
    let (ctx, stock) = (platform("cloudfoundry"), stock(rows('x')));
    let has = instance("p-large", "p", &[]);
    let asks = |plan, context: Option<Value>| {
        let context = context.map(object);
        let context = context.as_ref();
        verdict(update(&ctx, &stock, Some(&has), "s", plan, context))
    };
    assert_eq!(asks(None, None), "ok");
    assert_eq!(asks(Some("large"), None), "ok");
    assert_eq!(asks(Some("small"), None), NO_ORGANIZATION);
    let organization = |guid: &str| Some(json!({"organization_guid": guid}));
    assert_eq!(asks(Some("small"), organization("x")), "ok");
    assert_eq!(asks(Some("small"), organization("w")), HIDDEN);
}

#[test]
fn an_update_needs_its_service() {
    let (ctx, stock) = (platform("kubernetes"), stock(rows('p')));
    for plan in [None, Some("small")] {
        let found = verdict(update(&ctx, &stock, None, "", plan, None));
        assert_eq!(found, NO_ID);
    }
}

/// Defect 26 of the old server: plans were looked up by the broker's id of them alone.
#[test]
fn defect_26_equal_ids_of_two_brokers_do_not_meet() {
    let ours = stock(rows('p'));
    let plans = vec![super::plan("their-small", "o-t", "small", None)];
    let theirs = qm_policy::door::Stock::new(
        super::broker(&[]),
        vec![(super::offering("o-t", "s"), plans)],
        vec![visibility("p-small", None, &[])],
    );
    let id = |stock: &qm_policy::door::Stock| {
        let ware = stock.ware("s", "small").unwrap();
        ware.plan.id.as_str().to_owned()
    };
    assert_eq!(id(&ours), "p-small");
    assert_eq!(id(&theirs), "their-small");
    assert!(theirs.by_plan(&PlanId::new("p-small").unwrap()).is_none());
    // A row of the other broker's plan shows nothing here.
    let ctx = platform("kubernetes");
    let found = verdict(provision(&ctx, &theirs, "s", "small", None));
    assert_eq!(found, HIDDEN);
}
