//! The tables of offerings and plans.

use crate::engines::{World, change, on_both, read};
use crate::samples::{NOW, instances, labels, offering, plan, registry, visibilities};
use qm_model::Time;
use qm_model::id::{BrokerId, OfferingId, PlanId};
use qm_model::offering::Offering;
use qm_model::plan::Plan;
use qm_policy::Scope;
use qm_store::{catalog, resource};
use serde_json::json;

on_both!(
    is_stored_changed_and_kept_as_written,
    names_may_be_swapped,
    plans_with_instances_stay,
    labels_are_the_owners
);

fn b1() -> BrokerId {
    BrokerId::stored("b1".to_owned())
}

async fn is_stored_changed_and_kept_as_written(world: World) {
    registry(&world).await;
    let id = b1();
    let found = read!(world, [id], tx => catalog::of_broker(tx, &id).await).unwrap();
    let whole = vec![(
        offering("b1", "b1-o"),
        vec![plan("b1-o", "b1-p1"), plan("b1-o", "b1-p2")],
    )];
    assert_eq!(found, whole);

    let o = Offering {
        tags: vec![],
        metadata: None,
        bindable: false,
        ..offering("b1", "b1-o")
    };
    let p = Plan {
        bindable: None,
        schemas: Some(json!({"a": 1})),
        maximum_polling_duration: None,
        ..plan("b1-o", "b1-p1")
    };
    let (found, raw) = change!(world, [id, o, p], tx => {
        catalog::put_offering(tx, &o, &json!({"id": "o", "dashboard_client": {"secret": "hush"}})).await?;
        catalog::put_plan(tx, &p, &json!({"id": "p", "unknown": [1]})).await?;
        catalog::delete_plan(tx, &PlanId::stored("b1-p2".to_owned())).await?;
        Ok((catalog::of_broker(tx, &id).await?, catalog::raw_of_broker(tx, &id).await?))
    })
    .unwrap();
    assert_eq!(found, vec![(o, vec![p.clone()])]);
    world.kept_numbers_agree().await;
    assert_eq!(raw.len(), 1);
    assert_eq!(
        raw[0].raw,
        json!({"id": "o", "dashboard_client": {"secret": "hush"}})
    );
    assert_eq!(
        (raw[0].catalog_id.as_str(), raw[0].plans.len()),
        ("b1-o-catalog", 1)
    );
    assert_eq!(raw[0].plans[0].raw, json!({"id": "p", "unknown": [1]}));

    let (of_plan, of_none) = read!(world, [p], tx => {
        let none = catalog::broker_of_plan(tx, &PlanId::stored("none".to_owned())).await?;
        Ok((catalog::broker_of_plan(tx, &p.id).await?, none))
    })
    .unwrap();
    let (broker, found) = of_plan.unwrap();
    assert_eq!((broker.id.as_str(), found, of_none), ("b1", p, None));
}

async fn names_may_be_swapped(world: World) {
    registry(&world).await;
    let (mut one, mut two) = (plan("b1-o", "b1-p1"), plan("b1-o", "b1-p2"));
    std::mem::swap(&mut one.name, &mut two.name);
    change!(world, [one, two], tx => {
        catalog::put_plan(tx, &one, &json!({})).await?;
        catalog::put_plan(tx, &two, &json!({})).await
    })
    .unwrap();
    let found =
        read!(world, [], tx => resource::get::<Plan>(tx, &Scope::All, "b1-p1").await).unwrap();
    assert_eq!(found, Some(one));
}

async fn plans_with_instances_stay(world: World) {
    registry(&world).await;
    visibilities(&world, &[("v", "b1-p2", None)]).await;
    instances(
        &world,
        &[
            ("i1", "b1-p1", "cf"),
            ("i2", "b1-p1", "cf"),
            ("i3", "b2-p1", "cf"),
        ],
    )
    .await;
    let ids = |ids: &[&str]| {
        ids.iter()
            .map(|id| PlanId::stored((*id).to_owned()))
            .collect::<Vec<_>>()
    };
    let (asked, none) = (ids(&["b1-p2", "b1-p1", "no-plan"]), ids(&[]));
    let (used, none) = read!(world, [asked, none], tx => {
        Ok((catalog::plans_with_instances(tx, &asked).await?, catalog::plans_with_instances(tx, &none).await?))
    })
    .unwrap();
    assert_eq!((used, none), (ids(&["b1-p1"]), vec![]));
    let plans = ids(&["b1-p1", "b1-p2"]);
    assert!(change!(world, [plans], tx => catalog::delete_plan(tx, &plans[0]).await).is_err());
    assert!(change!(world, [plans], tx => catalog::delete_plan(tx, &plans[1]).await).unwrap());
    assert_eq!(world.number("SELECT count(*) FROM visibility").await, 0);
    let o = OfferingId::stored("b1-o".to_owned());
    assert!(change!(world, [o], tx => catalog::delete_offering(tx, &o).await).is_err());
    assert_eq!(world.number("SELECT count(*) FROM plan").await, 3);
}

async fn labels_are_the_owners(world: World) {
    registry(&world).await;
    let (o, p) = (
        OfferingId::stored("b1-o".to_owned()),
        PlanId::stored("b1-p1".to_owned()),
    );
    let new = labels(&[("a", "1"), ("a", "2")]);
    let (offering, plan) = change!(world, [o, p, new], tx => {
        assert!(catalog::label_offering(tx, &o, &new, Time(NOW.0 + 1)).await?);
        assert!(catalog::label_plan(tx, &p, &new, Time(NOW.0 + 1)).await?);
        assert!(!catalog::label_plan(tx, &PlanId::stored("none".to_owned()), &new, NOW).await?);
        let offering = resource::get::<Offering>(tx, &Scope::All, "b1-o").await?;
        Ok((offering, resource::get::<Plan>(tx, &Scope::All, "b1-p1").await?))
    })
    .unwrap();
    assert_eq!(
        (offering.unwrap().meta.labels, plan.unwrap().meta.labels),
        (new.clone(), new)
    );
    assert_eq!(
        world
            .number("SELECT count(*) FROM label WHERE kind IN ('offering', 'plan')")
            .await,
        4
    );
}
