//! What a platform is shown of a catalog, and how a stock finds its wares.

use super::{broker, ctx, offering, plan, platform, visibility};
use qm_model::id::PlanId;
use qm_model::visibility::Visibility;
use qm_model::{Caller, Ctx};
use qm_policy::door::{Stock, shown};
use serde_json::json;

/// Offerings `a` (plans a1, a2) and `b` (b1), and one without plans. a2 is for Cloud Foundry only, b1 not for the
/// platform `platform p`.
fn stock(visibilities: Vec<Visibility>) -> Stock {
    let for_cloud_foundry = json!({"supportedPlatforms": ["cloudfoundry"]});
    let not_for_p = json!({"excludedPlatformNames": ["platform p"]});
    let a = vec![
        plan("a1", "a", "1", None),
        plan("a2", "a", "2", Some(for_cloud_foundry)),
    ];
    let b = vec![plan("b1", "b", "1", Some(not_for_p))];
    let catalog = vec![
        (offering("a", "sa"), a),
        (offering("b", "sb"), b),
        (offering("c", "sc"), vec![]),
    ];
    Stock::new(broker(&[]), catalog, visibilities)
}

fn names(ctx: &Ctx, visibilities: Vec<Visibility>) -> String {
    let stock = stock(visibilities);
    let shown = shown(ctx, &stock);
    let offerings = shown.iter().map(|(offering, plans)| {
        let plans: Vec<_> = plans.iter().map(|plan| plan.id.as_str()).collect();
        format!("{}:{}", offering.id, plans.join(","))
    });
    offerings.collect::<Vec<_>>().join(" ")
}

fn some() -> Vec<Visibility> {
    vec![
        visibility("a1", Some("p"), &[("organization_guid", "x")]),
        visibility("a2", Some("q"), &[]),
        visibility("b1", None, &[]),
    ]
}

#[test]
fn platforms_are_shown_what_they_have_a_visibility_for() {
    for platform_type in ["kubernetes", "anything"] {
        let ctx = platform(platform_type);
        assert_eq!(names(&ctx, some()), "a:a1 b:b1");
        assert_eq!(names(&ctx, vec![]), "");
        let own = vec![visibility("a2", Some("p"), &[])];
        assert_eq!(names(&ctx, own), "a:a2");
    }
}

#[test]
fn cloud_foundry_is_shown_what_is_made_for_it() {
    let ctx = platform("cloudfoundry");
    for visibilities in [vec![], some()] {
        assert_eq!(names(&ctx, visibilities), "a:a1,a2");
    }
}

#[test]
fn the_manager_is_shown_all_and_nobody_nothing() {
    let system = Ctx::system("task", "c".to_owned());
    assert_eq!(names(&system, vec![]), "a:a1,a2 b:b1");
    assert_eq!(names(&ctx(Caller::Anonymous), some()), "");
}

#[test]
fn a_ware_is_found_by_each_of_its_names() {
    let stock = stock(vec![]);
    let id = |ware: Option<&qm_policy::door::Ware>| ware.map(|ware| ware.plan.id.to_string());
    assert_eq!(id(stock.ware("sa", "2")).as_deref(), Some("a2"));
    assert_eq!(id(stock.ware("sb", "2")), None);
    assert_eq!(id(stock.ware("a", "a2")), None);
    let by_plan = |text: &str| id(stock.by_plan(&PlanId::new(text).unwrap()));
    assert_eq!(by_plan("b1").as_deref(), Some("b1"));
    assert_eq!(by_plan("2"), None);
    assert_eq!(id(stock.by_service("sa")).as_deref(), Some("a1"));
    assert_eq!(id(stock.by_service("sc")), None);
    assert_eq!((stock.wares().len(), stock.offerings().len()), (3, 3));
}

#[test]
fn a_stock_weighs_more_with_more_in_it() {
    let empty = Stock::new(broker(&[]), vec![], vec![]);
    let (few, many) = (stock(vec![]), stock(some()));
    assert!(empty.size() < few.size() && few.size() < many.size());
}
