//! Remembers which numbers a statement's parameters have: asking SQLite for their names at every run costs as much as
//! binding them. `bind.rs` asks here.
//!
//! The rule that keeps it right: a text is known by its address, and what is remembered holds on to the text, so the
//! address cannot come to mean another one. A text that nobody else holds will not come again and is not remembered.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::error::Error;
use crate::sql::Sql;

/// More texts than this are not a program's statements; start over.
const MOST: usize = 512;

type Numbers = Rc<[usize]>;

thread_local! {
    static KNOWN: RefCell<HashMap<(usize, usize), (Sql, Numbers)>> = RefCell::default();
}

/// The numbers of a statement's parameters, by `find` the first time.
pub(super) fn of(
    sql: &Sql,
    find: impl FnOnce() -> Result<Vec<usize>, Error>,
) -> Result<Numbers, Error> {
    let comes_again = match sql {
        Sql::Static(_) => true,
        Sql::Shared(text) => Arc::strong_count(text) > 1,
    };
    if !comes_again {
        return Ok(find()?.into());
    }
    let place = (sql.as_ptr() as usize, sql.len());
    let known = KNOWN.with_borrow(|known| known.get(&place).map(|(_, numbers)| Rc::clone(numbers)));
    if let Some(numbers) = known {
        return Ok(numbers);
    }
    let numbers: Numbers = find()?.into();
    KNOWN.with_borrow_mut(|known| {
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(place, (sql.clone(), Rc::clone(&numbers)));
    });
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_asked_about_once() {
        let kept: Arc<str> = Arc::from("SELECT $2, $1");
        let sql = Sql::Shared(Arc::clone(&kept));
        assert_eq!(*of(&sql, || Ok(vec![2, 1])).unwrap(), [2, 1]);
        let again = of(&sql, || Err(Error::Closed));
        assert_eq!(*again.unwrap(), [2, 1]);
    }

    /// Its memory may be given to the next text, which is another one.
    #[test]
    fn a_text_that_nobody_keeps_is_forgotten() {
        for number in 1..20 {
            let sql = Sql::Shared(Arc::from(format!("SELECT ${number:02}")));
            assert_eq!(*of(&sql, || Ok(vec![number])).unwrap(), [number]);
        }
    }
}
