//! Labels of a create and label changes of a patch.

use crate::Failure;
use qm_manager_api::{LabelChange as ChangeShape, LabelOp as OpShape, Labels as Shape};
use qm_model::label::{LabelError, LabelOp};
use qm_model::{Error, LabelChange, Labels};
use std::collections::BTreeMap;

/// The labels of a create.
pub(crate) fn labels(Shape(map): Shape) -> Result<Labels, Failure> {
    let pairs = map.into_iter().map(|(key, values)| (key, Some(values)));
    let map: BTreeMap<String, Option<Vec<String>>> = pairs.collect();
    Ok(Labels::try_from(map).map_err(Error::from)?)
}

/// The label changes of a patch.
pub(crate) fn changes(shapes: Vec<ChangeShape>) -> Result<Vec<LabelChange>, Failure> {
    let changes = shapes.into_iter().map(change);
    let changes: Result<_, LabelError> = changes.collect();
    Ok(changes.map_err(Error::from)?)
}

fn change(shape: ChangeShape) -> Result<LabelChange, LabelError> {
    let ChangeShape { op, key, values } = shape;
    let op = match op {
        OpShape::Add => LabelOp::Add,
        OpShape::AddValues => LabelOp::AddValues,
        OpShape::Remove => LabelOp::Remove,
        OpShape::RemoveValues => LabelOp::RemoveValues,
        OpShape::Replace => LabelOp::Replace,
        OpShape::Other(word) if word.is_empty() => return Err(LabelError::MissingOp),
        OpShape::Other(word) => word.parse()?,
    };
    LabelChange::new(op, key, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{from_value, json};

    #[test]
    fn the_words_of_old_clients_are_read() {
        let shapes = json!([
            {"op": "add", "key": "a", "values": ["x"]},
            {"op": "remove", "key": "b", "values": null},
            {"op": "replace", "key": "c", "values": ["y"]},
        ]);
        let changes = changes(from_value(shapes).unwrap()).unwrap();
        let ops: Vec<_> = changes.iter().map(|change| change.op.as_str()).collect();
        assert_eq!(ops, ["add", "remove", "replace"]);
    }

    #[test]
    fn an_unknown_word_is_refused_and_not_passed_over() {
        for op in ["remove_value", ""] {
            let shapes = json!([{"op": op, "key": "a", "values": ["x"]}]);
            let refused = changes(from_value(shapes).unwrap()).unwrap_err();
            assert_eq!(refused.status.as_u16(), 400);
        }
    }
}
