//! Lets go of nested values without nesting calls: a template can put a list into a list a million
//! times, and dropping that the ordinary way would need a stack as deep. Lists and maps call it when
//! their last holder is gone.

use super::Value;

/// Drops the values, and everything that only they hold, one after another.
pub(super) fn values(values: &mut Vec<Value>) {
    if !values.iter().any(Value::is_container) {
        return;
    }
    let mut waiting = std::mem::take(values);
    while let Some(value) = waiting.pop() {
        let inside = match value {
            Value::List(list) => list.into_unshared(),
            Value::Map(map) => map.into_unshared(),
            _ => None,
        };
        waiting.extend(inside.into_iter().flatten());
    }
}
