//! Everything that a deed on an instance or a binding must know, read in one round trip. The operation engine asks
//! here when `begin` said that something is in the way, and before deeds on what exists.
//!
//! The rule: one statement, so that all of it is of one moment. On SQLite the caller's own thread runs it; on PostgreSQL
//! one statement serves all who ask at that moment.

pub use crate::operation::Phase;

use crate::cells::Cells;
use crate::deed::begin::terminating;
use crate::deed::{no_nul, params};
use crate::operation::of_kind;
use crate::resource::{Resource, Table};
use crate::{Error, Store};
use qm_db::combine::{Kind as Of, Script, Scripted};
use qm_db::{Db, Row, Value};
use qm_model::binding::Binding;
use qm_model::id::{BindingId, InstanceId, PlatformId};
use qm_model::instance::Instance;
use qm_model::operation::Operation;
use qm_model::{Kind, Time};
use std::sync::{Arc, LazyLock};

/// What is known about an instance, or about a binding of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// The instance, if it is known.
    pub instance: Option<Known<Instance>>,
    /// The binding, if one was asked about and is known.
    pub binding: Option<Known<Binding>>,
    /// The last operation on what was asked about: the binding if one was, else the instance.
    pub operation: Option<Work>,
    /// What is being done to the instance, when a binding was asked about.
    pub instance_operation: Option<Work>,
    /// The platform is being removed with all that it has.
    pub terminating: bool,
}

/// A resource, and what only deeds need to know of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Known<T> {
    /// As clients see it.
    pub resource: T,
    /// Of what it was asked for with, see [`deed::fingerprint`](crate::deed::fingerprint()).
    pub fingerprint: Option<Vec<u8>>,
    /// The body of the broker's last good answer; instances only.
    pub answer: Option<String>,
}

/// An operation with its inner side.
#[derive(Debug, Clone, PartialEq)]
pub struct Work {
    /// As clients see it.
    pub operation: Operation,
    /// How far it is.
    pub phase: Phase,
    /// What the broker calls it.
    pub broker_operation: Option<String>,
    /// Until when somebody works on it; `None` when nobody does.
    pub lease_until: Option<Time>,
    /// The number of the last lease.
    pub fence: i64,
    /// Of what it was asked with.
    pub fingerprint: Option<Vec<u8>>,
}

/// Looks everything up.
///
/// # Errors
/// The database's.
pub async fn facts(
    store: &Store,
    instance: &InstanceId,
    binding: Option<&BindingId>,
    platform: Option<&PlatformId>,
) -> Result<Facts, Error> {
    let mut asked: Vec<Value> = vec![
        instance.as_str().into(),
        platform.map_or("", PlatformId::as_str).into(),
    ];
    asked.extend(binding.map(|binding| binding.as_str().into()));
    no_nul(&asked)?;
    let row = match store.many() {
        Some(many) => many.facts.run(asked).await?,
        None => {
            let text = match binding {
                None => &*ABOUT_INSTANCE,
                Some(_) => &*ABOUT_BINDING,
            };
            let text = Arc::clone(text);
            store
                .db
                .look_up(async move |tx: &qm_db::Tx<'_>| tx.query_opt(text, &params(&asked)).await)
                .await?
        }
    };
    let Some(row) = row else {
        return Err(Error::Form {
            table: "operation",
            column: "facts",
        });
    };
    let mut rest = row.into_values().into_iter();
    let known = known(&mut rest, &["answer"])?;
    let (binding, instance_operation) = match binding {
        None => (None, None),
        Some(_) => (self::known(&mut rest, &[])?, work(&mut rest)?),
    };
    let operation = work(&mut rest)?;
    let mut last = Cells::of("operation", rest.collect());
    Ok(Facts {
        instance: known,
        binding,
        operation,
        instance_operation,
        terminating: last.take("terminating")?,
    })
}

/// What is read of an operation beside itself.
const WORK: [&str; 5] = [
    "phase",
    "broker_operation",
    "lease_until",
    "fence",
    "fingerprint",
];

static ABOUT_INSTANCE: LazyLock<Arc<str>> = LazyLock::new(|| {
    let ask = "(SELECT 1 AS one) AS asked";
    Arc::from(format!("SELECT {}", about_instance(ask, ["$1", "$2"])))
});

static ABOUT_BINDING: LazyLock<Arc<str>> = LazyLock::new(|| {
    let ask = "(SELECT 1 AS one) AS asked";
    Arc::from(format!("SELECT {}", about_binding(ask, ["$1", "$2", "$3"])))
});

fn about_instance(asked: &str, [instance, platform]: [&str; 2]) -> String {
    format!(
        "{}, {}, {} FROM {asked} LEFT JOIN instance i ON i.id = {instance} LEFT JOIN operation o ON {}",
        columns::<Instance>("i", &["fingerprint", "answer"]),
        columns::<Operation>("o", &WORK),
        terminating(platform),
        last(Kind::Instance, instance),
    )
}

fn about_binding(asked: &str, [instance, platform, binding]: [&str; 3]) -> String {
    format!(
        "{}, {}, {}, {}, {} FROM {asked}
         LEFT JOIN instance i ON i.id = {instance} LEFT JOIN binding b ON b.id = {binding}
         LEFT JOIN operation u ON u.resource_type = '{}' AND u.resource_id = {instance} AND u.phase <> 'done'
         LEFT JOIN operation o ON {}",
        columns::<Instance>("i", &["fingerprint", "answer"]),
        columns::<Binding>("b", &["fingerprint"]),
        columns::<Operation>("u", &WORK),
        columns::<Operation>("o", &WORK),
        terminating(platform),
        Kind::Instance.path(),
        last(Kind::Binding, binding),
    )
}

/// The ways in for many who ask at once. PostgreSQL only.
pub(crate) struct Many {
    instance: Scripted,
    binding: Scripted,
}

impl Many {
    pub(crate) fn new(db: &Db) -> Result<Self, qm_db::Error> {
        let asked = ["instance_id", "platform_id", "binding_id"];
        let given = asked.map(|name| format!("given.{name}"));
        let [instance, platform, binding] = given.each_ref().map(String::as_str);
        let columns = asked.map(|name| (name, Of::Text));
        let script = |key: usize, facts: String| {
            db.reading_script(&Script {
                text: &format!("SELECT {}, {facts}", given[..key].join(", ")),
                columns: &columns[..key],
                key: &asked[..key],
            })
        };
        Ok(Self {
            instance: script(2, about_instance("{given}", [instance, platform]))?,
            binding: script(3, about_binding("{given}", [instance, platform, binding]))?,
        })
    }

    async fn run(&self, asked: Vec<Value>) -> Result<Option<Row>, qm_db::Error> {
        match asked.len() {
            2 => self.instance.run(asked).await,
            _ => self.binding.run(asked).await,
        }
    }
}

fn columns<T: Table>(of: &str, more: &[&str]) -> String {
    let named: Vec<String> = T::COLUMNS
        .iter()
        .chain(more)
        .map(|column| format!("{of}.{column}"))
        .collect();
    named.join(", ")
}

/// Which operation `o` is the last one on a resource.
fn last(kind: Kind, id: &str) -> String {
    format!(
        "o.seq = (SELECT max(m.seq) FROM operation m WHERE m.resource_id = {id} AND {} = '{}')",
        of_kind("m"),
        kind.path()
    )
}

/// Takes the next cells for a resource that may be missing.
fn known<T: Resource>(
    rest: &mut std::vec::IntoIter<Value>,
    more: &[&'static str],
) -> Result<Option<Known<T>>, Error> {
    let part: Vec<Value> = rest.take(T::COLUMNS.len() + 1 + more.len()).collect();
    if matches!(part.first(), None | Some(Value::Null)) {
        return Ok(None);
    }
    let mut cells = Cells::of(T::KIND.noun(), part);
    Ok(Some(Known {
        resource: T::read(&mut cells)?,
        fingerprint: cells.take("fingerprint")?,
        answer: match more.first() {
            Some(answer) => cells.text_opt(answer)?,
            None => None,
        },
    }))
}

/// The same for an operation.
fn work(rest: &mut std::vec::IntoIter<Value>) -> Result<Option<Work>, Error> {
    let part: Vec<Value> = rest.take(Operation::COLUMNS.len() + WORK.len()).collect();
    if matches!(part.first(), None | Some(Value::Null)) {
        return Ok(None);
    }
    let mut cells = Cells::of("operation", part);
    Ok(Some(Work {
        operation: Operation::read(&mut cells)?,
        phase: cells.word("phase", Phase::from_word)?,
        broker_operation: cells.text_opt("broker_operation")?,
        lease_until: cells.time_opt("lease_until")?,
        fence: cells.take("fence")?,
        fingerprint: cells.take("fingerprint")?,
    }))
}
