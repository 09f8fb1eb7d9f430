//! Regular expressions with RE2's syntax and meaning. Expressions are translated for the `regex` crate,
//! which has the same engine idea; Go's errors are told by the translation.
//!
//! The rule: Go moves over a text by runes and so does every loop here.

mod class;
mod compiled;
mod escape;
mod expand;
mod replace;
mod translate;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use qm_gotemplate::{Args, Failure, Functions, List, Signature, Str, Type, Value, fmt};

use compiled::Compiled;

use crate::strings::{one, text};

/// Expressions that were compiled; templates use the same few again and again.
#[derive(Clone, Default)]
struct Cache(Arc<Mutex<HashMap<Str, Arc<Compiled>>>>);

const CACHE_SIZE: usize = 256;

impl Cache {
    /// The error is Go's.
    fn compile(&self, source: &Str) -> Result<Arc<Compiled>, String> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(source) {
            return Ok(Arc::clone(found));
        }
        let compiled = Arc::new(Compiled::new(source)?);
        let mut known = known();
        if known.len() >= CACHE_SIZE {
            known.clear();
        }
        known.insert(source.clone(), Arc::clone(&compiled));
        Ok(compiled)
    }

    /// As `MustCompile` panics.
    fn demand(&self, source: &Str) -> Result<Arc<Compiled>, Failure> {
        self.compile(source).map_err(|error| {
            let shown = source.to_text();
            let plain = |c: char| c != '`' && c != '\u{feff}' && (c == '\t' || !c.is_control());
            let shown = if source.as_str().is_some() && shown.chars().all(plain) {
                format!("`{shown}`")
            } else {
                fmt::quoted(&shown)
            };
            Failure::new(format!("regexp: Compile({shown}): {error}"))
        })
    }
}

/// Registers a function, which demands its expression, and its `must` form, which returns the error.
fn both(
    to: &mut Functions,
    cache: &Cache,
    name: &str,
    signature: &Signature,
    body: fn(&mut qm_gotemplate::Context<'_>, &Compiled, &Args<'_>) -> Result<Value, Failure>,
) {
    let own = cache.clone();
    to.add(name, signature.clone(), move |context, args| {
        body(context, &*own.demand(args.str(0))?, &args)
    });
    let own = cache.clone();
    let must = format!("must{}{}", name[..1].to_ascii_uppercase(), &name[1..]);
    to.add(&must, signature.clone().fails(), move |context, args| {
        body(context, &*own.compile(args.str(0))?, &args)
    });
}

pub(crate) fn add(to: &mut Functions) {
    let cache = Cache::default();
    add_found(to, &cache);
    let three = Signature::new([Type::String, Type::String, Type::String]).returns(Type::String);
    both(
        to,
        &cache,
        "regexReplaceAll",
        &three,
        |context, expression, args| {
            let (source, with) = (args.str(1).as_bytes(), args.str(2).as_bytes());
            replace::replaced(context, expression, source, |found, out| {
                expand::expand(out, with, expression, source, found);
            })
            .map(text)
        },
    );
    both(
        to,
        &cache,
        "regexReplaceAllLiteral",
        &three,
        |context, expression, args| {
            let (source, with) = (args.str(1).as_bytes(), args.str(2).as_bytes());
            replace::replaced(context, expression, source, |_, out| {
                out.extend_from_slice(with);
            })
            .map(text)
        },
    );
    to.add("regexQuoteMeta", one(), |_, args| {
        let mut out = Vec::new();
        for byte in args.str(0).as_bytes() {
            if br"\.+*?()|[]{}^$".contains(byte) {
                out.push(b'\\');
            }
            out.push(*byte);
        }
        Ok(text(out))
    });
}

fn add_found(to: &mut Functions, cache: &Cache) {
    let two = |result| Signature::new([Type::String, Type::String]).returns(result);
    let listed = Signature::new([Type::String, Type::String, Type::Int]).returns(Type::strings());
    // A bad expression matches nothing.
    let own = cache.clone();
    to.add("regexMatch", two(Type::Bool), move |_, args| {
        let source = args.str(1).as_bytes();
        let found = own
            .compile(args.str(0))
            .is_ok_and(|one| one.find(source, 0).is_some());
        Ok(Value::Bool(found))
    });
    let own = cache.clone();
    to.add("mustRegexMatch", two(Type::Bool).fails(), move |_, args| {
        let found = own.compile(args.str(0))?.find(args.str(1).as_bytes(), 0);
        Ok(Value::Bool(found.is_some()))
    });
    both(
        to,
        cache,
        "regexFind",
        &two(Type::String),
        |_, expression, args| {
            let source = args.str(1).as_bytes();
            let found = expression.find(source, 0);
            Ok(text(found.map_or(&[][..], |found| &source[found]).to_vec()))
        },
    );
    both(to, cache, "regexFindAll", &listed, |_, expression, args| {
        let source = args.str(1).as_bytes();
        let found = expression.find_all(source, args.int(2));
        if found.is_empty() {
            return Ok(Value::NilOf(Type::strings().into()));
        }
        let texts = found
            .into_iter()
            .map(|found| Str::from_bytes(source[found].to_vec()));
        Ok(List::strings(texts).into())
    });
    both(to, cache, "regexSplit", &listed, |_, expression, args| {
        Ok(split(
            expression,
            args.str(0),
            args.str(1).as_bytes(),
            args.int(2),
        ))
    });
}

fn split(expression: &Compiled, pattern: &Str, source: &[u8], limit: i64) -> Value {
    if limit == 0 {
        return Value::NilOf(Type::strings().into());
    }
    if !pattern.is_empty() && source.is_empty() {
        return List::strings([""]).into();
    }
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut parts = Vec::new();
    let (mut start, mut end) = (0, 0);
    for found in expression.find_all(source, limit) {
        if limit > 0 && parts.len() + 1 == most {
            break;
        }
        end = found.start;
        if found.end != 0 {
            parts.push(Str::from_bytes(source[start..end].to_vec()));
        }
        start = found.end;
    }
    if end != source.len() {
        parts.push(Str::from_bytes(source[start..].to_vec()));
    }
    List::strings(parts).into()
}
