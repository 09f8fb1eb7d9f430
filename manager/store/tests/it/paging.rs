//! Pages: nothing twice, nothing left out, and numbers that say how well they are known.

use crate::engines::{World, change, on_both, read};
use crate::samples::{instance, registry};
use qm_db::Dialect;
use qm_model::id::InstanceId;
use qm_model::instance::Instance;
use qm_model::page::{MaxItems, Total};
use qm_model::query::columns;
use qm_model::{Kind, Page, PageRequest, Query};
use qm_policy::Scope;
use qm_store::{Error, Tx, instance as table, resource};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

on_both!(nothing_twice_while_others_write, numbers_above_the_bound);

async fn page(world: &World, query: &Query, after: Option<i64>, most: u32) -> Page<Instance> {
    let query = query.clone();
    let request = PageRequest {
        max_items: MaxItems::Count(most),
        after,
    };
    read!(world, [query], tx => resource::list::<Instance>(tx, &Scope::All, &query, &request).await)
        .unwrap()
}

fn labelled(text: &str) -> Query {
    Query::parse(columns(Kind::Instance), None, Some(text)).unwrap()
}

async fn nothing_twice_while_others_write(world: World) {
    registry(&world).await;
    for n in 0..60 {
        let it = instance(&format!("old{n}"), "b1-p1", "k8s");
        change!(world, [it], tx => table::insert(tx, &it).await).unwrap();
    }
    let stop = Arc::new(AtomicBool::new(false));
    let mut writers = tokio::task::JoinSet::new();
    for n in 0..4 {
        let (store, permit, stop) = (world.store.clone(), world.permit.clone(), Arc::clone(&stop));
        writers.spawn(async move {
            let mut m = 0;
            while !stop.load(Ordering::Relaxed) {
                let it = instance(&format!("new{n}-{m}"), "b1-p1", "k8s");
                let write = async move |tx: &Tx<'_>| {
                    table::insert(tx, &it).await?;
                    if m % 2 == 1 {
                        table::delete(tx, &InstanceId::stored(format!("new{n}-{}", m - 1))).await?;
                    }
                    Ok(())
                };
                match store.change::<_, Error, _>(&permit, write).await {
                    Ok(()) => m += 1,
                    Err(Error::Database(qm_db::Error::Busy { .. })) => {}
                    Err(error) => panic!("{error:?}"),
                }
            }
        });
    }
    for query in [
        Query::default(),
        labelled("tenant eq 'acme'"),
        labelled("tenant in ('acme', 'x')"),
    ] {
        let mut seen = BTreeSet::new();
        let mut after = None;
        loop {
            let page = page(&world, &query, after, 7).await;
            for it in page.items {
                assert!(seen.insert(it.id.to_string()), "{} came twice", it.id);
            }
            let Some(next) = page.next else { break };
            assert!(after.is_none_or(|before| next > before));
            after = Some(next);
            if seen.len() > 500 {
                break;
            }
        }
        let old = seen.iter().filter(|id| id.starts_with("old")).count();
        assert_eq!(old, 60, "who was there all the time was shown");
    }
    stop.store(true, Ordering::Relaxed);
    writers.join_all().await;
}

async fn numbers_above_the_bound(world: World) {
    registry(&world).await;
    let total = async |query: &Query| page(&world, query, None, 2).await.total;
    for step in 0..11 {
        change!(world, [], tx => {
            for n in 0..100 {
                table::insert(tx, &instance(&format!("i{step}-{n}"), "b1-p1", "k8s")).await?;
            }
            Ok(())
        })
        .unwrap();
        if step == 9 {
            assert_eq!(total(&Query::default()).await, Total::Exact(1_000));
            assert_eq!(
                total(&labelled("tenant eq 'acme'")).await,
                Total::Exact(1_000)
            );
        }
    }
    assert_eq!(
        total(&labelled("tenant eq 'acme'")).await,
        Total::AtLeast(1_000)
    );
    match world.store.dialect() {
        Dialect::Sqlite => assert_eq!(total(&Query::default()).await, Total::Exact(1_100)),
        Dialect::Postgres => {
            world
                .beneath()
                .await
                .execute("ANALYZE instance", vec![])
                .await
                .unwrap();
            assert_eq!(total(&Query::default()).await, Total::Estimate(1_100));
        }
    }
    let request = PageRequest {
        max_items: MaxItems::NumberOnly,
        after: None,
    };
    for query in [
        Query::default(),
        labelled("tenant eq 'acme'"),
        labelled("tenant in ('acme', 'x')"),
    ] {
        let page = read!(world, [query], tx => resource::list::<Instance>(tx, &Scope::All, &query, &request).await);
        assert_eq!(page.unwrap().total, Total::Exact(1_100));
    }
}
