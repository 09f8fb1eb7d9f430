//! Trees of operations: what depends on what, what a tree has begun, how far it is.

use crate::engines::{World, change, on_both, read};
use crate::samples::{NOW, binding, instance, labels, operation, platform, registry};
use qm_model::id::{BrokerId, InstanceId, OperationId, PlatformId};
use qm_model::instance::Instance;
use qm_model::operation::{Family, Operation, State, Verb};
use qm_model::platform::Platform;
use qm_model::{Kind, Meta, Time};
use qm_store::operation::family::{self, Branch, Child, Left, Place, Tally};
use qm_store::operation::{self as table, Began, Held, NewOperation, Phase};
use qm_store::{Error, binding as bindings, instance as instances, platform as platforms};

on_both!(
    each_kind_has_its_dependants,
    what_the_tree_has_begun_is_passed_over,
    a_node_turns_into_a_deletion,
    who_lost_the_lease_of_a_node_is_refused,
    references_from_elsewhere_are_seen,
);

fn at(millis: i64) -> Time {
    Time(NOW.0 + millis)
}

fn op(id: &str) -> OperationId {
    OperationId::stored(id.to_owned())
}

fn branch(kind: Kind, id: &str) -> Branch {
    Branch {
        kind,
        id: id.to_owned(),
        tenant_label: "tenant".to_owned(),
    }
}

/// Platform `k8s` has `i1` (with two bindings, and `r1` on `cf` refers to it), `i2` and `i3`; `cf` has `r1` and `i4`.
/// `mine` is a platform of the tenant's with `i5`, and the manager has `i6` of the tenant's and `i7` of another's.
async fn landscape(world: &World) {
    registry(world).await;
    let tenants = |id: &str, value: &str| Platform {
        meta: Meta::new(NOW, labels(&[("tenant", value)])),
        ..platform(id)
    };
    let mut all = Vec::new();
    for (id, plan, on) in [
        ("i1", "b1-p1", "k8s"),
        ("i2", "b1-p2", "k8s"),
        ("i3", "b2-p1", "k8s"),
        ("r1", "b1-p1", "cf"),
        ("i4", "b2-p2", "cf"),
        ("i5", "b1-p1", "mine"),
        ("i6", "b1-p1", "service-manager"),
        ("i7", "b1-p1", "service-manager"),
    ] {
        let whose = match id {
            "i5" | "i6" => "acme",
            _ => "other",
        };
        all.push(Instance {
            referenced_instance_id: (id == "r1").then(|| InstanceId::stored("i1".to_owned())),
            shared: (id == "i1").then_some(true),
            meta: Meta::new(NOW, labels(&[("tenant", whose)])),
            ..instance(id, plan, on)
        });
    }
    let own = Platform {
        id: PlatformId::manager(),
        ..tenants("x", "acme")
    };
    let mine = tenants("mine", "acme");
    change!(world, [all, mine, own], tx => {
        assert!(platforms::insert(tx, &mine, None).await?);
        assert!(platforms::insert(tx, &own, None).await?);
        for it in &all {
            assert!(instances::insert(tx, it).await?);
        }
        for id in ["b1", "b2"] {
            assert!(bindings::insert(tx, &binding(id, "i1"), None).await?);
        }
        Ok(())
    })
    .unwrap();
}

async fn next(world: &World, of: &Branch, root: &str, after: Place, limit: usize) -> Vec<Child> {
    let (of, root) = (of.clone(), op(root));
    read!(world, [of, root], tx => of.next(tx, &root, after, limit).await).unwrap()
}

async fn ids(world: &World, of: &Branch) -> Vec<String> {
    let found = next(world, of, "root", Place::default(), 100).await;
    found
        .into_iter()
        .map(|child| format!("{} {} {}", child.kind, child.id, child.is_node))
        .collect()
}

async fn each_kind_has_its_dependants(world: World) {
    landscape(&world).await;
    for (kind, id, wanted, living) in [
        (
            Kind::Platform,
            "k8s",
            &["instance i1 true", "instance i2 false", "instance i3 false"][..],
            5,
        ),
        (
            Kind::Instance,
            "i1",
            &["binding b1 false", "binding b2 false", "instance r1 true"],
            3,
        ),
        (
            Kind::Broker,
            "b2",
            &["instance i3 false", "instance i4 false"],
            2,
        ),
        // What is on its platform goes with that; the manager's own platform is nobody's.
        (
            Kind::Tenant,
            "acme",
            &["platform mine true", "instance i6 false"],
            3,
        ),
        (Kind::Binding, "b1", &[], 0),
        (Kind::Tenant, "nobody", &[], 0),
    ] {
        let of = branch(kind, id);
        assert_eq!(ids(&world, &of).await, wanted, "{kind} {id}");
        let (bare, count) = read!(world, [of], tx => {
            Ok((of.is_bare(tx).await?, of.living(tx).await?))
        })
        .unwrap();
        assert_eq!((bare, count), (wanted.is_empty(), living), "{kind} {id}");
    }
    let of = branch(Kind::Instance, "i1");
    let first = next(&world, &of, "root", Place::default(), 2).await;
    assert_eq!(
        first
            .iter()
            .map(|child| child.instance.as_ref().map(InstanceId::as_str))
            .collect::<Vec<_>>(),
        [Some("i1"), Some("i1")]
    );
    let rest = next(&world, &of, "root", first[1].place, 2).await;
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert_eq!(rest[0].id, "r1");
    assert!(next(&world, &of, "root", rest[0].place, 2).await.is_empty());
}

fn node(id: &str, kind: Kind, resource: &str, parent: Option<&str>) -> NewOperation {
    NewOperation {
        operation: Operation {
            verb: Verb::Delete,
            state: State::Pending,
            family: Family {
                parent: parent.map(op),
                root: Some(op("root")),
            },
            ..operation(id, kind, resource)
        },
        tenant: None,
        work: b"order".to_vec(),
        keep_on_failure: false,
        owner: "first".to_owned(),
        lease_until: at(100),
    }
}

async fn begin(world: &World, new: NewOperation) -> Held {
    match change!(world, [new], tx => family::insert(tx, &new).await).unwrap() {
        Began::Begun(held) => held,
        Began::Busy(other) => panic!("{other:?}"),
    }
}

async fn end(world: &World, held: &Held, state: State) {
    let held = held.clone();
    change!(world, [held], tx => {
        table::finish(tx, &held, state, None, "why", at(5)).await.map(drop)
    })
    .unwrap();
}

async fn standing(world: &World, of: &Branch) -> (Left, Tally, Tally) {
    let of = of.clone();
    read!(world, [of], tx => {
        Ok((
            of.left(tx, &op("root")).await?,
            family::tally(tx, &op("root")).await?,
            family::open_children(tx, &op("root")).await?,
        ))
    })
    .unwrap()
}

async fn what_the_tree_has_begun_is_passed_over(world: World) {
    landscape(&world).await;
    let of = branch(Kind::Platform, "k8s");
    begin(&world, node("root", Kind::Platform, "k8s", None)).await;
    let second = node("another", Kind::Platform, "k8s", None);
    let busy = change!(world, [second], tx => family::insert(tx, &second).await).unwrap();
    assert!(matches!(busy, Began::Busy(first) if first.id == op("root")));
    let left = Left {
        all: 3,
        open: 0,
        untouched: 3,
    };
    assert_eq!(
        standing(&world, &of).await,
        (left, Tally::default(), Tally::default())
    );

    let one = begin(&world, node("o1", Kind::Instance, "i1", Some("root"))).await;
    let two = begin(&world, node("o2", Kind::Instance, "i2", Some("root"))).await;
    // A deletion of another tree, or of none, is not this tree's; it is waited for.
    let mut other = node("o3", Kind::Instance, "i3", None);
    other.operation.family = Family::default();
    let three = begin(&world, other).await;
    assert_eq!(ids(&world, &of).await, ["instance i3 false"]);
    let tally = Tally {
        open: 2,
        cascading: 2,
        ..Tally::default()
    };
    let left = Left {
        all: 3,
        open: 3,
        untouched: 0,
    };
    assert_eq!(standing(&world, &of).await, (left, tally, tally));

    // Another node of the tree has the same dependant: it shares what comes of it.
    let shared = branch(Kind::Broker, "b1");
    let seen = ids(&world, &shared).await;
    assert!(!seen.iter().any(|id| id.contains("i1")), "{seen:?}");

    end(&world, &one, State::Failed).await;
    end(&world, &two, State::Succeeded).await;
    end(&world, &three, State::Failed).await;
    let gone = InstanceId::stored("i2".to_owned());
    change!(world, [gone], tx => instances::delete(tx, &gone).await).unwrap();
    let left = Left {
        all: 2,
        open: 0,
        untouched: 1,
    };
    let tally = Tally {
        gone: 1,
        failed: 1,
        ..Tally::default()
    };
    assert_eq!(standing(&world, &of).await, (left, tally, Tally::default()));
    let failures = read!(world, [of], tx => of.failures(tx, &op("root"), 10).await).unwrap();
    let failures: Vec<_> = failures.iter().map(|failed| failed.id.as_str()).collect();
    assert_eq!(failures, ["o1"]);
    assert_eq!(ids(&world, &of).await, ["instance i3 false"]);
}

async fn a_node_turns_into_a_deletion(world: World) {
    landscape(&world).await;
    let held = begin(&world, node("root", Kind::Instance, "i1", None)).await;
    let said = async |text: &str, step: Option<&str>| {
        family::progress(&world.store, &held, text, step, at(1), at(100))
            .await
            .unwrap();
    };
    said("0 of 3 gone", Some("begun")).await;
    said("1 of 3 gone", None).await;
    said("3 of 3 gone", Some("nearly done")).await;
    family::rest(&world.store, &held, at(50)).await.unwrap();
    let claim = async |now| {
        table::claim(&world.store, "second", now, at(900), 10)
            .await
            .unwrap()
    };
    assert!(claim(at(49)).await.is_empty(), "not due yet");
    let taken = claim(at(50)).await.remove(0);
    assert_eq!(taken.phase, Phase::Cascading);
    assert_eq!(taken.work, b"order");
    let shown = &taken.operation;
    assert_eq!(shown.state, State::InProgress);
    assert_eq!(shown.description, "3 of 3 gone");
    let steps: Vec<_> = shown.story.steps.iter().map(|step| &step.what).collect();
    assert_eq!(steps, ["begun", "nearly done"]);

    let held = taken.held.clone();
    let broker = BrokerId::stored("b1".to_owned());
    change!(world, [held, broker], tx => {
        family::queue(tx, &held, &broker, b"how", Some(at(5_000)), at(60)).await
    })
    .unwrap();
    let again = claim(at(900)).await.remove(0);
    assert_eq!(
        (again.phase, again.work.as_slice()),
        (Phase::Queued, b"how".as_slice())
    );
    assert_eq!(again.broker_id, Some(BrokerId::stored("b1".to_owned())));
    assert_eq!(again.operation.deadline, Some(at(5_000)));
    assert_eq!(again.operation.family.root, Some(op("root")));
}

async fn who_lost_the_lease_of_a_node_is_refused(world: World) {
    landscape(&world).await;
    let first = begin(&world, node("root", Kind::Instance, "i1", None)).await;
    let second = table::claim(&world.store, "second", at(100), at(900), 1)
        .await
        .unwrap();
    assert_eq!(second.len(), 1);
    let fenced = |result: Result<(), Error>| matches!(result, Err(Error::Fenced));
    assert!(fenced(
        family::progress(&world.store, &first, "late", None, at(1), at(2)).await
    ));
    assert!(fenced(family::rest(&world.store, &first, at(1)).await));
    let broker = BrokerId::stored("b1".to_owned());
    let late = change!(world, [first, broker], tx => {
        family::queue(tx, &first, &broker, b"how", None, at(1)).await
    });
    assert!(fenced(late));
}

async fn references_from_elsewhere_are_seen(world: World) {
    landscape(&world).await;
    let elsewhere = async |id: &str| {
        let of = branch(Kind::Platform, id);
        read!(world, [of], tx => of.referred_to_from_elsewhere(tx).await).unwrap()
    };
    assert_eq!(elsewhere("cf").await, None);
    assert_eq!(
        elsewhere("k8s").await,
        Some(InstanceId::stored("i1".to_owned()))
    );
}
