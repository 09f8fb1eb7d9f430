//! A transaction under way, with the keys at hand. Deeds hand it to the table functions.

use crate::Error;
use crate::ended::Ended;
use crate::outbox::{Touched, Touches};
use qm_db::seal::KeyRing;
use qm_db::{Dialect, Param, Row, Sql, ValueRef};
use qm_model::operation::Operation;
use std::cell::{Cell, RefCell, RefMut};

/// A transaction under way.
pub struct Tx<'a> {
    inner: &'a qm_db::Tx<'a>,
    keys: &'a KeyRing,
    dialect: Dialect,
    appended: Cell<bool>,
    ended: RefCell<Vec<Ended>>,
    touches: RefCell<Touches>,
}

impl<'a> Tx<'a> {
    pub(crate) fn new(inner: &'a qm_db::Tx<'a>, keys: &'a KeyRing, dialect: Dialect) -> Self {
        Self {
            inner,
            keys,
            dialect,
            appended: Cell::new(false),
            ended: RefCell::default(),
            touches: RefCell::default(),
        }
    }

    pub(crate) async fn execute(
        &self,
        sql: impl Into<Sql>,
        params: &[&dyn Param],
    ) -> Result<u64, Error> {
        no_nul(params)?;
        Ok(self.inner.execute(sql, params).await?)
    }

    pub(crate) async fn query(
        &self,
        sql: impl Into<Sql>,
        params: &[&dyn Param],
    ) -> Result<Vec<Row>, Error> {
        no_nul(params)?;
        Ok(self.inner.query(sql, params).await?)
    }

    pub(crate) async fn query_opt(
        &self,
        sql: impl Into<Sql>,
        params: &[&dyn Param],
    ) -> Result<Option<Row>, Error> {
        no_nul(params)?;
        Ok(self.inner.query_opt(sql, params).await?)
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Seals a value for its place: table, row, column.
    pub(crate) fn seal(&self, place: &[&str], plain: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(self.keys.seal(place, plain)?)
    }

    /// Opens what was sealed for this place.
    pub(crate) fn open(&self, place: &[&str], sealed: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(self.keys.open(place, sealed)?.to_vec())
    }

    /// Remembers that this transaction put something into the outbox.
    pub(crate) fn note_appended(&self) {
        self.appended.set(true);
    }

    pub(crate) fn has_appended(&self) -> bool {
        self.appended.get()
    }

    /// Remembers that what others may have in memory is outdated by this transaction.
    pub(crate) fn touch(&self, touched: Touched) {
        self.touches.borrow_mut().touch(touched);
    }

    /// What this transaction touches, so far.
    pub(crate) fn touches(&self) -> RefMut<'_, Touches> {
        self.touches.borrow_mut()
    }

    /// Remembers that this transaction ends an operation. It counts when the transaction is committed.
    pub(crate) fn note_ended(&self, operation: &Operation) {
        self.note(Ended::of(operation));
    }

    /// The same of one that was not read.
    pub(crate) fn note(&self, ended: Ended) {
        self.ended.borrow_mut().push(ended);
    }

    pub(crate) fn take_ended(&self) -> Vec<Ended> {
        self.ended.take()
    }
}

/// Before the engine sees it, so that the caller hears what is wrong and both engines say the same.
fn no_nul(params: &[&dyn Param]) -> Result<(), Error> {
    let nul =
        |param: &&dyn Param| matches!(param.value(), ValueRef::Text(text) if text.contains('\0'));
    if params.iter().any(nul) {
        Err(Error::Nul)
    } else {
        Ok(())
    }
}
