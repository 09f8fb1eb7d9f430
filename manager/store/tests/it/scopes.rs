//! What each kind of caller sees of each kind of resource.

use crate::engines::{World, change, on_both, read};
use crate::samples::{
    access, binding, broker, instance, labels, meta, offering, operation, plan, platform, registry,
    visibilities,
};
use qm_model::binding::Binding;
use qm_model::broker::Broker;
use qm_model::id::PlatformId;
use qm_model::instance::Instance;
use qm_model::offering::Offering;
use qm_model::operation::{Operation, State};
use qm_model::plan::Plan;
use qm_model::platform::Platform;
use qm_model::visibility::Visibility;
use qm_model::{Kind, Query};
use qm_policy::Scope;
use qm_store::{
    Resource, binding as bindings, broker as brokers, catalog, instance as instances,
    operation as operations, platform as platforms, resource,
};
use serde_json::json;

on_both!(a_tenant_sees_its_own, a_platform_sees_its_own);

fn tenant(name: &str) -> Scope {
    Scope::Tenant {
        key: "tenant".to_owned(),
        value: name.to_owned(),
    }
}

fn of_platform(id: &str, by_visibility: bool) -> Scope {
    Scope::Platform {
        id: PlatformId::stored(id.to_owned()),
        by_visibility,
        tenant_key: "tenant".to_owned(),
    }
}

/// The ids that a list has. Each must also be found by itself, and nothing else.
async fn seen<R: Resource>(world: &World, scope: &Scope) -> Vec<String> {
    let scope = scope.clone();
    let (listed, all, single) = read!(world, [scope], tx => {
        let listed = resource::matching::<R>(tx, &scope, &Query::default()).await?;
        let all = resource::matching::<R>(tx, &Scope::All, &Query::default()).await?;
        let mut single = Vec::new();
        for it in &all {
            if let Some(found) = resource::get::<R>(tx, &scope, it.id()).await? {
                single.push(found.id().to_owned());
            }
        }
        Ok((listed, all.len(), single))
    })
    .unwrap();
    let listed: Vec<String> = listed.iter().map(|it| it.id().to_owned()).collect();
    assert!(all >= listed.len());
    assert_eq!(listed, single, "a list and single reads show the same");
    listed
}

/// Brokers: `b1`, `b2` of nobody, `acme` and `evil` of tenants of that name, `both` of both. Each of the last
/// three has a plan `X-p`. Platforms `k8s`, `cf` of nobody, `acme-k8s` of acme.
async fn world_of_tenants(world: &World) {
    registry(world).await;
    change!(world, [], tx => {
        for (id, owners) in [("acme", vec!["acme"]), ("evil", vec!["evil"]), ("both", vec!["acme", "evil"])] {
            let owners: Vec<_> = owners.iter().map(|owner| ("tenant", *owner)).collect();
            let owned = Broker { meta: meta(&owners), ..broker(id) };
            brokers::insert(tx, &owned, &access("x")).await?;
            let (o, p) = (format!("{id}-o"), format!("{id}-p"));
            catalog::put_offering(tx, &offering(id, &o), &json!({})).await?;
            catalog::put_plan(tx, &plan(&o, &p), &json!({})).await?;
        }
        let own = Platform { meta: meta(&[("tenant", "acme")]), ..platform("acme-k8s") };
        platforms::insert(tx, &own, None).await?;
        for (id, owner, at) in [("i1", "acme", "k8s"), ("i2", "evil", "k8s"), ("i3", "acme", "acme-k8s")] {
            let mut it = instance(id, "b1-p1", at);
            it.meta.labels = labels(&[("tenant", owner)]);
            instances::insert(tx, &it).await?;
            let mut bound = binding(&format!("{id}-b"), id);
            bound.meta.labels = labels(&[("tenant", owner)]);
            bindings::insert(tx, &bound, None).await?;
        }
        for (id, owner) in [("o1", Some("acme")), ("o2", Some("evil")), ("o3", None)] {
            let it = Operation { state: State::Succeeded, ..operation(id, Kind::Broker, "b1") };
            operations::record(tx, &it, owner).await?;
        }
        Ok(())
    })
    .unwrap();
    visibilities(
        world,
        &[
            ("v-public", "b1-p1", None),
            ("v-k8s", "b1-p2", Some("k8s")),
            ("v-cf", "b2-p1", Some("cf")),
            ("v-evil", "evil-p", None),
            ("v-acme", "acme-p", Some("acme-k8s")),
        ],
    )
    .await;
}

async fn a_tenant_sees_its_own(world: World) {
    world_of_tenants(&world).await;
    let acme = tenant("acme");
    assert_eq!(seen::<Broker>(&world, &acme).await, ["acme", "both"]);
    assert_eq!(seen::<Platform>(&world, &acme).await, ["acme-k8s"]);
    assert_eq!(seen::<Instance>(&world, &acme).await, ["i1", "i3"]);
    assert_eq!(seen::<Binding>(&world, &acme).await, ["i1-b", "i3-b"]);
    assert_eq!(
        seen::<Offering>(&world, &acme).await,
        ["b1-o", "b2-o", "acme-o", "both-o"]
    );
    let plans = ["b1-p1", "b1-p2", "b2-p1", "b2-p2", "acme-p", "both-p"];
    assert_eq!(seen::<Plan>(&world, &acme).await, plans);
    assert_eq!(
        seen::<Visibility>(&world, &acme).await,
        ["v-public", "v-acme"]
    );
    assert_eq!(seen::<Operation>(&world, &acme).await, ["o1"]);
    let nobody = tenant("nobody");
    assert!(seen::<Broker>(&world, &nobody).await.is_empty());
    assert_eq!(seen::<Offering>(&world, &nobody).await, ["b1-o", "b2-o"]);
}

/// Defect 3: a platform's credentials read everybody's instances and bindings.
async fn a_platform_sees_its_own(world: World) {
    world_of_tenants(&world).await;
    let k8s = of_platform("k8s", true);
    assert_eq!(
        seen::<Plan>(&world, &k8s).await,
        ["b1-p1", "b1-p2", "evil-p"],
        "public and its own; of no tenant, it sees all tenants', as it hears of them"
    );
    assert_eq!(seen::<Offering>(&world, &k8s).await, ["b1-o", "evil-o"]);
    assert_eq!(seen::<Broker>(&world, &k8s).await, ["b1", "evil"]);
    assert_eq!(
        seen::<Visibility>(&world, &k8s).await,
        ["v-public", "v-k8s", "v-evil"]
    );
    assert_eq!(seen::<Instance>(&world, &k8s).await, ["i1", "i2"]);
    assert_eq!(seen::<Binding>(&world, &k8s).await, ["i1-b", "i2-b"]);
    assert_eq!(seen::<Platform>(&world, &k8s).await, ["k8s"]);

    let cf = of_platform("cf", false);
    assert_eq!(
        seen::<Broker>(&world, &cf).await,
        ["b1", "b2", "acme", "evil", "both"],
        "of no tenant: all"
    );
    assert_eq!(seen::<Plan>(&world, &cf).await.len(), 7);
    assert_eq!(
        seen::<Visibility>(&world, &cf).await,
        ["v-public", "v-cf", "v-evil"]
    );
    assert!(seen::<Instance>(&world, &cf).await.is_empty());

    let own = of_platform("acme-k8s", true);
    assert_eq!(seen::<Broker>(&world, &own).await, ["b1", "acme"]);
    assert_eq!(seen::<Plan>(&world, &own).await, ["b1-p1", "acme-p"]);
    assert_eq!(
        seen::<Visibility>(&world, &own).await,
        ["v-public", "v-acme"],
        "not what another tenant makes public"
    );
    let without = of_platform("acme-k8s", false);
    assert_eq!(
        seen::<Broker>(&world, &without).await,
        ["b1", "b2", "acme", "both"]
    );
    assert_eq!(seen::<Binding>(&world, &own).await, ["i3-b"]);
}
