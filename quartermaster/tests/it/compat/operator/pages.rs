//! Lists of many pages: the operator never takes a token back, so the third page is asked for with two.

use super::{Cluster, INSTANCES, quick};
use crate::harness::Engine;
use crate::harness::answer::id;
use std::collections::BTreeSet;

on_both_engines!(a_list_of_many_pages_ends);

async fn a_list_of_many_pages_ends(engine: Engine) {
    let setup = quick(engine).set("QM_API_DEFAULT_PAGE_SIZE", "1");
    let cluster = Cluster::on(setup).await;
    let mut made = BTreeSet::new();
    for name in ["a", "b", "c", "d"] {
        made.insert(id(&cluster.provision(name, "sync").await.expect(201)));
    }
    let all = cluster
        .list(INSTANCES, &[("attach_last_operations", "true")])
        .await;
    assert_eq!(all.len(), 4, "each once");
    assert_eq!(all.iter().map(id).collect::<BTreeSet<_>>(), made);
}
