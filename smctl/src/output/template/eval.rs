//! Fills a template in.

use super::{Node, Pipe, Term};
use crate::doc::Doc;
use std::collections::HashMap;

struct Scene<'d> {
    root: &'d Doc,
    variables: HashMap<String, Doc>,
    out: String,
}

pub(super) fn run(nodes: &[Node], doc: &Doc) -> Result<String, String> {
    let mut scene = Scene {
        root: doc,
        variables: HashMap::new(),
        out: String::new(),
    };
    scene.all(nodes, doc)?;
    Ok(scene.out)
}

impl Scene<'_> {
    fn all(&mut self, nodes: &[Node], dot: &Doc) -> Result<(), String> {
        nodes.iter().try_for_each(|node| self.one(node, dot))
    }

    fn one(&mut self, node: &Node, dot: &Doc) -> Result<(), String> {
        match node {
            Node::Text(text) => self.out.push_str(text),
            Node::Print(pipe) => {
                let value = self.pipe(pipe, dot)?;
                self.out.push_str(&shown(&value));
            }
            Node::Set(name, pipe) => {
                let value = self.pipe(pipe, dot)?;
                self.variables.insert(name.clone(), value);
            }
            Node::If(with, pipe, yes, no) => {
                let value = self.pipe(pipe, dot)?;
                match (value.is_empty(), with) {
                    (true, _) => self.all(no, dot)?,
                    (false, true) => self.all(yes, &value)?,
                    (false, false) => self.all(yes, dot)?,
                }
            }
            Node::Range(names, pipe, body, other) => {
                let value = self.pipe(pipe, dot)?;
                if value.is_empty() {
                    return self.all(other, dot);
                }
                let pairs: Vec<(Doc, Doc)> = match value {
                    Doc::List(items) => items
                        .into_iter()
                        .enumerate()
                        .map(|(at, item)| (Doc::from(at as u64), item))
                        .collect(),
                    // Go goes through the keys of a map in order.
                    Doc::Map(_) => match value.sorted() {
                        Doc::Map(entries) => entries
                            .into_iter()
                            .map(|(k, v)| (Doc::Text(k), v))
                            .collect(),
                        _ => Vec::new(),
                    },
                    other => return Err(format!("range over {} makes no sense", shown(&other))),
                };
                for (key, item) in pairs {
                    match names.as_slice() {
                        [one] => {
                            self.variables.insert(one.clone(), item.clone());
                        }
                        [first, second, ..] => {
                            self.variables.insert(first.clone(), key);
                            self.variables.insert(second.clone(), item.clone());
                        }
                        [] => {}
                    }
                    self.all(body, &item)?;
                }
            }
        }
        Ok(())
    }

    fn pipe(&self, pipe: &Pipe, dot: &Doc) -> Result<Doc, String> {
        let mut last = None;
        for command in &pipe.0 {
            last = Some(self.command(command, last, dot)?);
        }
        Ok(last.unwrap_or_default())
    }

    fn command(&self, terms: &[Term], last: Option<Doc>, dot: &Doc) -> Result<Doc, String> {
        let Some((first, rest)) = terms.split_first() else {
            return Ok(last.unwrap_or_default());
        };
        let Term::Call(name) = first else {
            if !rest.is_empty() || last.is_some() {
                return Err("only a function takes arguments".to_owned());
            }
            return self.term(first, dot);
        };
        let mut arguments = rest
            .iter()
            .map(|term| self.term(term, dot))
            .collect::<Result<Vec<_>, _>>()?;
        arguments.extend(last);
        call(name, &arguments)
    }

    fn term(&self, term: &Term, dot: &Doc) -> Result<Doc, String> {
        let below =
            |doc: &Doc, keys: &[String]| keys.iter().fold(doc, |doc, key| doc.get(key)).clone();
        Ok(match term {
            Term::Text(text) => Doc::Text(text.clone()),
            Term::Number(number) => Doc::Number(number.clone()),
            Term::Bool(value) => Doc::Bool(*value),
            Term::Nil => Doc::Null,
            Term::Field(keys) => below(dot, keys),
            Term::Variable(name, keys) if name.is_empty() => below(self.root, keys),
            Term::Variable(name, keys) => match self.variables.get(name) {
                Some(value) => below(value, keys),
                None => return Err(format!("there is no variable ${name}")),
            },
            Term::Call(name) => call(name, &[])?,
            Term::Nested(pipe, keys) => below(&self.pipe(pipe, dot)?, keys),
        })
    }
}

fn shown(value: &Doc) -> String {
    match value {
        Doc::Null => "<no value>".to_owned(),
        other => other.plain(),
    }
}

fn call(name: &str, arguments: &[Doc]) -> Result<Doc, String> {
    let nth = |at: usize| arguments.get(at).cloned().unwrap_or_default();
    let order = || match (nth(0), nth(1)) {
        (Doc::Number(a), Doc::Number(b)) => a.as_f64().partial_cmp(&b.as_f64()),
        (a, b) => a.plain().partial_cmp(&b.plain()),
    };
    Ok(match name {
        "len" => Doc::from(match nth(0) {
            Doc::Text(text) => text.len(),
            Doc::List(items) => items.len(),
            Doc::Map(entries) => entries.len(),
            _ => 0,
        } as u64),
        "index" => {
            let keys = arguments.get(1..).unwrap_or_default();
            keys.iter().fold(nth(0), |doc, key| match key {
                Doc::Number(number) => {
                    let at = number.as_u64().and_then(|at| usize::try_from(at).ok());
                    at.and_then(|at| doc.items().get(at))
                        .cloned()
                        .unwrap_or_default()
                }
                key => doc.get(key.as_str()).clone(),
            })
        }
        "print" => Doc::Text(arguments.iter().map(shown).collect()),
        "println" => Doc::Text(arguments.iter().map(shown).collect::<Vec<_>>().join(" ") + "\n"),
        "printf" => Doc::Text(printf(
            nth(0).as_str(),
            arguments.get(1..).unwrap_or_default(),
        )),
        "eq" => Doc::Bool(arguments.iter().skip(1).any(|other| *other == nth(0))),
        "ne" => Doc::Bool(nth(0) != nth(1)),
        "lt" => Doc::Bool(order().is_some_and(std::cmp::Ordering::is_lt)),
        "le" => Doc::Bool(order().is_some_and(std::cmp::Ordering::is_le)),
        "gt" => Doc::Bool(order().is_some_and(std::cmp::Ordering::is_gt)),
        "ge" => Doc::Bool(order().is_some_and(std::cmp::Ordering::is_ge)),
        "not" => Doc::Bool(nth(0).is_empty()),
        "and" => arguments
            .iter()
            .find(|one| one.is_empty())
            .or(arguments.last())
            .cloned()
            .unwrap_or_default(),
        "or" => arguments
            .iter()
            .find(|one| !one.is_empty())
            .or(arguments.last())
            .cloned()
            .unwrap_or_default(),
        "json" | "toJson" => Doc::Text(nth(0).compact()),
        "base64decode" => Doc::Text(decoded(nth(0).as_str())?),
        other => return Err(format!("there is no function {other}")),
    })
}

fn printf(format: &str, arguments: &[Doc]) -> String {
    let mut out = String::new();
    let mut arguments = arguments.iter();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('%') => out.push('%'),
            Some('q') => {
                let text = arguments.next().map(shown).unwrap_or_default();
                out.push_str(&Doc::Text(text).compact());
            }
            Some(_) => out.push_str(&arguments.next().map(shown).unwrap_or_default()),
            None => out.push('%'),
        }
    }
    out
}

fn decoded(text: &str) -> Result<String, String> {
    use base64::Engine;
    let bytes = base64::engine::general_purpose::STANDARD.decode(text);
    let bytes = bytes.map_err(|error| format!("no base64: {error}"))?;
    String::from_utf8(bytes).map_err(|_| "what was encoded is no text".to_owned())
}
