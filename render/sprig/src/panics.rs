//! The words of Go's run-time errors. In Go they are panics; the template engine turns them into
//! errors with these texts, so here they are failures from the start.

use qm_gotemplate::{Failure, Value};

pub(crate) const NIL_POINTER: &str =
    "runtime error: invalid memory address or nil pointer dereference";
pub(crate) const DIVIDE_BY_ZERO: &str = "runtime error: integer divide by zero";
pub(crate) const MAKE_SLICE: &str = "runtime error: makeslice: len out of range";

/// `s[start:end]` of a string with `length` bytes, where either bound may be left out; what Go says
/// when that is not inside.
pub(crate) fn bounds(
    start: Option<i64>,
    end: Option<i64>,
    length: usize,
) -> Result<(usize, usize), Failure> {
    let refuse = |what: String| {
        Err(Failure::new(format!(
            "runtime error: slice bounds out of range {what}"
        )))
    };
    let to = match end {
        None => length,
        Some(end) => match usize::try_from(end) {
            Err(_) => return refuse(format!("[:{end}]")),
            Ok(end) if end > length => return refuse(format!("[:{end}] with length {length}")),
            Ok(end) => end,
        },
    };
    let from = match start {
        None => 0,
        Some(start) => match usize::try_from(start) {
            Err(_) => return refuse(format!("[{start}:]")),
            Ok(start) if start > to => return refuse(format!("[{start}:{to}]")),
            Ok(start) => start,
        },
    };
    Ok((from, to))
}

/// A failed type assertion.
pub(crate) fn not_a(value: &Value, wanted: &str) -> Failure {
    let is = value
        .type_of()
        .map_or_else(|| "nil".to_owned(), |of| of.to_string());
    Failure::new(format!(
        "interface conversion: interface {{}} is {is}, not {wanted}"
    ))
}
