//! What depends on the resource of a cascade's node and is still there.
//!
//! ```text
//!   tenant    its platforms, its brokers, and its instances that are on none of these
//!   platform  its instances
//!   broker    the instances of its plans
//!   instance  its bindings and the instances that refer to it
//! ```
//!
//! The rule: what a tree has begun once it does not begin again, also if another node of it did. Rows are walked along
//! their own order, so that a tree with thousands of them is not read anew for each.

mod source;

use crate::cells::Cells;
use crate::resource::{Table, columns};
use crate::sql::Binds;
use crate::{Error, Tx};
use qm_db::Row;
use qm_model::Kind;
use qm_model::id::{InstanceId, OperationId};
use qm_model::operation::Operation;
use source::{Source, in_tree, is_open, of_tree, sources};
use std::sync::Arc;

/// Whose dependants are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// What it is.
    pub kind: Kind,
    /// Which one.
    pub id: String,
    /// The label that names the tenant of a thing.
    pub tenant_label: String,
}

/// Something that depends on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Child {
    /// What it is.
    pub kind: Kind,
    /// Which one.
    pub id: String,
    /// Of a binding: its instance.
    pub instance: Option<InstanceId>,
    /// Whether it needs a node of its own: something may depend on it in its turn, or no broker knows it.
    pub is_node: bool,
    /// Where it stands: in which list, and where in it. The next look begins after it.
    pub place: Place,
}

/// A place in the lists of dependants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    list: usize,
    seq: i64,
}

/// How many of them are left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Left {
    /// All.
    pub all: u64,
    /// Of those: something is being done to them.
    pub open: u64,
    /// Of those: the tree has not begun with them, and nothing is being done to them.
    pub untouched: u64,
}

impl Branch {
    /// Up to `limit` dependants that the tree has not begun with, after a place.
    ///
    /// # Errors
    /// The database's.
    pub async fn next(
        &self,
        tx: &Tx<'_>,
        root: &OperationId,
        after: Place,
        limit: usize,
    ) -> Result<Vec<Child>, Error> {
        let mut found = Vec::new();
        let lists = sources(self.kind).iter().enumerate().skip(after.list);
        for (list, source) in lists {
            let seq = if list == after.list { after.seq } else { 0 };
            let mut binds = Binds::new(tx.dialect());
            let from = source.from(&mut binds, self);
            let text = format!(
                "SELECT d.id, d.seq, {}, {} FROM {from} AND d.seq > {} AND NOT {} ORDER BY d.seq LIMIT {}",
                source.instance(),
                source.is_node(),
                binds.bind(seq),
                in_tree(source.kind, &binds.bind(root.as_str())),
                binds.bind(rest(limit, found.len())),
            );
            for row in query(tx, text, &binds).await? {
                found.push(Child {
                    kind: source.kind,
                    id: row.get(0)?,
                    instance: row.get::<Option<String>>(2)?.map(InstanceId::stored),
                    is_node: row.get(3)?,
                    place: Place {
                        list,
                        seq: row.get(1)?,
                    },
                });
            }
            if found.len() >= limit {
                break;
            }
        }
        Ok(found)
    }

    /// How many dependants are left, and how it stands with them.
    ///
    /// # Errors
    /// The database's.
    pub async fn left(&self, tx: &Tx<'_>, root: &OperationId) -> Result<Left, Error> {
        let mut left = Left::default();
        for source in sources(self.kind) {
            let mut binds = Binds::new(tx.dialect());
            let from = source.from(&mut binds, self);
            let text = format!(
                "SELECT count(*), COALESCE(sum(CASE WHEN q.open THEN 1 ELSE 0 END), 0),
                    COALESCE(sum(CASE WHEN q.open OR q.known THEN 0 ELSE 1 END), 0)
                 FROM (SELECT {} AS open, {} AS known FROM {from}) q",
                is_open(source.kind),
                in_tree(source.kind, &binds.bind(root.as_str())),
            );
            for row in query(tx, text, &binds).await? {
                left.all += row.get::<u64>(0)?;
                left.open += row.get::<u64>(1)?;
                left.untouched += row.get::<u64>(2)?;
            }
        }
        Ok(left)
    }

    /// Whether nothing is left.
    ///
    /// # Errors
    /// The database's.
    pub async fn is_bare(&self, tx: &Tx<'_>) -> Result<bool, Error> {
        for source in sources(self.kind) {
            let mut binds = Binds::new(tx.dialect());
            let text = format!("SELECT 1 FROM {} LIMIT 1", source.from(&mut binds, self));
            if !query(tx, text, &binds).await?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How many things there are to be removed below it, as far as they can be counted along an index.
    ///
    /// # Errors
    /// The database's.
    pub async fn living(&self, tx: &Tx<'_>) -> Result<u64, Error> {
        let mut living = 0;
        let further = Source::further(self.kind);
        for source in sources(self.kind).iter().chain(further) {
            let mut binds = Binds::new(tx.dialect());
            let text = format!("SELECT count(*) FROM {}", source.from(&mut binds, self));
            for row in query(tx, text, &binds).await? {
                living += row.get::<u64>(0)?;
            }
        }
        Ok(living)
    }

    /// The last operations in the tree of those that are left.
    ///
    /// # Errors
    /// The database's.
    pub async fn failures(
        &self,
        tx: &Tx<'_>,
        root: &OperationId,
        limit: usize,
    ) -> Result<Vec<Operation>, Error> {
        let mut found = Vec::new();
        for source in sources(self.kind) {
            let mut binds = Binds::new(tx.dialect());
            let from = source.from(&mut binds, self);
            let text = format!(
                "SELECT {} FROM operation t WHERE t.seq IN (
                    SELECT (SELECT max(o.seq) FROM operation o WHERE {}) FROM {from} ORDER BY d.seq LIMIT {})
                 ORDER BY t.seq",
                columns::<Operation>(),
                of_tree(source.kind, &binds.bind(root.as_str())),
                binds.bind(rest(limit, found.len())),
            );
            for row in query(tx, text, &binds).await? {
                found.push(Operation::read(&mut Cells::new("operation", row))?);
            }
            if found.len() >= limit {
                break;
            }
        }
        Ok(found)
    }

    /// Of a platform: a shared instance that something on another platform refers to, if there is one.
    ///
    /// # Errors
    /// The database's.
    pub async fn referred_to_from_elsewhere(
        &self,
        tx: &Tx<'_>,
    ) -> Result<Option<InstanceId>, Error> {
        let text = "SELECT d.id FROM instance r JOIN instance d ON d.id = r.referenced_instance_id
             WHERE r.referenced_instance_id IS NOT NULL AND d.platform_id = $1 AND r.platform_id <> $1 LIMIT 1";
        let row = tx.query_opt(text, &[&self.id]).await?;
        row.map(|row| Ok(InstanceId::stored(row.get(0)?)))
            .transpose()
    }
}

async fn query(tx: &Tx<'_>, text: String, binds: &Binds) -> Result<Vec<Row>, Error> {
    tx.query(Arc::<str>::from(text), &binds.params()).await
}

fn rest(limit: usize, found: usize) -> i64 {
    i64::try_from(limit.saturating_sub(found)).unwrap_or(i64::MAX)
}
