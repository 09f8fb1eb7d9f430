//! Gives criteria their types: a column from the table, values as the column holds them.
//!
//! The rule: an operator that means nothing for a column is refused here, so the store need not know which
//! go together.

use super::error::excerpt;
use super::parse::{Literal, Operation, Raw, is_number};
use super::time;
use super::{
    Bound, Column, ColumnKind, FieldCriterion, LabelCriterion, LabelTest, Operator, Order, Part,
    Problem, QueryError, Test, Value,
};

/// A criterion on a field.
pub(super) fn field(
    columns: &'static [Column],
    raw: Raw<'_>,
) -> Result<FieldCriterion, QueryError> {
    let Raw {
        part,
        column: at,
        key,
        operation,
    } = raw;
    let refuse = |problem| QueryError::new(part, at, problem);
    let mut steps = key.split('/');
    let name = steps.next().unwrap_or_default();
    let Some(column) = columns.iter().find(|column| column.name == name) else {
        return Err(refuse(Problem::UnknownField {
            name: excerpt(name),
            known: columns.iter().map(|column| column.name).collect(),
        }));
    };
    let path: Vec<String> = steps.map(str::to_owned).collect();
    let field = column.name;
    if !path.is_empty() && column.kind != ColumnKind::Json {
        let kind = column.kind;
        return Err(refuse(Problem::NotJson { field, kind }));
    }
    if path.iter().any(String::is_empty) {
        return Err(refuse(Problem::EmptyStep { field }));
    }
    let unsuited = |operator| {
        refuse(Problem::Unsuited {
            operator,
            field,
            kind: column.kind,
        })
    };
    let typed = |literal| value(part, column.kind, None, literal);
    let all = |list: Vec<Literal>| -> Result<Vec<Value>, QueryError> {
        list.into_iter().map(typed).collect()
    };
    let test = match operation {
        Operation::Eq(literal) => Test::Eq(typed(literal)?),
        Operation::Ne(literal) => Test::Ne(typed(literal)?),
        Operation::Order(order, _) if !column.kind.is_ordered() => {
            return Err(unsuited(Operator::Order(order)));
        }
        Operation::Order(order, literal) => {
            Test::Order(order, value(part, column.kind, Some(order), literal)?)
        }
        Operation::En(literal) => Test::En(typed(literal)?),
        Operation::Contains(_) if !column.kind.is_textual() => {
            return Err(unsuited(Operator::Contains));
        }
        Operation::Contains(literal) => Test::Contains(literal.text),
        Operation::In(list) => Test::In(all(list)?),
        Operation::NotIn(list) => Test::NotIn(all(list)?),
    };
    Ok(FieldCriterion { column, path, test })
}

/// A criterion on a label that is not among those read before.
pub(super) fn label(before: &[LabelCriterion], raw: Raw<'_>) -> Result<LabelCriterion, QueryError> {
    let Raw {
        part,
        column: at,
        key,
        operation,
    } = raw;
    if before.iter().any(|criterion| criterion.key == key) {
        let key = excerpt(key);
        return Err(QueryError::new(part, at, Problem::DuplicateLabel { key }));
    }
    let texts = |list: Vec<Literal>| list.into_iter().map(|literal| literal.text).collect();
    let test = match operation {
        Operation::Eq(literal) => LabelTest::Eq(literal.text),
        Operation::Ne(literal) => LabelTest::Ne(literal.text),
        Operation::Order(order, literal) => LabelTest::Order(order, bound(part, order, &literal)?),
        Operation::En(literal) => LabelTest::En(literal.text),
        Operation::Contains(literal) => LabelTest::Contains(literal.text),
        Operation::In(list) => LabelTest::In(texts(list)),
        Operation::NotIn(list) => LabelTest::NotIn(texts(list)),
    };
    Ok(LabelCriterion {
        key: key.to_owned(),
        test,
    })
}

fn value(
    part: Part,
    kind: ColumnKind,
    order: Option<Order>,
    literal: Literal,
) -> Result<Value, QueryError> {
    let text = literal.text.as_str();
    let value = match kind {
        ColumnKind::Text | ColumnKind::Json => return Ok(Value::Text(literal.text)),
        ColumnKind::Bool => text.parse().ok().map(Value::Bool),
        ColumnKind::Integer => text.parse().ok().map(Value::Integer),
        ColumnKind::Time => time::parse(text, order).map(Value::Time),
    };
    value.ok_or_else(|| unexpected(part, &literal, &kind.to_string()))
}

fn bound(part: Part, order: Order, literal: &Literal) -> Result<Bound, QueryError> {
    let text = literal.text.as_str();
    let bound = if is_number(text) {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.map(Bound::Number)
    } else {
        time::parse(text, Some(order)).map(Bound::Time)
    };
    bound.ok_or_else(|| unexpected(part, literal, "a number or an RFC 3339 time"))
}

fn unexpected(part: Part, literal: &Literal, expected: &str) -> QueryError {
    let shown = excerpt(&literal.text);
    let found = if literal.quoted {
        format!("the text '{shown}'")
    } else {
        format!("`{shown}`")
    };
    let problem = Problem::Unexpected {
        found,
        expected: expected.to_owned(),
    };
    QueryError::new(part, literal.column, problem)
}
