//! `-o go-template=`: Go's text templates as kubectl users write them: fields, `range`, `if`, `with`, variables,
//! pipelines, and the functions for comparing, counting and printing.

mod eval;
mod lex;

use lex::Piece;

/// A parsed template.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Template(Vec<Node>);

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Text(String),
    Print(Pipe),
    Set(String, Pipe),
    /// `if` and `with`; the second moves the dot.
    If(bool, Pipe, Vec<Node>, Vec<Node>),
    /// Key and value variables, what to go through, the body, and what to say when there is nothing.
    Range(Vec<String>, Pipe, Vec<Node>, Vec<Node>),
}

/// Commands from left to right; each gets the result of the one before as its last argument.
#[derive(Debug, Clone, PartialEq)]
struct Pipe(Vec<Vec<Term>>);

#[derive(Debug, Clone, PartialEq)]
enum Term {
    Text(String),
    Number(serde_json::Number),
    Bool(bool),
    Nil,
    /// Keys from the dot.
    Field(Vec<String>),
    /// A variable and keys from it; `$` alone is the root.
    Variable(String, Vec<String>),
    Call(String),
    Nested(Pipe, Vec<String>),
}

impl Template {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let pieces = lex::pieces(text)?;
        let mut at = 0;
        let (nodes, end) = nodes(&pieces, &mut at)?;
        match end {
            None => Ok(Self(nodes)),
            Some(word) => Err(format!("a {{{{{word}}}}} that ends nothing")),
        }
    }

    pub(crate) fn apply(&self, doc: &crate::doc::Doc) -> Result<String, String> {
        eval::run(&self.0, doc)
    }
}

/// Nodes up to an `else` or `end`, and that word.
fn nodes(pieces: &[Piece], at: &mut usize) -> Result<(Vec<Node>, Option<String>), String> {
    let mut nodes = Vec::new();
    while let Some(piece) = pieces.get(*at) {
        *at += 1;
        let action = match piece {
            Piece::Text(text) => {
                nodes.push(Node::Text(text.clone()));
                continue;
            }
            Piece::Action(action) => action.as_str(),
        };
        let (word, rest) = action
            .split_once(char::is_whitespace)
            .unwrap_or((action, ""));
        match word {
            "end" | "else" => return Ok((nodes, Some(action.to_owned()))),
            "if" | "with" => nodes.push(branch(word == "with", rest, pieces, at)?),
            "range" => {
                let (names, pipe) = declared(rest)?;
                let (body, end) = self::nodes(pieces, at)?;
                let other = match end.as_deref() {
                    Some("end") => Vec::new(),
                    Some("else") => closed(pieces, at)?,
                    _ => return Err("a {{range}} without its {{end}}".to_owned()),
                };
                nodes.push(Node::Range(names, pipe, body, other));
            }
            _ if action.starts_with("/*") => {}
            _ => {
                let (names, pipe) = declared(action)?;
                nodes.push(match names.into_iter().next() {
                    Some(name) => Node::Set(name, pipe),
                    None => Node::Print(pipe),
                });
            }
        }
    }
    Ok((nodes, None))
}

fn branch(with: bool, test: &str, pieces: &[Piece], at: &mut usize) -> Result<Node, String> {
    let pipe = lex::pipe(test)?;
    let (yes, end) = nodes(pieces, at)?;
    let no = match end.as_deref() {
        Some("end") => Vec::new(),
        Some("else") => closed(pieces, at)?,
        Some(other) => match other.strip_prefix("else if ") {
            Some(test) => vec![branch(false, test, pieces, at)?],
            None => return Err(format!("{other} cannot be read")),
        },
        None => return Err("an {{if}} without its {{end}}".to_owned()),
    };
    Ok(Node::If(with, pipe, yes, no))
}

/// Nodes up to an `end`.
fn closed(pieces: &[Piece], at: &mut usize) -> Result<Vec<Node>, String> {
    match nodes(pieces, at)? {
        (nodes, Some(word)) if word == "end" => Ok(nodes),
        _ => Err("an {{else}} without its {{end}}".to_owned()),
    }
}

/// `$a, $b := pipe`, or only a pipe.
fn declared(text: &str) -> Result<(Vec<String>, Pipe), String> {
    let Some((names, pipe)) = text.split_once(":=").or_else(|| {
        let (left, right) = text.split_once('=')?;
        left.trim_end().starts_with('$').then_some((left, right))
    }) else {
        return Ok((Vec::new(), lex::pipe(text)?));
    };
    let names = names
        .split(',')
        .map(|name| name.trim().trim_start_matches('$').to_owned());
    Ok((names.collect(), lex::pipe(pipe)?))
}

#[cfg(test)]
mod tests {
    use super::Template;
    use crate::doc::Doc;

    fn shown(template: &str) -> String {
        let doc =
            br#"{"items":[{"name":"a","n":1},{"name":"b","n":2,"ready":true}],"k":{"x-y":"z"}}"#;
        Template::parse(template)
            .unwrap()
            .apply(&Doc::parse(doc).unwrap())
            .unwrap()
    }

    #[test]
    fn the_templates_of_go_work() {
        assert_eq!(shown("{{range .items}}{{.name}},{{end}}"), "a,b,");
        assert_eq!(
            shown("{{range $i, $e := .items}}{{$i}}={{$e.name}} {{end}}"),
            "0=a 1=b "
        );
        assert_eq!(
            shown("{{len .items}} {{index .k \"x-y\"}} {{(index .items 1).name}}"),
            "2 z b"
        );
        assert_eq!(
            shown("{{range .items}}{{if .ready}}+{{else if eq .n 1}}one{{else}}-{{end}}{{end}}"),
            "one+"
        );
        assert_eq!(shown("a {{- \" b\" -}} c"), "a bc");
        assert_eq!(
            shown("{{with .k}}{{index . \"x-y\"}}{{end}}{{with .none}}x{{else}}y{{end}}"),
            "zy"
        );
        assert_eq!(
            shown("{{printf \"%s=%v|%q\" \"a\" 3 \"b\"}}{{println}}"),
            "a=3|\"b\"\n"
        );
        assert_eq!(
            shown("{{$n := len .items}}{{if gt $n 1}}many{{end}}"),
            "many"
        );
        assert_eq!(shown("{{.items | len | printf \"%d\"}}"), "2");
        assert_eq!(shown("{{.none}}"), "<no value>");
        assert_eq!(
            shown("{{/* nothing */}}{{range .none}}x{{else}}none{{end}}"),
            "none"
        );
        assert_eq!(
            shown("{{if and .k (not .none)}}ok{{end}}{{or .none \"d\"}}"),
            "okd"
        );
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        for wrong in [
            "{{",
            "{{range .a}}",
            "{{end}}",
            "{{if .a}}{{else}}",
            "{{\"a}}",
            "{{(.a}}",
        ] {
            assert!(Template::parse(wrong).is_err(), "{wrong}");
        }
    }
}
