//! A version as templates see it: `*semver.Version` with its methods.

use std::borrow::Cow;
use std::cmp::Ordering;

use qm_gotemplate::{Failure, Function, Kind, Object, Signature, Str, Type, Value};

use super::version::{Version, check_letters, check_pre};

/// The type of parameters and of what `semver` returns.
pub(super) fn pointer() -> Type {
    Type::named("*semver.Version", Kind::Ptr)
}

fn plain() -> Type {
    Type::named("semver.Version", Kind::Struct)
}

impl Version {
    fn question(&self, name: &str) -> Option<Function> {
        let answer: fn(Ordering) -> Value = match name {
            "Compare" => |order| Value::Int(order as i64),
            "Equal" => |order| Value::Bool(order == Ordering::Equal),
            "LessThan" => |order| Value::Bool(order == Ordering::Less),
            "LessThanEqual" => |order| Value::Bool(order != Ordering::Greater),
            "GreaterThan" => |order| Value::Bool(order == Ordering::Greater),
            "GreaterThanEqual" => |order| Value::Bool(order != Ordering::Less),
            _ => return None,
        };
        let own = self.clone();
        let result = if name == "Compare" {
            Type::Int
        } else {
            Type::Bool
        };
        let signature = Signature::new([pointer()]).returns(result);
        Some(Function::new(name, signature, move |_, args| {
            match args.get(0) {
                Value::Object(other) => match other.downcast_ref::<Self>() {
                    Some(other) => Ok(answer(own.compare(other))),
                    None => Err(crate::panics::NIL_POINTER.into()),
                },
                _ => Err(crate::panics::NIL_POINTER.into()),
            }
        }))
    }

    fn part(&self, name: &str) -> Option<(Type, Value)> {
        let part = |version: Self| (plain(), Value::object(version));
        Some(match name {
            "Major" => (Type::Uint64, Value::Uint64(self.major)),
            "Minor" => (Type::Uint64, Value::Uint64(self.minor)),
            "Patch" => (Type::Uint64, Value::Uint64(self.patch)),
            "Prerelease" => (Type::String, self.pre.as_str().into()),
            "Metadata" => (Type::String, self.metadata.as_str().into()),
            "Original" if self.is_pointer => (Type::String, self.original.as_str().into()),
            "String" => (Type::String, self.to_string().into()),
            "IncMajor" => part(self.release(self.major.wrapping_add(1), 0, 0)),
            "IncMinor" => part(self.release(self.major, self.minor.wrapping_add(1), 0)),
            "IncPatch" => {
                // A preview's next patch is the version itself.
                let step = u64::from(self.pre.is_empty());
                let patch = self.patch.wrapping_add(step);
                part(self.release(self.major, self.minor, patch))
            }
            _ => return None,
        })
    }
}

impl Object for Version {
    fn type_name(&self) -> Cow<'_, str> {
        if self.is_pointer {
            "*semver.Version"
        } else {
            "semver.Version"
        }
        .into()
    }

    fn kind(&self) -> Kind {
        if self.is_pointer {
            Kind::Ptr
        } else {
            Kind::Struct
        }
    }

    fn method(&self, name: &str) -> Option<Function> {
        if let Some((result, value)) = self.part(name) {
            let signature = Signature::new([]).returns(result);
            return Some(Function::new(
                name,
                signature,
                move |_, _| Ok(value.clone()),
            ));
        }
        let own = self.clone();
        let signature = Signature::new([Type::String]).returns(plain()).fails();
        match name {
            "SetPrerelease" => Some(Function::new(name, signature, move |_, args| {
                let pre = args.text(0).into_owned();
                check_pre(&pre).map_err(Failure::new)?;
                Ok(Value::object(own.remade(|version| version.pre = pre)))
            })),
            "SetMetadata" => Some(Function::new(name, signature, move |_, args| {
                let metadata = args.text(0).into_owned();
                check_letters(&metadata, "Invalid Metadata string").map_err(Failure::new)?;
                Ok(Value::object(
                    own.remade(|version| version.metadata = metadata),
                ))
            })),
            // What Go defines on the pointer, a plain value does not have.
            _ if self.is_pointer => self.question(name),
            _ => None,
        }
    }

    fn text(&self) -> Option<Str> {
        Some(self.to_string().into())
    }

    fn equals(&self, other: &dyn Object) -> Option<bool> {
        Some(other.downcast_ref::<Self>() == Some(self))
    }
}
