//! Reading any kind of resource: one, a page, all that match. Deeds and doors read through it.
//!
//! The rule: every read names the scope of who asks; what lies outside is as if it did not exist.

mod near;

use crate::cells::Cells;
use crate::count;
use crate::scope::{self, Form};
use crate::sql::{Binds, Select, Shape};
use crate::{Error, Tx};
use qm_db::{Dialect, Param};
use qm_model::operation::Operation;
use qm_model::page::{MaxItems, Total};
use qm_model::{Kind, Page, PageRequest, Query};
use qm_policy::Scope;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

/// A kind of resource that can be read by id and listed. The store's own; nobody else implements it.
pub trait Resource: Table {
    /// Which kind.
    const KIND: Kind;

    /// Its id.
    fn id(&self) -> &str;
}

/// How rows become values.
pub trait Table: Sized + Send + 'static {
    /// What a `SELECT` names, in the order in which [`Table::read`] takes it.
    const COLUMNS: &'static [&'static str];

    /// Takes a row apart.
    ///
    /// # Errors
    /// It is not of the form that this version writes.
    fn read(cells: &mut Cells) -> Result<Self, Error>;
}

/// One resource, if it exists within the scope.
///
/// # Errors
/// The database's.
pub async fn get<R: Resource>(tx: &Tx<'_>, scope: &Scope, id: &str) -> Result<Option<R>, Error> {
    let row = one(tx, scope, id, R::KIND, Part::Alone, columns::<R>).await?;
    row.map(|row| R::read(&mut Cells::new(R::KIND.noun(), row)))
        .transpose()
}

/// The same with what was done to it last, in one query.
///
/// # Errors
/// The database's.
pub async fn get_with_last<R: Resource>(
    tx: &Tx<'_>,
    scope: &Scope,
    id: &str,
) -> Result<Option<(R, Option<Operation>)>, Error> {
    let columns = || {
        let last: Vec<String> = Operation::COLUMNS
            .iter()
            .map(|column| format!("o.{column}"))
            .collect();
        format!("{}, o.seq, {}", columns::<R>(), last.join(", "))
    };
    let Some(row) = one(tx, scope, id, R::KIND, Part::WithLast, columns).await? else {
        return Ok(None);
    };
    let mut cells = Cells::new(R::KIND.noun(), row);
    let resource = R::read(&mut cells)?;
    let last = match cells.take::<Option<i64>>("seq")? {
        Some(_) => Some(Operation::read(&mut cells)?),
        None => None,
    };
    Ok(Some((resource, last)))
}

/// What is asked about one resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Alone,
    WithLast,
}

/// Texts by all that they depend on: made once, then only looked for. There are as many as kinds, parts and forms of
/// scopes, so they are all kept.
static TEXTS: LazyLock<RwLock<HashMap<Key, Arc<str>>>> = LazyLock::new(RwLock::default);

type Key = (Kind, Part, Form, Dialect);

fn known(key: &Key) -> Option<Arc<str>> {
    let texts = TEXTS.read().unwrap_or_else(PoisonError::into_inner);
    texts.get(key).cloned()
}

fn keep(key: Key, text: &Arc<str>) {
    let mut texts = TEXTS.write().unwrap_or_else(PoisonError::into_inner);
    texts.insert(key, Arc::clone(text));
}

async fn one(
    tx: &Tx<'_>,
    scope: &Scope,
    id: &str,
    kind: Kind,
    part: Part,
    columns: impl FnOnce() -> String,
) -> Result<Option<qm_db::Row>, Error> {
    let key = (kind, part, Form::of(scope), tx.dialect());
    if let Some(text) = known(&key) {
        let mut params: Vec<&dyn Param> = vec![&id];
        let values = scope::values(kind, scope);
        params.extend(values.iter().map(|value| value as &dyn Param));
        return tx.query_opt(text, &params).await;
    }
    let mut binds = Binds::new(tx.dialect());
    let own = binds.bind(id);
    let text = Arc::<str>::from(one_text(&mut binds, scope, kind, part, &own, &columns()));
    keep(key, &text);
    tx.query_opt(text, &binds.params()).await
}

fn one_text(
    binds: &mut Binds,
    scope: &Scope,
    kind: Kind,
    part: Part,
    id: &str,
    columns: &str,
) -> String {
    let noun = kind.noun();
    let last = match part {
        Part::Alone => String::new(),
        Part::WithLast => format!(
            " LEFT JOIN operation o ON o.seq = (SELECT p.seq FROM operation p WHERE p.resource_type = '{}' \
             AND p.resource_id = t.id ORDER BY p.seq DESC LIMIT 1)",
            kind.path()
        ),
    };
    let mut text = format!("SELECT {columns} FROM {noun} t{last} WHERE t.id = {id}");
    let within = scope::within(binds, kind, scope);
    let conditions = scope::shown(kind)
        .map(str::to_owned)
        .into_iter()
        .chain(within.condition(binds, kind));
    for condition in conditions {
        text.push_str(" AND ");
        text.push_str(&condition);
    }
    text
}

/// A page of those that match.
///
/// # Errors
/// The database's.
pub async fn list<R: Resource>(
    tx: &Tx<'_>,
    scope: &Scope,
    query: &Query,
    page: &PageRequest,
) -> Result<Page<R>, Error> {
    let PageRequest { max_items, after } = page;
    let MaxItems::Count(most) = max_items else {
        return Ok(Page {
            items: Vec::new(),
            next: None,
            total: Total::Exact(count::exact(tx, R::KIND, scope, query).await?),
        });
    };
    let wanted = usize::try_from(*most).unwrap_or(usize::MAX);
    let mut rows = rows::<R>(tx, scope, query, *after, i64::from(*most) + 1).await?;
    let more = rows.len() > wanted;
    rows.truncate(wanted);
    let next = rows.last().map(|(seq, _)| *seq).filter(|_| more);
    // A first page that shows everything has counted everything.
    let total = if more || after.is_some() {
        count::total(tx, R::KIND, scope, query).await?
    } else {
        Total::Exact(rows.len() as u64)
    };
    Ok(Page {
        items: rows.into_iter().map(|(_, item)| item).collect(),
        next,
        total,
    })
}

/// All that match, in the order of lists. For deeds that must have them all in one transaction.
///
/// # Errors
/// The database's.
pub async fn matching<R: Resource>(
    tx: &Tx<'_>,
    scope: &Scope,
    query: &Query,
) -> Result<Vec<R>, Error> {
    let rows = rows::<R>(tx, scope, query, None, i64::MAX).await?;
    Ok(rows.into_iter().map(|(_, item)| item).collect())
}

async fn rows<R: Resource>(
    tx: &Tx<'_>,
    scope: &Scope,
    query: &Query,
    after: Option<i64>,
    limit: i64,
) -> Result<Vec<(i64, R)>, Error> {
    let select = Select::new(tx.dialect(), R::KIND, scope, query);
    let Shape { text, binds } = select.page(R::COLUMNS, after, limit);
    let rows = tx.query(text, &binds.params()).await?;
    rows.into_iter()
        .map(|row| {
            let mut cells = Cells::new(R::KIND.noun(), row);
            Ok((cells.take("seq")?, R::read(&mut cells)?))
        })
        .collect()
}

/// The columns of a kind as a `SELECT` names them, of the row `t`.
pub(crate) fn columns<T: Table>() -> String {
    let named: Vec<String> = T::COLUMNS
        .iter()
        .map(|column| format!("t.{column}"))
        .collect();
    named.join(", ")
}

/// Those that a condition of this crate's own leaves, in the order given with it.
pub(crate) async fn by<R: Resource>(
    tx: &Tx<'_>,
    condition: &str,
    params: &[&dyn qm_db::Param],
) -> Result<Vec<R>, Error> {
    let text = format!(
        "SELECT {} FROM {} t WHERE {condition}",
        columns::<R>(),
        R::KIND.noun()
    );
    let rows = tx.query(Arc::<str>::from(text), params).await?;
    rows.into_iter()
        .map(|row| R::read(&mut Cells::new(R::KIND.noun(), row)))
        .collect()
}
