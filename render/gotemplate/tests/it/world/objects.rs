//! The types of data.go: a struct behind a pointer, a struct with a `String` method, named maps,
//! slices, numbers and strings.

use std::borrow::Cow;
use std::sync::Arc;

use qm_gotemplate::{Failure, Function, Kind, List, Map, Object, Signature, Str, Type, Value, fmt};

use super::sum;

#[derive(Clone, Default)]
pub(crate) struct Thing {
    pub(crate) name: Str,
    pub(crate) count: i64,
    pub(crate) tags: Vec<&'static str>,
    pub(crate) extra: Value,
}

impl Thing {
    pub(crate) fn named(name: &str) -> Self {
        let extra = Map::from_iter([("e", Value::Int(1))]);
        Self {
            name: name.into(),
            count: 3,
            tags: vec!["p", "q"],
            extra: extra.into(),
        }
    }
}

impl Object for Thing {
    fn type_name(&self) -> Cow<'_, str> {
        "*main.Thing".into()
    }

    fn kind(&self) -> Kind {
        Kind::Ptr
    }

    fn field(&self, name: &str) -> Option<Value> {
        let fields = self.fields().into_iter();
        fields
            .filter(|(own, _)| own != "hidden")
            .find(|(own, _)| own == name)
            .map(|(_, value)| value)
    }

    fn fields(&self) -> Vec<(Cow<'_, str>, Value)> {
        let next = Type::named("*main.Thing", Kind::Ptr);
        vec![
            ("Name".into(), self.name.clone().into()),
            ("Count".into(), Value::Int(self.count)),
            (
                "Tags".into(),
                List::strings(self.tags.iter().copied()).into(),
            ),
            ("Extra".into(), self.extra.clone().stored()),
            ("Next".into(), Value::NilOf(Arc::new(next))),
            ("hidden".into(), Value::Int(0)),
        ]
    }

    fn method(&self, name: &str) -> Option<Function> {
        use Type::{Float64, Int, String};
        let (own, count) = (self.name.clone(), self.count);
        let text = |signature: Signature| signature.returns(String);
        Some(match name {
            "Greet" => Function::new(name, text(Signature::new([String])), move |_, args| {
                let who = args.str(0).as_bytes();
                let parts = [&b"hello "[..], who, b" from ", own.as_bytes()];
                Ok(Str::from_bytes(parts.concat()).into())
            }),
            "Sum" => Function::new(
                name,
                Signature::variadic([], Int).returns(Int),
                move |_, args| Ok(Value::Int(sum(args.all()).wrapping_add(count))),
            ),
            "Fail" => Function::new(name, text(Signature::new([])).fails(), |_, _| {
                Err(Failure::new("thing failed"))
            }),
            "Panics" => Function::new(name, text(Signature::new([])), |_, _| {
                Err(Failure::new("thing panicked"))
            }),
            "Any" => Function::new(name, Signature::new([]), |_, _| Ok(Value::Nil)),
            "Pair" => Function::new(name, text(Signature::new([Int, Float64])), |_, args| {
                fmt::sprint(args.all(), 1000).map(|text| Str::from_bytes(text).into())
            }),
            _ => return None,
        })
    }
}

#[derive(Clone, PartialEq)]
pub(crate) struct Version(pub(crate) i64, pub(crate) i64);

impl Object for Version {
    fn type_name(&self) -> Cow<'_, str> {
        "main.Version".into()
    }

    fn field(&self, name: &str) -> Option<Value> {
        match name {
            "Major" => Some(Value::Int(self.0)),
            "Minor" => Some(Value::Int(self.1)),
            _ => None,
        }
    }

    fn fields(&self) -> Vec<(Cow<'_, str>, Value)> {
        vec![
            ("Major".into(), Value::Int(self.0)),
            ("Minor".into(), Value::Int(self.1)),
        ]
    }

    fn method(&self, name: &str) -> Option<Function> {
        let own = self.clone();
        let version = || Type::named("main.Version", Kind::Struct);
        Some(match name {
            "String" => Function::new(
                name,
                Signature::new([]).returns(Type::String),
                move |_, _| Ok(own.text().unwrap().into()),
            ),
            "Less" => Function::new(
                name,
                Signature::new([version()]).returns(Type::Bool),
                move |_, args| {
                    let Value::Object(other) = args.get(0) else {
                        unreachable!()
                    };
                    Ok((own.0 < other.downcast_ref::<Self>().unwrap().0).into())
                },
            ),
            "Add" => Function::new(
                name,
                Signature::new([Type::Int]).returns(version()),
                move |_, args| Ok(Value::object(Self(own.0.wrapping_add(args.int(0)), own.1))),
            ),
            _ => return None,
        })
    }

    fn text(&self) -> Option<Str> {
        Some(format!("v{}.{}", self.0, self.1).into())
    }

    fn equals(&self, other: &dyn Object) -> Option<bool> {
        Some(other.downcast_ref::<Self>() == Some(self))
    }
}

pub(crate) struct Values(pub(crate) Map);

impl Object for Values {
    fn type_name(&self) -> Cow<'_, str> {
        "main.Values".into()
    }

    fn kind(&self) -> Kind {
        Kind::Map
    }

    fn method(&self, name: &str) -> Option<Function> {
        let map = self.0.clone();
        let key = Signature::new([Type::String]);
        Some(match name {
            "Get" => Function::new(name, key, move |_, args| {
                Ok(map.get(args.str(0).as_bytes()).unwrap_or(Value::Nil))
            }),
            "Has" => Function::new(name, key.returns(Type::Bool), move |_, args| {
                Ok(map.contains_key(args.str(0).as_bytes()).into())
            }),
            _ => return None,
        })
    }

    fn underlying(&self) -> Option<Value> {
        Some(self.0.clone().into())
    }
}

pub(crate) struct Names(pub(crate) List);

impl Object for Names {
    fn type_name(&self) -> Cow<'_, str> {
        "main.Names".into()
    }

    fn kind(&self) -> Kind {
        Kind::Slice
    }

    fn method(&self, name: &str) -> Option<Function> {
        let list = self.0.clone();
        let signature = Signature::new([Type::String]).returns(Type::Bool);
        (name == "Has").then(|| {
            Function::new(name, signature, move |_, args| {
                let wanted = args.str(0);
                Ok(list
                    .iter()
                    .any(|own| own.as_string() == Some(wanted))
                    .into())
            })
        })
    }

    fn underlying(&self) -> Option<Value> {
        Some(self.0.clone().into())
    }
}

pub(crate) struct Level(pub(crate) i64);

impl Object for Level {
    fn type_name(&self) -> Cow<'_, str> {
        "main.Level".into()
    }

    fn kind(&self) -> Kind {
        Kind::Int64
    }

    fn method(&self, name: &str) -> Option<Function> {
        let text = self.text()?;
        let signature = Signature::new([]).returns(Type::String);
        (name == "String")
            .then(|| Function::new(name, signature, move |_, _| Ok(text.clone().into())))
    }

    fn text(&self) -> Option<Str> {
        Some(format!("level-{}", self.0).into())
    }

    fn underlying(&self) -> Option<Value> {
        Some(Value::Int64(self.0))
    }
}

pub(crate) struct Word(pub(crate) Str);

impl Object for Word {
    fn type_name(&self) -> Cow<'_, str> {
        "main.Word".into()
    }

    fn kind(&self) -> Kind {
        Kind::String
    }

    fn underlying(&self) -> Option<Value> {
        Some(self.0.clone().into())
    }
}
