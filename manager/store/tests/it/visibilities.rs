//! The table of visibilities.

use crate::engines::{World, change, on_both, read};
use crate::samples::{labels, registry, visibilities, visibility};
use qm_model::id::PlanId;
use qm_model::visibility::Visibility;
use qm_policy::Scope;
use qm_store::{resource, visibility as table};

on_both!(is_stored_and_changed, one_for_a_plan_and_a_platform);

async fn is_stored_and_changed(world: World) {
    registry(&world).await;
    visibilities(&world, &[("v", "b1-p1", Some("cf"))]).await;
    let mut it = visibility("v", "b1-p2", None);
    it.meta.labels = labels(&[("organization_guid", "o1"), ("organization_guid", "o2")]);
    let found = change!(world, [it], tx => {
        assert!(table::update(tx, &it).await?);
        resource::get::<Visibility>(tx, &Scope::All, "v").await
    });
    assert_eq!(found.unwrap(), Some(it.clone()));
    assert!(change!(world, [it], tx => table::delete(tx, &it.id).await).unwrap());
    assert!(!change!(world, [it], tx => table::delete(tx, &it.id).await).unwrap());
    assert!(!change!(world, [it], tx => table::update(tx, &it).await).unwrap());
    assert_eq!(
        world
            .number("SELECT count(*) FROM label WHERE kind = 'visibility'")
            .await,
        0
    );
}

async fn one_for_a_plan_and_a_platform(world: World) {
    registry(&world).await;
    visibilities(
        &world,
        &[
            ("public", "b1-p1", None),
            ("own", "b1-p2", Some("cf")),
            ("other", "b1-p2", Some("k8s")),
        ],
    )
    .await;
    for (id, plan, platform) in [
        ("public", "b2-p1", None),
        ("new", "b1-p1", None),
        ("new", "b1-p2", Some("cf")),
    ] {
        let row = visibility(id, plan, platform);
        assert!(
            !change!(world, [row], tx => table::insert(tx, &row).await).unwrap(),
            "{id} {plan}"
        );
    }
    for (plan, platform) in [("b1-p1", None), ("b1-p2", Some("cf"))] {
        let row = visibility("other", plan, platform);
        assert!(
            !change!(world, [row], tx => table::update(tx, &row).await).unwrap(),
            "{plan}"
        );
    }
    let nowhere = visibility("new", "no-plan", None);
    let refused = change!(world, [nowhere], tx => table::insert(tx, &nowhere).await).unwrap_err();
    assert!(matches!(
        refused,
        qm_store::Error::Database(qm_db::Error::ForeignKey { .. })
    ));

    let of = |ids: &[&str]| {
        ids.iter()
            .map(|id| PlanId::stored((*id).to_owned()))
            .collect::<Vec<_>>()
    };
    let (one, several, none) = (of(&["b1-p2"]), of(&["b1-p2", "b1-p1", "no-plan"]), of(&[]));
    let (one, several, none) = read!(world, [one, several, none], tx => {
        let one = table::of_plan(tx, &one[0]).await?;
        Ok((one, table::of_plans(tx, &several).await?, table::of_plans(tx, &none).await?))
    })
    .unwrap();
    assert_eq!((one.len(), several.len(), none.len()), (2, 3, 0));
}
