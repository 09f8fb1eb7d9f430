//! Prints a tree in the language it was read from. For logs, for links to the next page, for tests.
//!
//! The rule: what was parsed prints to a text that parses to the same tree, unless quoting made it longer
//! than a text may be.

use super::{Bound, FieldCriterion, LabelCriterion, LabelTest, Operator, Query, Test, Value};
use std::fmt::{self, Display, Formatter};

impl Query {
    /// The field criteria as a `fieldQuery`.
    pub fn field_query(&self) -> String {
        joined(&self.fields)
    }

    /// The label criteria as a `labelQuery`.
    pub fn label_query(&self) -> String {
        joined(&self.labels)
    }
}

fn joined(criteria: &[impl Display]) -> String {
    let texts: Vec<_> = criteria.iter().map(ToString::to_string).collect();
    texts.join(" and ")
}

/// Both texts with their names; nothing for the query that everything matches.
impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut between = "";
        if !self.fields.is_empty() {
            write!(f, "fieldQuery: {}", self.field_query())?;
            between = "; ";
        }
        if !self.labels.is_empty() {
            write!(f, "{between}labelQuery: {}", self.label_query())?;
        }
        Ok(())
    }
}

impl Display for FieldCriterion {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { column, path, test } = self;
        f.write_str(column.name)?;
        for step in path {
            write!(f, "/{step}")?;
        }
        match test {
            Test::Eq(value) => one(f, Operator::Eq, value),
            Test::Ne(value) => one(f, Operator::Ne, value),
            Test::Order(order, value) => one(f, Operator::Order(*order), value),
            Test::En(value) => one(f, Operator::En, value),
            Test::Contains(text) => one(f, Operator::Contains, &Quoted(text)),
            Test::In(values) => list(f, Operator::In, values),
            Test::NotIn(values) => list(f, Operator::NotIn, values),
        }
    }
}

impl Display for LabelCriterion {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { key, test } = self;
        f.write_str(key)?;
        let quoted = |texts: &'_ [String]| -> Vec<String> {
            texts.iter().map(|text| Quoted(text).to_string()).collect()
        };
        match test {
            LabelTest::Eq(text) => one(f, Operator::Eq, &Quoted(text)),
            LabelTest::Ne(text) => one(f, Operator::Ne, &Quoted(text)),
            LabelTest::Order(order, bound) => one(f, Operator::Order(*order), bound),
            LabelTest::En(text) => one(f, Operator::En, &Quoted(text)),
            LabelTest::Contains(text) => one(f, Operator::Contains, &Quoted(text)),
            LabelTest::In(texts) => list(f, Operator::In, &quoted(texts)),
            LabelTest::NotIn(texts) => list(f, Operator::NotIn, &quoted(texts)),
        }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => Quoted(text).fmt(f),
            Self::Bool(is) => is.fmt(f),
            Self::Integer(number) => number.fmt(f),
            Self::Time(time) => time.fmt(f),
        }
    }
}

impl Display for Bound {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Time(time) => time.fmt(f),
        }
    }
}

fn one(f: &mut Formatter<'_>, operator: Operator, value: &dyn Display) -> fmt::Result {
    write!(f, " {operator} {value}")
}

fn list(f: &mut Formatter<'_>, operator: Operator, values: &[impl Display]) -> fmt::Result {
    write!(f, " {operator} (")?;
    for (at, value) in values.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        write!(f, "{comma}{value}")?;
    }
    f.write_str(")")
}

/// Between single quotes, with the quotes in it doubled.
struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "'{}'", self.0.replace('\'', "''"))
    }
}
