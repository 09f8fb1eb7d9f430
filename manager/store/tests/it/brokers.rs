//! The table of brokers.

use crate::engines::{World, change, on_both, read};
use crate::samples::{NOW, access, broker, instances, labels, registry, visibilities};
use qm_model::broker::{Access, Auth, Broker, CatalogState, Difference, HeldChange, Tls};
use qm_model::id::BrokerId;
use qm_model::{Query, Secret, Time};
use qm_policy::Scope;
use qm_store::{broker as table, resource};

on_both!(
    is_stored_and_changed,
    a_name_is_taken_once,
    access_of_every_kind,
    goes_with_all_it_has,
    catalogs_are_due
);

async fn is_stored_and_changed(world: World) {
    let mut it = broker("b");
    assert!(change!(world, [it], tx => table::insert(tx, &it, &access("one")).await).unwrap());
    let get = async |world: &World| {
        read!(world, [], tx => resource::get::<Broker>(tx, &Scope::All, "b").await).unwrap()
    };
    assert_eq!(get(&world).await, Some(it.clone()));

    it.description = "another".to_owned();
    it.meta.labels = labels(&[("owner", "you"), ("new", "")]);
    it.meta.updated_at = Time(NOW.0 + 5);
    assert!(change!(world, [it], tx => table::update(tx, &it, None).await).unwrap());
    assert_eq!(get(&world).await, Some(it.clone()));
    let found =
        read!(world, [], tx => table::access(tx, &BrokerId::stored("b".to_owned())).await).unwrap();
    assert_eq!(found, Some(access("one")), "stays when none is given");
    assert_eq!(
        world
            .number("SELECT count(*) FROM label WHERE kind = 'broker'")
            .await,
        2
    );

    it.name = "renamed".to_owned();
    assert!(
        change!(world, [it], tx => table::update(tx, &it, Some(&access("two"))).await).unwrap()
    );
    let found =
        read!(world, [], tx => table::access(tx, &BrokerId::stored("b".to_owned())).await).unwrap();
    assert_eq!((get(&world).await, found), (Some(it), Some(access("two"))));

    let gone = BrokerId::stored("b".to_owned());
    assert!(change!(world, [gone], tx => table::delete(tx, &gone).await).unwrap());
    assert!(!change!(world, [gone], tx => table::delete(tx, &gone).await).unwrap());
    let unknown = broker("b");
    assert!(!change!(world, [unknown], tx => table::update(tx, &unknown, None).await).unwrap());
}

async fn a_name_is_taken_once(world: World) {
    let insert = async |it: Broker| {
        change!(world, [it], tx => table::insert(tx, &it, &access("x")).await).unwrap()
    };
    assert!(insert(broker("a")).await);
    assert!(
        !insert(Broker {
            name: "other".to_owned(),
            ..broker("a")
        })
        .await
    );
    assert!(
        !insert(Broker {
            name: "a-name".to_owned(),
            ..broker("c")
        })
        .await
    );
    assert!(insert(broker("b")).await);
    let renamed = Broker {
        name: "a-name".to_owned(),
        ..broker("b")
    };
    assert!(!change!(world, [renamed], tx => table::update(tx, &renamed, None).await).unwrap());
}

async fn access_of_every_kind(world: World) {
    let secret = |text: &str| Secret::new(text.to_owned());
    let all = [
        Access {
            auth: Auth::None,
            tls: Tls::Managers,
        },
        Access {
            auth: Auth::Bearer { token: secret("t") },
            tls: Tls::Own {
                certificate: "c".to_owned(),
                key: secret("k"),
            },
        },
        Access {
            auth: Auth::OAuth2 {
                token_url: "http://t".to_owned(),
                client_id: "i".to_owned(),
                client_secret: secret("s"),
                scope: String::new(),
            },
            tls: Tls::None,
        },
    ];
    for (n, given) in all.into_iter().enumerate() {
        let it = broker(&format!("b{n}"));
        let found = change!(world, [it, given], tx => {
            table::insert(tx, &it, &given).await?;
            table::access(tx, &it.id).await
        });
        assert_eq!(found.unwrap(), Some(given));
    }
}

async fn goes_with_all_it_has(world: World) {
    registry(&world).await;
    visibilities(&world, &[("v", "b1-p1", Some("k8s"))]).await;
    instances(&world, &[("i", "b2-p1", "k8s")]).await;
    let (b1, b2) = (
        BrokerId::stored("b1".to_owned()),
        BrokerId::stored("b2".to_owned()),
    );
    let used = read!(world, [b1, b2], tx => {
        Ok((table::has_instances(tx, &b1).await?, table::has_instances(tx, &b2).await?))
    });
    assert_eq!(used.unwrap(), (false, true));
    assert!(change!(world, [b1], tx => table::delete(tx, &b1).await).unwrap());
    let refused = change!(world, [b2], tx => table::delete(tx, &b2).await).unwrap_err();
    assert!(matches!(
        refused,
        qm_store::Error::Database(qm_db::Error::ForeignKey { .. })
    ));
    assert_eq!(world.number("SELECT count(*) FROM plan").await, 2);
    assert_eq!(world.number("SELECT count(*) FROM visibility").await, 0);
    world.kept_numbers_agree().await;
    let left = "SELECT count(*) FROM label WHERE kind = 'broker' AND object_id = 'b1'";
    assert_eq!(world.number(left).await, 0);
    let brokers = read!(world, [], tx => resource::matching::<Broker>(tx, &Scope::All, &Query::default()).await);
    assert_eq!(brokers.unwrap().len(), 1);
}

async fn catalogs_are_due(world: World) {
    registry(&world).await;
    let later = Time(NOW.0 + 1_000);
    let claim = async |at: Time, limit| {
        table::claim_due(&world.store, at, later, limit)
            .await
            .unwrap()
            .len()
    };
    assert_eq!(claim(Time(NOW.0 - 1), 9).await, 0);
    assert_eq!(claim(NOW, 1).await, 1);
    assert_eq!(claim(NOW, 9).await, 1, "the other one");
    assert_eq!(claim(NOW, 9).await, 0, "both are claimed");
    assert_eq!(claim(later, 9).await, 2);

    let state = CatalogState {
        etag: Some("\"1\"".to_owned()),
        fetched_at: Some(NOW),
        problem: Some("away".to_owned()),
        held: Some(HeldChange {
            at: NOW,
            reason: "would break".to_owned(),
            difference: Difference {
                added: vec!["a".to_owned()],
                changed: vec![],
                removed: vec!["o/p".to_owned()],
            },
        }),
    };
    let id = BrokerId::stored("b1".to_owned());
    let found = change!(world, [id, state], tx => {
        table::set_catalog_state(tx, &id, &state).await?;
        table::set_due(tx, &id, NOW).await?;
        resource::get::<Broker>(tx, &Scope::All, "b1").await
    });
    let found = found.unwrap().unwrap();
    assert_eq!((found.catalog, found.meta.updated_at), (state, NOW));
    assert_eq!(claim(NOW, 9).await, 1);
}
