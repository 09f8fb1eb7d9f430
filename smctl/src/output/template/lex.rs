//! From text to pieces, and from an action's text to its commands.

use super::{Pipe, Term};

/// Text, or what stands between braces.
#[derive(Debug, PartialEq)]
pub(super) enum Piece {
    Text(String),
    Action(String),
}

pub(super) fn pieces(text: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let mut trim = false;
    while let Some(open) = rest.find("{{") {
        let body = &rest[open + 2..];
        let close = body.find("}}").ok_or("a {{ is never closed")?;
        let mut before = &rest[..open];
        let mut action = &body[..close];
        if trim {
            before = before.trim_start();
        }
        if let Some(inner) = action.strip_prefix("- ") {
            before = before.trim_end();
            action = inner;
        }
        trim = false;
        if let Some(inner) = action.strip_suffix(" -") {
            trim = true;
            action = inner;
        }
        if !before.is_empty() {
            pieces.push(Piece::Text(before.to_owned()));
        }
        pieces.push(Piece::Action(action.trim().to_owned()));
        rest = &body[close + 2..];
    }
    let rest = if trim { rest.trim_start() } else { rest };
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    Ok(pieces)
}

pub(super) fn pipe(text: &str) -> Result<Pipe, String> {
    let mut chars = text.trim();
    let pipe = commands(&mut chars)?;
    if chars.is_empty() {
        Ok(pipe)
    } else {
        Err(format!("{chars} cannot be read"))
    }
}

fn commands(rest: &mut &str) -> Result<Pipe, String> {
    let mut commands = vec![Vec::new()];
    loop {
        *rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            break;
        };
        match first {
            ')' => break,
            '|' => {
                *rest = &rest[1..];
                commands.push(Vec::new());
            }
            _ => {
                let term = term(rest, first)?;
                if let Some(command) = commands.last_mut() {
                    command.push(term);
                }
            }
        }
    }
    if commands.iter().any(Vec::is_empty) {
        return Err("an empty command".to_owned());
    }
    Ok(Pipe(commands))
}

fn term(rest: &mut &str, first: char) -> Result<Term, String> {
    match first {
        '(' => {
            *rest = &rest[1..];
            let inner = commands(rest)?;
            *rest = rest.strip_prefix(')').ok_or("a ( is never closed")?;
            let keys = if rest.starts_with('.') {
                keys(take(rest))
            } else {
                Vec::new()
            };
            Ok(Term::Nested(inner, keys))
        }
        '"' => {
            let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<String>();
            let text = stream
                .next()
                .and_then(Result::ok)
                .ok_or("a text without its end")?;
            let used = stream.byte_offset();
            *rest = &rest[used..];
            Ok(Term::Text(text))
        }
        '`' => {
            let (text, tail) = rest[1..].split_once('`').ok_or("a text without its end")?;
            *rest = tail;
            Ok(Term::Text(text.to_owned()))
        }
        '.' => Ok(Term::Field(keys(take(rest)))),
        '$' => {
            let word = take(rest);
            let (name, path) = word[1..].split_once('.').unwrap_or((&word[1..], ""));
            Ok(Term::Variable(name.to_owned(), keys(path)))
        }
        _ => {
            let word = take(rest);
            match word {
                "true" => Ok(Term::Bool(true)),
                "false" => Ok(Term::Bool(false)),
                "nil" => Ok(Term::Nil),
                _ if first.is_ascii_digit() || first == '-' => serde_json::from_str(word)
                    .map(Term::Number)
                    .map_err(|_| format!("{word} is no number")),
                _ => Ok(Term::Call(word.to_owned())),
            }
        }
    }
}

/// The next word.
fn take<'t>(rest: &mut &'t str) -> &'t str {
    let end = rest
        .find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '|'))
        .unwrap_or(rest.len());
    let (word, tail) = rest.split_at(end);
    *rest = tail;
    word
}

fn keys(path: &str) -> Vec<String> {
    path.split('.')
        .filter(|key| !key.is_empty())
        .map(ToOwned::to_owned)
        .collect()
}
