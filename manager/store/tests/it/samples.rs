//! Resources for tests, each with something in every field, and a small registry of them.

use crate::engines::{World, change};
use qm_model::binding::Binding;
use qm_model::broker::{Access, Auth, Broker, CatalogState, Tls};
use qm_model::event::{Audience, Change, NewEvent};
use qm_model::id::{
    BindingId, BrokerId, EventId, InstanceId, OfferingId, OperationId, PlanId, PlatformId,
    VisibilityId,
};
use qm_model::instance::Instance;
use qm_model::offering::Offering;
use qm_model::operation::{Operation, State, Verb};
use qm_model::plan::Plan;
use qm_model::platform::Platform;
use qm_model::visibility::Visibility;
use qm_model::{Kind, Labels, Meta, Secret, Time};
use qm_store::{
    broker as brokers, catalog, instance as instances_, platform as platforms,
    visibility as visibilities_,
};
use serde_json::json;

pub(crate) const NOW: Time = Time(1_700_000_000_000);

pub(crate) fn labels(pairs: &[(&str, &str)]) -> Labels {
    let pairs = pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    Labels::from_pairs(pairs).unwrap()
}

pub(crate) fn meta(pairs: &[(&str, &str)]) -> Meta {
    Meta::new(NOW, labels(pairs))
}

pub(crate) fn broker(id: &str) -> Broker {
    Broker {
        id: BrokerId::new(id).unwrap(),
        name: format!("{id}-name"),
        description: "a broker".to_owned(),
        url: format!("http://{id}.example"),
        meta: meta(&[("owner", "me"), ("owner", "you"), ("a.b:c", "d")]),
        catalog: CatalogState::default(),
    }
}

pub(crate) fn access(password: &str) -> Access {
    Access {
        auth: Auth::Basic {
            username: "admin".to_owned(),
            password: Secret::new(password.to_owned()),
        },
        tls: Tls::None,
    }
}

pub(crate) fn platform(id: &str) -> Platform {
    Platform {
        id: PlatformId::new(id).unwrap(),
        name: format!("{id}-name"),
        platform_type: "kubernetes".to_owned(),
        description: "a platform".to_owned(),
        technical: false,
        suspended: false,
        active: false,
        last_active: None,
        version: "1.0".to_owned(),
        meta: meta(&[]),
    }
}

pub(crate) fn offering(broker: &str, id: &str) -> Offering {
    Offering {
        id: OfferingId::new(id).unwrap(),
        broker_id: BrokerId::new(broker).unwrap(),
        name: format!("{id}-name"),
        description: "an offering".to_owned(),
        bindable: true,
        plan_updateable: false,
        instances_retrievable: true,
        bindings_retrievable: false,
        allow_context_updates: true,
        tags: vec!["sql".to_owned()],
        requires: vec![],
        metadata: Some(json!({"displayName": "It"})),
        catalog_id: format!("{id}-catalog"),
        catalog_name: format!("{id}-name"),
        data_center: String::new(),
        meta: meta(&[]),
    }
}

pub(crate) fn plan(offering: &str, id: &str) -> Plan {
    Plan {
        id: PlanId::new(id).unwrap(),
        offering_id: OfferingId::new(offering).unwrap(),
        name: format!("{id}-name"),
        description: "a plan".to_owned(),
        free: false,
        bindable: Some(true),
        plan_updateable: None,
        metadata: Some(json!({"supportedPlatforms": ["kubernetes"]})),
        schemas: None,
        maximum_polling_duration: Some(60),
        maintenance_info: Some(json!({"version": "1.0.0"})),
        catalog_id: format!("{id}-catalog"),
        catalog_name: format!("{id}-name"),
        meta: meta(&[]),
    }
}

pub(crate) fn visibility(id: &str, plan: &str, platform: Option<&str>) -> Visibility {
    Visibility {
        id: VisibilityId::new(id).unwrap(),
        platform_id: platform.map(|id| PlatformId::new(id).unwrap()),
        plan_id: PlanId::new(plan).unwrap(),
        meta: meta(&[]),
    }
}

pub(crate) fn instance(id: &str, plan: &str, platform: &str) -> Instance {
    Instance {
        id: InstanceId::new(id).unwrap(),
        name: format!("{id}-name"),
        plan_id: PlanId::new(plan).unwrap(),
        platform_id: PlatformId::new(platform).unwrap(),
        dashboard_url: Some("http://dashboard.example".to_owned()),
        maintenance_info: None,
        context: Some(
            json!({"clusterid": "c1", "namespace": "default", "deep": {"er": 5}, "on": true}),
        ),
        referenced_instance_id: None,
        shared: None,
        usable: true,
        meta: meta(&[("tenant", "acme")]),
    }
}

pub(crate) fn binding(id: &str, instance: &str) -> Binding {
    Binding {
        id: BindingId::new(id).unwrap(),
        name: format!("{id}-name"),
        instance_id: InstanceId::new(instance).unwrap(),
        syslog_drain_url: None,
        route_service_url: Some("https://route.example".to_owned()),
        volume_mounts: Some(json!([])),
        endpoints: None,
        context: Some(json!({"namespace": "default"})),
        bind_resource: Some(json!({"app_guid": "x"})),
        meta: meta(&[("tenant", "acme")]),
    }
}

pub(crate) fn operation(id: &str, kind: Kind, resource: &str) -> Operation {
    Operation {
        id: OperationId::new(id).unwrap(),
        verb: Verb::Create,
        state: State::InProgress,
        resource_kind: kind,
        resource_id: resource.to_owned(),
        platform_id: PlatformId::manager(),
        correlation_id: "c".repeat(200),
        description: String::new(),
        errors: None,
        created_at: NOW,
        updated_at: NOW,
        deadline: Some(Time(NOW.0 + 1_000)),
        attempts: 0,
        due_at: Some(NOW),
        family: Default::default(),
        story: Default::default(),
    }
}

pub(crate) fn event(id: &str) -> NewEvent {
    NewEvent {
        broker: None,
        id: EventId::new(id).unwrap(),
        resource: Kind::Broker,
        resource_id: "b".to_owned(),
        change: Change::Created,
        audience: Audience::Everyone,
        payload: format!("{{\"of\":\"{id}\"}}"),
        correlation_id: "c".repeat(200),
    }
}

/// Two brokers (`b1`, `b2`) with an offering of two plans each (`b1-o`, `b1-p1`, `b1-p2`), and the platforms
/// `k8s`, `cf`.
pub(crate) async fn registry(world: &World) {
    let done = change!(world, [], tx => {
        for id in ["b1", "b2"] {
            assert!(brokers::insert(tx, &broker(id), &access("secret")).await?);
            let o = format!("{id}-o");
            catalog::put_offering(tx, &offering(id, &o), &json!({"id": o})).await?;
            for n in 1..=2 {
                let p = format!("{id}-p{n}");
                catalog::put_plan(tx, &plan(&o, &p), &json!({"id": p})).await?;
            }
        }
        assert!(platforms::insert(tx, &platform("k8s"), None).await?);
        let cf = Platform { platform_type: "cloudfoundry".to_owned(), ..platform("cf") };
        assert!(platforms::insert(tx, &cf, None).await?);
        Ok(())
    });
    done.unwrap();
}

/// A visibility for each, stored.
pub(crate) async fn visibilities(world: &World, all: &[(&str, &str, Option<&str>)]) {
    for (id, plan, platform) in all {
        let row = visibility(id, plan, *platform);
        assert!(change!(world, [row], tx => visibilities_::insert(tx, &row).await).unwrap());
    }
}

/// Instances, stored.
pub(crate) async fn instances(world: &World, all: &[(&str, &str, &str)]) {
    for (id, plan, platform) in all {
        let row = instance(id, plan, platform);
        assert!(change!(world, [row], tx => instances_::insert(tx, &row).await).unwrap());
    }
}
