//! Catalogs of a stock with three plans: who sees what, in whose words, and how much of it is kept.

use super::*;
use qm_model::broker::{Broker, CatalogState};
use qm_model::ctx::PlatformCaller;
use qm_model::id::{BrokerId, PlatformId, VisibilityId};
use qm_model::visibility::Visibility;
use qm_model::{Labels, Meta, Time};
use serde_json::json;

const PLANS: [&str; 3] = ["p0", "p1", "p2"];

fn meta() -> Meta {
    Meta::new(Time(0), Labels::new())
}

fn raw(filler: usize) -> Vec<RawOffering> {
    let plan = |id: &str| RawPlan {
        id: PlanId::new(id).unwrap(),
        catalog_id: format!("theirs-{id}"),
        raw: json!({"id": format!("theirs-{id}"), "name": id, "x-more": {"a": 1}}),
    };
    vec![RawOffering {
        id: OfferingId::new("o").unwrap(),
        catalog_id: "theirs-o".to_owned(),
        raw: json!({"id": "theirs-o", "name": "o", "metadata": {"theirs": true},
            "filler": "x".repeat(filler)}),
        plans: PLANS.iter().map(|id| plan(id)).collect(),
    }]
}

fn stock(visibilities: &[(&str, &str)]) -> Stock {
    let broker = Broker {
        id: BrokerId::new("b").unwrap(),
        name: String::new(),
        description: String::new(),
        url: String::new(),
        catalog: CatalogState::default(),
        meta: meta(),
    };
    let offering = Offering {
        id: OfferingId::new("o").unwrap(),
        broker_id: broker.id.clone(),
        name: "o".to_owned(),
        description: String::new(),
        bindable: true,
        plan_updateable: false,
        instances_retrievable: false,
        bindings_retrievable: false,
        allow_context_updates: false,
        tags: Default::default(),
        requires: Default::default(),
        metadata: None,
        catalog_id: "theirs-o".to_owned(),
        catalog_name: "o".to_owned(),
        data_center: Default::default(),
        meta: meta(),
    };
    let plan = |id: &str| Plan {
        id: PlanId::new(id).unwrap(),
        offering_id: offering.id.clone(),
        name: id.to_owned(),
        description: String::new(),
        free: Default::default(),
        bindable: Default::default(),
        plan_updateable: Default::default(),
        metadata: None,
        schemas: None,
        maximum_polling_duration: Default::default(),
        maintenance_info: None,
        catalog_id: format!("theirs-{id}"),
        catalog_name: id.to_owned(),
        meta: meta(),
    };
    let visibility = |(platform, plan): &(&str, &str)| Visibility {
        id: VisibilityId::new(format!("{platform}-{plan}")).unwrap(),
        platform_id: Some(PlatformId::new(*platform).unwrap()),
        plan_id: PlanId::new(*plan).unwrap(),
        meta: meta(),
    };
    let plans = PLANS.iter().map(|id| plan(id)).collect();
    let visibilities = visibilities.iter().map(visibility).collect();
    Stock::new(broker, vec![(offering, plans)], visibilities)
}

fn platform(id: &str, kind: &str) -> Ctx {
    Ctx {
        caller: Caller::Platform(PlatformCaller {
            id: PlatformId::new(id).unwrap(),
            name: id.to_owned(),
            platform_type: kind.to_owned(),
            username: String::new(),
            suspended: false,
            tenants: Vec::new(),
        }),
        correlation_id: String::new(),
        remote: String::new(),
    }
}

#[test]
fn the_brokers_words_with_the_managers_ids() {
    let menu = Menu::new(raw(0)).unwrap();
    let stock = stock(&[("k", "p2"), ("k", "p0")]);
    let catalog = menu.for_caller(&platform("k", "kubernetes"), &stock);
    let catalog: Value = serde_json::from_slice(&catalog.unwrap().bytes).unwrap();
    let plan = |id: &str| {
        json!({"id": format!("theirs-{id}"), "name": id, "x-more": {"a": 1},
            "metadata": {"sm_plan_id": id}})
    };
    let expected = json!({"services": [{"id": "theirs-o", "name": "o", "filler": "",
        "metadata": {"theirs": true, "sm_offering_id": "o"}, "plans": [plan("p0"), plan("p2")]}]});
    assert_eq!(catalog, expected);
    let nothing = menu.for_caller(&platform("other", "kubernetes"), &stock);
    assert_eq!(&nothing.unwrap().bytes[..], b"{\"services\":[]}");
}

#[test]
fn who_sees_the_same_shares_it() {
    let menu = Menu::new(raw(0)).unwrap();
    let stock = stock(&[("a", "p0"), ("b", "p0"), ("c", "p1")]);
    let get = |id: &str| {
        let catalog = menu.for_caller(&platform(id, "kubernetes"), &stock);
        catalog.unwrap()
    };
    let (a, b, c) = (get("a"), get("b"), get("c"));
    assert!(Arc::ptr_eq(&a, &b));
    assert_ne!(a.etag, c.etag);
    assert_ne!(a.bytes, c.bytes);
    assert!(Arc::ptr_eq(&a, &get("a")));
    // The same platform, retyped: other rules hold for it, and it may not get what was kept.
    let retyped = menu.for_caller(&platform("a", "cloudfoundry"), &stock);
    assert_ne!(retyped.unwrap().etag, a.etag);
}

#[test]
fn what_is_kept_is_bounded() {
    for filler in [0, 100_000] {
        let menu = Menu::new(raw(filler)).unwrap();
        let names: Vec<String> = (0..2_000).map(|n| format!("k{n}")).collect();
        let seen: Vec<(&str, &str)> = names
            .iter()
            .enumerate()
            .flat_map(|(n, name)| {
                let of = move |(bit, plan): (usize, &&'static str)| {
                    (n >> bit & 1 == 1).then_some((name.as_str(), *plan))
                };
                PLANS.iter().enumerate().filter_map(of)
            })
            .collect();
        let stock = stock(&seen);
        for name in &names {
            let ctx = platform(name, "kubernetes");
            let catalog = menu.for_caller(&ctx, &stock).unwrap();
            assert_eq!(menu.for_caller(&ctx, &stock).unwrap(), catalog);
            let kept = menu.lock();
            let distinct: usize = kept.by_plans.values().map(|kept| kept.bytes.len()).sum();
            assert!(distinct <= kept.bytes && kept.bytes <= menu.most());
            assert!(kept.by_caller.len() * CALLER <= kept.bytes);
        }
    }
}
