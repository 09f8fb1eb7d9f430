//! Many write at once to one name, one visibility, one label: one wins or all are kept, and nobody is lost.

use crate::engines::{World, on_both, read};
use crate::samples::{access, broker, registry, visibilities, visibility};
use qm_model::broker::Broker;
use qm_model::label::LabelOp;
use qm_model::visibility::Visibility;
use qm_model::{LabelChange, Query};
use qm_policy::Scope;
use qm_store::{Error, Store, Tx, broker as brokers, resource, visibility as table};
use std::collections::BTreeSet;
use std::future::Future;
use tokio::task::JoinSet;

on_both!(one_name, one_visibility, one_label, public_or_single);

const WRITERS: usize = 16;

/// Runs one closure per writer, half of them through another handle, and gives their answers.
async fn all_at_once<T, F>(world: &World, write: impl Fn(Store, usize) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let other = world.another().await;
    let mut writers = JoinSet::new();
    for n in 0..WRITERS {
        let store = if n % 2 == 0 {
            world.store.clone()
        } else {
            other.clone()
        };
        writers.spawn(write(store, n));
    }
    writers.join_all().await
}

async fn one_name(world: World) {
    let permit = world.permit.clone();
    let won = all_at_once(&world, |store, n| {
        let permit = permit.clone();
        async move {
            let it = Broker {
                name: "wanted".to_owned(),
                ..broker(&format!("b{n}"))
            };
            store
                .change::<_, Error, _>(&permit, async move |tx: &Tx<'_>| {
                    brokers::insert(tx, &it, &access("x")).await
                })
                .await
                .unwrap()
        }
    })
    .await;
    assert_eq!(won.iter().filter(|won| **won).count(), 1);
    assert_eq!(world.number("SELECT count(*) FROM broker").await, 1);
}

async fn one_visibility(world: World) {
    registry(&world).await;
    let permit = world.permit.clone();
    let won = all_at_once(&world, |store, n| {
        let permit = permit.clone();
        async move {
            let it = visibility(&format!("v{n}"), "b1-p1", Some("cf"));
            store
                .change::<_, Error, _>(&permit, async move |tx: &Tx<'_>| {
                    table::insert(tx, &it).await
                })
                .await
                .unwrap()
        }
    })
    .await;
    assert_eq!(won.iter().filter(|won| **won).count(), 1);
    assert_eq!(world.number("SELECT count(*) FROM visibility").await, 1);
}

/// Defect 7: each reads, adds a value and writes; no value may be lost.
async fn one_label(world: World) {
    registry(&world).await;
    visibilities(&world, &[("v", "b1-p1", Some("cf"))]).await;
    let permit = world.permit.clone();
    all_at_once(&world, |store, n| {
        let permit = permit.clone();
        async move {
            let add = LabelChange::new(LabelOp::Add, "org", [format!("o{n}")]).unwrap();
            let write = async move |tx: &Tx<'_>| {
                let mut it = resource::get::<Visibility>(tx, &Scope::All, "v")
                    .await?
                    .unwrap();
                it.meta.labels = it.meta.labels.apply(std::slice::from_ref(&add)).unwrap();
                assert!(table::update(tx, &it).await?);
                Ok(())
            };
            while let Err(error) = store.change::<_, Error, _>(&permit, write.clone()).await {
                assert!(
                    matches!(error, Error::Database(qm_db::Error::Busy { .. })),
                    "{error:?}"
                );
            }
        }
    })
    .await;
    let found = read!(world, [], tx => resource::get::<Visibility>(tx, &Scope::All, "v").await)
        .unwrap()
        .unwrap();
    assert_eq!(
        found.meta.labels.get("org").map(BTreeSet::len),
        Some(WRITERS)
    );
    assert_eq!(
        world
            .number("SELECT count(*) FROM label WHERE kind = 'visibility'")
            .await,
        WRITERS as i64
    );
}

/// Half want the plan public, half want it for single platforms. Each looks before it writes.
async fn public_or_single(world: World) {
    registry(&world).await;
    let permit = world.permit.clone();
    all_at_once(&world, |store, n| {
        let permit = permit.clone();
        async move {
            let platform = if n % 2 == 0 {
                None
            } else {
                Some(["cf", "k8s"][n / 2 % 2])
            };
            let it = visibility(&format!("v{n}"), "b1-p1", platform);
            let write = async move |tx: &Tx<'_>| {
                let others = table::of_plan(tx, &it.plan_id).await?;
                let alone = it.platform_id.is_none()
                    || others.iter().any(|other| other.platform_id.is_none());
                if others.is_empty() || !alone {
                    table::insert(tx, &it).await?;
                }
                Ok(())
            };
            while let Err(error) = store.change::<_, Error, _>(&permit, write.clone()).await {
                assert!(
                    matches!(error, Error::Database(qm_db::Error::Busy { .. })),
                    "{error:?}"
                );
            }
        }
    })
    .await;
    let rows = read!(world, [], tx => resource::matching::<Visibility>(tx, &Scope::All, &Query::default()).await);
    let rows = rows.unwrap();
    let public = rows.iter().filter(|row| row.platform_id.is_none()).count();
    assert!(
        !rows.is_empty() && (public == 0 || rows.len() == 1),
        "{rows:?}"
    );
}
