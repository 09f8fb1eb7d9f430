//! Which rows a list has: scope and query as one statement, and where its walk begins.
//!
//! The rule: a page walks an index in the order of `seq` from where the last page ended and stops when it is
//! full, so it costs the same in a small table and in a large one. What cannot be walked like that (ranges,
//! negations, parts of texts) is looked at row by row along the table itself.
//!
//! A label that must have a value is walked along the label table; a list of a few values is several walks,
//! merged.

use super::field::alternatives;
use super::start::Start;
use super::{Binds, field, label};
use crate::scope::{self, Within};
use qm_db::Dialect;
use qm_model::Kind;
use qm_model::query::{LabelCriterion, LabelTest, Query};
use qm_policy::Scope;
use std::sync::Arc;

/// The rows that scope and query leave.
pub(crate) struct Select {
    kind: Kind,
    binds: Binds,
    walks: Vec<Walk>,
    /// What must hold for a row beside the walk it is on.
    rest: Vec<String>,
}

/// A walk in the order of `seq`.
enum Walk {
    /// Along the table or, as the engine decides, an index of it; with a condition of its own.
    Table(Option<String>),
    /// Along one value of one label.
    Label { key: String, value: String },
}

/// A statement and what it is run with.
pub(crate) struct Shape {
    pub(crate) text: Arc<str>,
    pub(crate) binds: Binds,
}

impl Select {
    pub(crate) fn new(dialect: Dialect, kind: Kind, scope: &Scope, query: &Query) -> Self {
        let mut binds = Binds::new(dialect);
        let mut within = scope::within(&mut binds, kind, scope);
        let start = Start::of(query);
        let mut walks = match start {
            Start::Label(n) => label_walks(&mut binds, &query.labels[n]),
            Start::Few(n) => {
                let walks = alternatives(&mut binds, kind, &query.fields[n]);
                walks
                    .into_iter()
                    .map(|walk| Walk::Table(Some(walk)))
                    .collect()
            }
            Start::Field(_) => vec![Walk::Table(None)],
            Start::Nowhere => match std::mem::replace(&mut within, Within::All) {
                Within::Label { key, value } => vec![Walk::label(&mut binds, &key, &value)],
                Within::Any(walks) => walks
                    .into_iter()
                    .map(|walk| Walk::Table(Some(walk)))
                    .collect(),
                other => {
                    within = other;
                    vec![Walk::Table(None)]
                }
            },
        };
        if walks.is_empty() {
            walks.push(Walk::Table(Some("1 = 0".to_owned())));
        }
        let aside = |condition: String| match (dialect, start) {
            // A plus keeps SQLite from beginning the walk with this.
            (Dialect::Sqlite, Start::Label(_) | Start::Few(_) | Start::Field(_)) => {
                format!("+({condition})")
            }
            _ => condition,
        };
        let mut rest: Vec<String> = Vec::new();
        rest.extend(scope::shown(kind).map(str::to_owned));
        rest.extend(within.condition(&mut binds, kind).map(aside));
        for (n, criterion) in query.fields.iter().enumerate() {
            match start {
                Start::Few(used) if used == n => {}
                Start::Field(used) if used == n => rest.push(field(&mut binds, kind, criterion)),
                _ => rest.push(aside(field(&mut binds, kind, criterion))),
            }
        }
        for (n, criterion) in query.labels.iter().enumerate() {
            if !matches!(start, Start::Label(used) if used == n) {
                rest.push(aside(label(&mut binds, kind, criterion)));
            }
        }
        Self {
            kind,
            binds,
            walks,
            rest,
        }
    }

    /// `seq` and the columns of the rows after `after`, at most `limit` of them.
    pub(crate) fn page(mut self, columns: &[&str], after: Option<i64>, limit: i64) -> Shape {
        let columns: String = columns
            .iter()
            .map(|column| format!(", t.{column}"))
            .collect();
        let after = after.map(|after| self.binds.bind(after));
        let limit = self.binds.bind(limit);
        let text = match self.walks.as_slice() {
            [walk] => format!(
                "SELECT t.seq{columns} {} ORDER BY {}.seq LIMIT {limit}",
                self.walk(walk, after.as_deref()),
                walk.leads(),
            ),
            _ => format!(
                "SELECT t.seq{columns} FROM ({}) q CROSS JOIN {} t WHERE t.seq = q.seq ORDER BY q.seq",
                self.merged(after.as_deref(), Some(&limit)),
                self.kind.noun(),
            ),
        };
        Shape {
            text: Arc::from(text),
            binds: self.binds,
        }
    }

    /// How many rows there are; with `most`, counting stops there.
    pub(crate) fn count(mut self, most: Option<i64>) -> Shape {
        let limit = most.map(|most| self.binds.bind(most));
        let rows = match self.walks.as_slice() {
            [walk] => {
                let rows = self.seqs(walk, None);
                match limit {
                    Some(limit) => format!("{rows} LIMIT {limit}"),
                    None => rows,
                }
            }
            _ => self.merged(None, limit.as_deref()),
        };
        Shape {
            text: Arc::from(format!("SELECT count(*) FROM ({rows}) q")),
            binds: self.binds,
        }
    }

    /// The `seq` of the rows of one walk. The label table alone has it where nothing else must hold.
    fn seqs(&self, walk: &Walk, after: Option<&str>) -> String {
        match walk {
            Walk::Label { key, value } if self.rest.is_empty() => {
                let after = after.map_or(String::new(), |after| format!(" AND d.seq > {after}"));
                let kind = self.kind.noun();
                format!(
                    "SELECT d.seq AS seq FROM label d \
                     WHERE d.kind = '{kind}' AND d.key = {key} AND d.value = {value}{after}"
                )
            }
            _ => format!(
                "SELECT {}.seq AS seq {}",
                walk.leads(),
                self.walk(walk, after)
            ),
        }
    }

    /// `FROM` and `WHERE` of one walk.
    fn walk(&self, walk: &Walk, after: Option<&str>) -> String {
        let table = self.kind.noun();
        let mut conditions: Vec<String> = Vec::new();
        // CROSS JOIN keeps SQLite from beginning at the other end.
        let from = match walk {
            Walk::Table(condition) => {
                conditions.extend(condition.clone());
                format!("FROM {table} t")
            }
            Walk::Label { key, value } => {
                conditions.push(format!(
                    "d.kind = '{table}' AND d.key = {key} AND d.value = {value} AND t.seq = d.seq"
                ));
                format!("FROM label d CROSS JOIN {table} t")
            }
        };
        conditions.extend(after.map(|after| format!("{}.seq > {after}", walk.leads())));
        conditions.extend(self.rest.iter().cloned());
        if conditions.is_empty() {
            return from;
        }
        format!("{from} WHERE {}", conditions.join(" AND "))
    }

    /// The `seq` of several walks, each row once, in order. SQLite merges lazily; PostgreSQL takes as many
    /// from each walk as could be needed.
    fn merged(&self, after: Option<&str>, limit: Option<&str>) -> String {
        let walks: Vec<String> = self
            .walks
            .iter()
            .map(|walk| {
                let rows = self.seqs(walk, after);
                match (self.binds.dialect, limit) {
                    (Dialect::Postgres, Some(limit)) => {
                        format!("({rows} ORDER BY {}.seq LIMIT {limit})", walk.leads())
                    }
                    _ => rows,
                }
            })
            .collect();
        let end = limit.map_or(String::new(), |limit| {
            format!(" ORDER BY seq LIMIT {limit}")
        });
        format!("{}{end}", walks.join(" UNION "))
    }
}

impl Walk {
    fn label(binds: &mut Binds, key: &str, value: &str) -> Self {
        Self::Label {
            key: binds.bind(key),
            value: binds.bind(value),
        }
    }

    /// The table whose `seq` gives the order.
    fn leads(&self) -> &'static str {
        match self {
            Self::Table(_) => "t",
            Self::Label { .. } => "d",
        }
    }
}

fn label_walks(binds: &mut Binds, criterion: &LabelCriterion) -> Vec<Walk> {
    let mut values: Vec<&str> = match &criterion.test {
        LabelTest::Eq(value) => vec![value],
        LabelTest::In(values) => values.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    values.sort_unstable();
    values.dedup();
    values
        .into_iter()
        .map(|value| Walk::label(binds, &criterion.key, value))
        .collect()
}
