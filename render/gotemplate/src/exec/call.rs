//! Calls of functions and methods: how many arguments, of which types, and what came of it.

use smallvec::SmallVec;

use super::machine::{Machine, Node};
use super::{Exec, Item};
use crate::builtin::Builtin;
use crate::function::Failure;
use crate::tree::{Callee, Term};
use crate::types::Type;
use crate::value::Value;

type Values = SmallVec<[Value; 4]>;

impl<'a> Machine<'a> {
    /// A function by name; `node` is what its failure is reported at.
    pub(super) fn call(
        &mut self,
        callee: &'a Callee,
        node: Node<'a>,
        args: &'a [Term],
        last: Option<Value>,
    ) -> Exec<Item> {
        match callee {
            Callee::Builtin(builtin) => self.call_builtin(*builtin, node, args, last),
            Callee::Function(_) => self.call_method(callee, node, args, last),
        }
    }

    /// A registered function or a method, which the caller may hold for this call only.
    pub(super) fn call_method(
        &mut self,
        callee: &Callee,
        node: Node<'a>,
        args: &'a [Term],
        last: Option<Value>,
    ) -> Exec<Item> {
        let Callee::Function(function) = callee else {
            return Ok(Item::plain(Value::Missing));
        };
        let signature = function.signature();
        let params = signature.params();
        let (mut values, _) =
            self.arguments(function.name(), params, signature.rest(), args, last)?;
        let result = match self.budget.step() {
            Ok(()) => function.call(&mut self.context(), &mut values),
            Err(failure) => Err(failure),
        };
        let result = result.and_then(|value| {
            let bytes = value.weight();
            if bytes > 64 {
                self.budget.value(bytes)?;
            }
            Ok(value)
        });
        match result {
            Ok(value) => Ok(Item {
                value,
                boxed: *signature.result() == Type::Any,
            }),
            Err(failure) => Err(self.call_failed(function.name(), node, &failure)),
        }
    }

    fn call_builtin(
        &mut self,
        builtin: Builtin,
        node: Node<'a>,
        args: &'a [Term],
        last: Option<Value>,
    ) -> Exec<Item> {
        let (params, rest) = builtin.shape();
        let name = builtin.name();
        if matches!(builtin, Builtin::And | Builtin::Or) {
            self.count(name, params, rest, args, last.is_some())?;
            return self.and_or(builtin == Builtin::Or, args, last);
        }
        let callee = match (builtin, args.first(), &last) {
            (Builtin::Call, Some(first), _) => self.shown_callee(first),
            (Builtin::Call, None, Some(last)) => shown_value(last),
            _ => String::new(),
        };
        let (mut values, boxed) = self.arguments(name, params, rest, args, last)?;
        let result = if builtin == Builtin::Call {
            let (first, rest) = values.split_at_mut(1);
            super::value_call::call(&mut self.context(), &callee, &first[0], rest)
        } else {
            builtin.run(&mut self.context(), &mut values, boxed)
        };
        let result = result.and_then(|value| {
            let bytes = value.weight();
            if bytes > 64 {
                self.budget.value(bytes)?;
            }
            Ok(value)
        });
        result
            .map(Item::plain)
            .map_err(|failure| self.call_failed(name, node, &failure))
    }

    #[cold]
    fn call_failed(&mut self, name: &str, node: Node<'a>, failure: &Failure) -> Box<crate::Error> {
        self.node = node;
        self.fail_called(failure, &format!("error calling {name}: "))
    }

    fn count(
        &self,
        name: &str,
        params: &[Type],
        rest: Option<&Type>,
        args: &[Term],
        has_last: bool,
    ) -> Exec<()> {
        let given = args.len() + usize::from(has_last);
        let wanted = params.len();
        if rest.is_some() {
            if given < wanted {
                let given = args.len();
                return Err(self.fail(format_args!(
                    "wrong number of args for {name}: want at least {wanted} got {given}"
                )));
            }
        } else if given != wanted {
            return Err(self.fail(format_args!(
                "wrong number of args for {name}: want {wanted} got {given}"
            )));
        }
        Ok(())
    }

    /// The arguments, and a bit for each of the first 64 that lay in an interface.
    fn arguments(
        &mut self,
        name: &str,
        params: &[Type],
        rest: Option<&Type>,
        args: &'a [Term],
        last: Option<Value>,
    ) -> Exec<(Values, u64)> {
        self.count(name, params, rest, args, last.is_some())?;
        let wanted = |index: usize| params.get(index).or(rest).unwrap_or(&Type::Any);
        let mut values = Values::new();
        let mut boxed = 0;
        for (index, term) in args.iter().enumerate() {
            let item = self.argument(term, wanted(index))?;
            if item.boxed && index < 64 {
                boxed |= 1 << index;
            }
            values.push(item.value);
        }
        if let Some(value) = last {
            let item = self.validate(Item::plain(value), wanted(args.len()))?;
            values.push(item.value);
        }
        Ok((values, boxed))
    }

    /// The first argument that decides, or the last one; those behind it are not evaluated.
    fn and_or(&mut self, or: bool, args: &'a [Term], last: Option<Value>) -> Exec<Item> {
        let mut item = Item::plain(Value::Missing);
        for term in args {
            item = self.argument(term, &Type::Reflect)?;
            if item.value.is_true() == or {
                return Ok(item);
            }
        }
        Ok(last.map_or(item, Item::plain))
    }

    fn shown_callee(&self, term: &Term) -> String {
        self.template.source.show_term(term)
    }
}

/// As Go's reflection prints a value that is no string.
fn shown_value(value: &Value) -> String {
    match (value, value.type_of()) {
        (Value::String(text), _) => text.to_string(),
        (_, Some(of)) => format!("<{of} Value>"),
        (_, None) => "<invalid Value>".to_owned(),
    }
}
