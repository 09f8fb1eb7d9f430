//! `json.Number`: a number kept as its text. Helm's values hold them; to a template it is a string
//! with three methods.

use std::borrow::Cow;

use super::{Object, Str, Value};
use crate::function::{Failure, Function, Signature};
use crate::types::{Kind, Type};

/// A number as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonNumber(pub Str);

impl JsonNumber {
    fn parsed<T: std::str::FromStr>(text: &Str, function: &str) -> Result<T, Failure> {
        let text = text.to_text();
        text.parse().map_err(|_| {
            Failure::new(format!(
                "strconv.{function}: parsing {}: invalid syntax",
                crate::fmt::quoted(&text)
            ))
        })
    }
}

impl Object for JsonNumber {
    fn type_name(&self) -> Cow<'_, str> {
        "json.Number".into()
    }

    fn kind(&self) -> Kind {
        Kind::String
    }

    fn method(&self, name: &str) -> Option<Function> {
        let text = self.0.clone();
        let none = || Signature::new([]);
        Some(match name {
            "String" => Function::new(name, none().returns(Type::String), move |_, _| {
                Ok(Value::String(text.clone()))
            }),
            "Float64" => Function::new(name, none().returns(Type::Float64), move |_, _| {
                Self::parsed(&text, "ParseFloat").map(Value::Float64)
            }),
            "Int64" => Function::new(name, none().returns(Type::Int64), move |_, _| {
                Self::parsed(&text, "ParseInt").map(Value::Int64)
            }),
            _ => return None,
        })
    }

    fn text(&self) -> Option<Str> {
        Some(self.0.clone())
    }

    fn underlying(&self) -> Option<Value> {
        Some(Value::String(self.0.clone()))
    }

    fn equals(&self, other: &dyn Object) -> Option<bool> {
        Some(other.downcast_ref::<Self>() == Some(self))
    }
}
