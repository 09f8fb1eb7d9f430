//! The table of platforms: rows, pairs, signs of life.

use crate::engines::{World, change, on_both, read};
use crate::samples::{NOW, instances, platform, registry};
use qm_model::id::PlatformId;
use qm_model::platform::Platform;
use qm_model::{PageRequest, Query, Time, page::MaxItems};
use qm_policy::Scope;
use qm_store::platform::{self as table, Secrets};
use qm_store::resource;

on_both!(
    is_stored_and_changed,
    a_pair_stays_until_the_next_is_used,
    technical_ones_are_hidden,
    goes_unless_used
);

async fn get(world: &World, id: &str) -> Option<Platform> {
    let id = id.to_owned();
    read!(world, [id], tx => resource::get(tx, &Scope::All, &id).await).unwrap()
}

/// Defect 15: a sign of life and a change at the same time must not undo each other.
async fn is_stored_and_changed(world: World) {
    let mut it = platform("p");
    assert!(change!(world, [it], tx => table::insert(tx, &it, None).await).unwrap());
    assert!(!change!(world, [it], tx => table::insert(tx, &it, None).await).unwrap());
    assert_eq!(get(&world, "p").await, Some(it.clone()));

    let id = it.id.clone();
    let at = Time(NOW.0 + 7);
    change!(world, [id], tx => table::set_active(tx, &id, true, at, Some("2.0")).await).unwrap();
    // Written from what was read before the sign of life.
    it.description = "changed".to_owned();
    assert!(change!(world, [it], tx => table::update(tx, &it).await).unwrap());
    let found = get(&world, "p").await.unwrap();
    assert_eq!(
        (found.active, found.last_active, found.version.as_str()),
        (true, Some(at), "2.0")
    );
    assert_eq!(found.description, "changed");
    change!(world, [id], tx => table::set_active(tx, &id, false, at, None).await).unwrap();
    let found = get(&world, "p").await.unwrap();
    assert_eq!((found.active, found.version.as_str()), (false, "2.0"));

    let other = platform("q");
    assert!(change!(world, [other], tx => table::insert(tx, &other, None).await).unwrap());
    let renamed = Platform {
        name: "p-name".to_owned(),
        ..other
    };
    assert!(!change!(world, [renamed], tx => table::update(tx, &renamed).await).unwrap());
}

fn secrets(username: &str, byte: u8) -> Secrets {
    Secrets {
        username: username.to_owned(),
        hash: [byte; 32],
    }
}

async fn a_pair_stays_until_the_next_is_used(world: World) {
    let it = platform("p");
    let id = it.id.clone();
    change!(world, [it], tx => table::insert(tx, &it, Some(&secrets("one", 1))).await).unwrap();
    let login = async |name: &str| {
        let name = name.to_owned();
        let found = read!(world, [name], tx => table::by_username(tx, &name).await).unwrap();
        found.map(|(platform, stored)| (platform.id.to_string(), stored.current, stored.hash[0]))
    };
    let rotate = async |username: &'static str, byte| {
        assert!(
            change!(world, [id], tx => table::rotate(tx, &id, &secrets(username, byte)).await)
                .unwrap()
        );
    };
    let hit = |current, byte| Some(("p".to_owned(), current, byte));
    assert_eq!(login("one").await, hit(true, 1));
    assert_eq!(login("nobody").await, None);

    rotate("two", 2).await;
    assert_eq!(
        (login("one").await, login("two").await),
        (None, hit(true, 2)),
        "the first was never used"
    );
    assert!(!change!(world, [id], tx => table::activate(tx, &id, "one").await).unwrap());
    assert!(change!(world, [id], tx => table::activate(tx, &id, "two").await).unwrap());
    assert!(!change!(world, [id], tx => table::activate(tx, &id, "two").await).unwrap());
    rotate("three", 3).await;
    assert_eq!(
        (login("two").await, login("three").await),
        (hit(false, 2), hit(true, 3))
    );
    rotate("four", 4).await;
    assert_eq!(
        (
            login("two").await,
            login("three").await,
            login("four").await
        ),
        (hit(false, 2), None, hit(true, 4)),
        "the pair in use outlives one that was never used"
    );
    assert!(!change!(world, [id], tx => table::activate(tx, &id, "two").await).unwrap());
    assert!(change!(world, [id], tx => table::activate(tx, &id, "four").await).unwrap());
    assert_eq!(
        (login("two").await, login("four").await),
        (None, hit(true, 4))
    );
}

async fn technical_ones_are_hidden(world: World) {
    registry(&world).await;
    let hidden = Platform {
        technical: true,
        ..platform("hidden")
    };
    let manager = Platform {
        id: PlatformId::manager(),
        ..platform("m")
    };
    let unready = Platform {
        meta: qm_model::Meta {
            ready: false,
            ..crate::samples::meta(&[])
        },
        ..platform("unready")
    };
    change!(world, [hidden, manager, unready], tx => {
        for it in [&hidden, &manager, &unready] {
            assert!(table::insert(tx, it, None).await?);
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(get(&world, "hidden").await, None);
    let (any, receivers) = read!(world, [], tx => {
        let any = table::get_any(tx, "hidden").await?;
        Ok((any, table::receivers(tx).await?))
    })
    .unwrap();
    assert_eq!(any, Some(hidden));
    let receivers: Vec<_> = receivers
        .iter()
        .map(|platform| platform.id.as_str())
        .collect();
    assert_eq!(receivers, ["k8s", "cf"]);

    let request = PageRequest {
        max_items: MaxItems::Count(2),
        after: None,
    };
    let page = read!(world, [], tx => {
        resource::list::<Platform>(tx, &Scope::All, &Query::default(), &request).await
    });
    assert_eq!(page.unwrap().total.number(), 4, "not five");
}

async fn goes_unless_used(world: World) {
    registry(&world).await;
    instances(&world, &[("i", "b1-p1", "k8s")]).await;
    let (k8s, cf) = (
        PlatformId::stored("k8s".to_owned()),
        PlatformId::stored("cf".to_owned()),
    );
    let used = read!(world, [k8s, cf], tx => {
        Ok((table::has_instances(tx, &k8s).await?, table::has_instances(tx, &cf).await?))
    });
    assert_eq!(used.unwrap(), (true, false));
    assert!(change!(world, [k8s], tx => table::delete(tx, &k8s).await).is_err());
    assert!(change!(world, [cf], tx => table::delete(tx, &cf).await).unwrap());
    assert!(!change!(world, [cf], tx => table::delete(tx, &cf).await).unwrap());
}
