//! The table of grants, and instances that refer to others.

use crate::engines::{World, change, on_both, read};
use crate::samples::{NOW, instance, instances, labels, registry};
use qm_model::Time;
use qm_model::id::{InstanceId, OfferingId, PlanId, PlatformId, ShareId};
use qm_model::instance::Instance;
use qm_model::query::{LabelCriterion, LabelTest};
use qm_model::share::Share;
use qm_policy::Scope;
use qm_policy::share::Selectors;
use qm_store::reference::{self, Kept};
use qm_store::{instance as table, platform, resource, share};

on_both!(
    a_grant_is_stored_once_and_goes_with_its_ends,
    a_reference_is_stored_whole,
    only_what_is_shared_is_found,
    of_two_who_take_hold_one_sees_the_other,
);

fn id(text: &str) -> InstanceId {
    InstanceId::new(text).unwrap()
}

fn grant(name: &str, tenant: Option<&str>, platform: Option<&str>) -> Share {
    Share {
        id: ShareId::new(name).unwrap(),
        instance_id: id("i"),
        tenant: tenant.map(str::to_owned),
        platform_id: platform.map(|id| PlatformId::new(id).unwrap()),
        granted_by: "somebody".to_owned(),
        created_at: NOW,
    }
}

async fn grants(world: &World) -> Vec<Share> {
    let one = id("i");
    read!(world, [one], tx => share::of_instance(tx, &one).await).unwrap()
}

async fn a_grant_is_stored_once_and_goes_with_its_ends(world: World) {
    registry(&world).await;
    instances(&world, &[("i", "b1-p1", "k8s"), ("j", "b1-p1", "k8s")]).await;
    let (tenant, platform_) = (grant("1", Some("t"), None), grant("2", None, Some("cf")));
    for one in [&tenant, &platform_] {
        let one = one.clone();
        assert!(change!(world, [one], tx => share::insert(tx, &one).await).unwrap());
    }
    assert_eq!(grants(&world).await, [tenant.clone(), platform_.clone()]);
    for again in [grant("3", Some("t"), None), grant("4", None, Some("cf"))] {
        assert!(!change!(world, [again], tx => share::insert(tx, &again).await).unwrap());
    }
    for wrong in [
        grant("5", None, None),
        grant("6", Some("u"), Some("k8s")),
        grant("7", None, Some("nowhere")),
    ] {
        assert!(change!(world, [wrong], tx => share::insert(tx, &wrong).await).is_err());
    }
    let other = Share {
        instance_id: id("j"),
        ..grant("8", Some("t"), None)
    };
    assert!(change!(world, [other], tx => share::insert(tx, &other).await).unwrap());
    let both = [id("i"), id("j")];
    let all = read!(world, [both], tx => share::of_instances(tx, &both).await).unwrap();
    assert_eq!(all, [tenant.clone(), platform_, other]);
    // The platform goes, and with it what it was granted.
    let cf = PlatformId::new("cf").unwrap();
    change!(world, [cf], tx => platform::delete(tx, &cf).await).unwrap();
    assert_eq!(grants(&world).await, std::slice::from_ref(&tenant));
    assert!(change!(world, [tenant], tx => share::delete(tx, &tenant.id).await).unwrap());
    assert!(!change!(world, [tenant], tx => share::delete(tx, &tenant.id).await).unwrap());
    // So does an instance.
    let gone = id("j");
    assert!(change!(world, [gone], tx => table::delete(tx, &gone).await).unwrap());
    let left = read!(world, [gone], tx => share::of_instance(tx, &gone).await).unwrap();
    assert_eq!(left, []);
}

async fn a_reference_is_stored_whole(world: World) {
    registry(&world).await;
    instances(&world, &[("i", "b1-p1", "k8s")]).await;
    let refers = |name: &str| Instance {
        referenced_instance_id: Some(id("i")),
        ..instance(name, "b1-p2", "cf")
    };
    let first = refers("r1");
    let kept = change!(world, [first], tx => {
        reference::insert(tx, &first, Some(b"print"), Some("t/n")).await
    });
    assert_eq!(kept.unwrap(), Kept::Stored);
    let known = qm_store::facts::facts(&world.store, &first.id, None, None).await;
    let known = known.unwrap().instance.unwrap();
    assert_eq!(known.resource, first);
    assert_eq!(known.fingerprint.as_deref(), Some(&b"print"[..]));
    let again = change!(world, [first], tx => reference::insert(tx, &first, None, None).await);
    assert_eq!(again.unwrap(), Kept::IdTaken);
    let named = refers("r2");
    let kept = change!(world, [named], tx => {
        match reference::insert(tx, &named, None, Some("t/n")).await? {
            Kept::NameTaken => Err(qm_store::Error::Fenced),
            other => Ok(other),
        }
    });
    assert!(matches!(kept, Err(qm_store::Error::Fenced)), "{kept:?}");
    let unnamed = refers("r3");
    let kept = change!(world, [unnamed], tx => reference::insert(tx, &unnamed, None, None).await);
    assert_eq!(kept.unwrap(), Kept::Stored);
    let to = id("i");
    let (rows, some) = read!(world, [to], tx => {
        Ok((reference::of(tx, &to).await?, reference::ids(tx, &to, 1).await?))
    })
    .unwrap();
    assert_eq!(rows, [first, unnamed]);
    assert_eq!(some, [id("r1")]);
    world.kept_numbers_agree().await;
}

async fn only_what_is_shared_is_found(world: World) {
    registry(&world).await;
    let rows = [
        // Id, name, plan, labels, shared.
        ("a", "one", "b1-p1", &[("k", "1")][..], Some(true)),
        ("b", "two", "b1-p1", &[("k", "2"), ("l", "x")], Some(true)),
        ("c", "one", "b1-p2", &[("k", "2")], Some(true)),
        ("d", "one", "b1-p1", &[], Some(false)),
        ("e", "one", "b1-p1", &[], None),
        ("f", "one", "b2-p1", &[], Some(true)),
    ];
    for (name, called, plan, pairs, shared) in rows {
        let mut row = instance(name, plan, "k8s");
        row.name = called.to_owned();
        row.shared = shared;
        row.meta.labels = labels(pairs);
        assert!(change!(world, [row], tx => table::insert(tx, &row).await).unwrap());
    }
    let is = |key: &str, value: &str| LabelCriterion {
        key: key.to_owned(),
        test: LabelTest::Eq(value.to_owned()),
    };
    let like = |name: Option<&str>, plan: Option<&str>, labels: Vec<LabelCriterion>| Selectors {
        name: name.map(str::to_owned),
        plan: plan.map(str::to_owned),
        labels,
    };
    let cases = [
        (like(None, None, vec![]), &["a", "b", "c"][..]),
        (like(Some("one"), None, vec![]), &["a", "c"]),
        (like(None, Some("b1-p1-name"), vec![]), &["a", "b"]),
        (like(None, None, vec![is("k", "2")]), &["b", "c"]),
        (like(None, None, vec![is("k", "2"), is("l", "x")]), &["b"]),
        (
            like(Some("one"), Some("b1-p2-name"), vec![is("k", "2")]),
            &["c"],
        ),
        (like(Some("two"), Some("b1-p2-name"), vec![]), &[]),
        (like(None, Some("b2-p1-name"), vec![]), &[]),
    ];
    let offering = OfferingId::new("b1-o").unwrap();
    for (selectors, wanted) in cases {
        let found = read!(world, [offering, selectors], tx => {
            reference::like(tx, &offering, &selectors).await
        });
        let found: Vec<String> = found
            .unwrap()
            .into_iter()
            .map(|one| one.id.into())
            .collect();
        assert_eq!(found, wanted, "{selectors:?}");
    }
    let plan = PlanId::new("b1-p1").unwrap();
    let shared = read!(world, [plan], tx => reference::shared_of(tx, &plan, 10).await).unwrap();
    assert_eq!(shared, [id("a"), id("b")]);
    let one = id("a");
    let later = Time(NOW.0 + 5);
    assert!(change!(world, [one], tx => share::set(tx, &one, false, later).await).unwrap());
    let row = read!(world, [], tx => resource::get::<Instance>(tx, &Scope::All, "a").await);
    let row = row.unwrap().unwrap();
    assert_eq!((row.shared, row.meta.updated_at), (Some(false), later));
    let nowhere = id("nowhere");
    assert!(!change!(world, [nowhere], tx => share::set(tx, &nowhere, true, later).await).unwrap());
    assert!(!change!(world, [nowhere], tx => share::hold(tx, &nowhere).await).unwrap());
}

/// Many unshare and refer at the same time. Whoever comes second sees the first, so nothing refers to what is not
/// shared.
async fn of_two_who_take_hold_one_sees_the_other(world: World) {
    registry(&world).await;
    for round in 0..8 {
        let name = format!("i{round}");
        let mut row = instance(&name, "b1-p1", "k8s");
        row.shared = Some(true);
        assert!(change!(world, [row], tx => table::insert(tx, &row).await).unwrap());
        let refer = {
            let (store, permit, to) = (world.store.clone(), world.permit.clone(), row.id.clone());
            tokio::spawn(async move {
                let made = store.change::<_, qm_store::Error, _>(&permit, async move |tx| {
                    share::hold(tx, &to).await?;
                    let found = resource::get::<Instance>(tx, &Scope::All, to.as_str()).await?;
                    if found.and_then(|found| found.shared) != Some(true) {
                        return Ok(false);
                    }
                    let row = Instance {
                        referenced_instance_id: Some(to.clone()),
                        ..instance(&format!("{to}-r"), "b1-p2", "cf")
                    };
                    reference::insert(tx, &row, None, None).await?;
                    Ok(true)
                });
                made.await.unwrap()
            })
        };
        let unshare = {
            let (store, permit, to) = (world.store.clone(), world.permit.clone(), row.id.clone());
            tokio::spawn(async move {
                let done = store.change::<_, qm_store::Error, _>(&permit, async move |tx| {
                    share::hold(tx, &to).await?;
                    if !reference::ids(tx, &to, 1).await?.is_empty() {
                        return Ok(false);
                    }
                    share::set(tx, &to, false, NOW).await
                });
                done.await.unwrap()
            })
        };
        let (referred, unshared) = (refer.await.unwrap(), unshare.await.unwrap());
        assert!(referred != unshared, "round {round}: {referred} {unshared}");
    }
}
