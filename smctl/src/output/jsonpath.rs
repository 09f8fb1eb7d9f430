//! `-o jsonpath=`: the expressions of kubectl. Text stands for itself, `{...}` is looked up; without braces the whole
//! text is an expression.
//!
//! The rule: what is not there prints nothing, as with kubectl.

use crate::doc::Doc;

/// A parsed expression.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JsonPath(Vec<Part>);

#[derive(Debug, Clone, PartialEq)]
enum Part {
    Text(String),
    Value(Vec<Step>),
    Range(Vec<Step>, Vec<Part>),
}

#[derive(Debug, Clone, PartialEq)]
enum Step {
    Root,
    Key(String),
    /// `..key`: wherever it stands.
    Deep(String),
    All,
    Index(i64),
    Slice(Option<i64>, Option<i64>),
    Filter(Vec<Step>, Option<(String, Doc)>),
}

impl JsonPath {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if !text.contains('{') {
            return Ok(Self(vec![Part::Value(steps(text.trim())?)]));
        }
        let mut rest = text;
        let parts = parts(&mut rest, false)?;
        Ok(Self(parts))
    }

    pub(crate) fn apply(&self, doc: &Doc) -> String {
        let mut out = String::new();
        fill(&self.0, doc, doc, &mut out);
        out
    }
}

fn parts(rest: &mut &str, inside: bool) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let Some(open) = rest.find('{') else {
            parts.push(Part::Text((*rest).to_owned()));
            *rest = "";
            break;
        };
        if open > 0 {
            parts.push(Part::Text(rest[..open].to_owned()));
        }
        let body = &rest[open + 1..];
        let close = closing(body).ok_or("a { is never closed")?;
        let inner = body[..close].trim();
        *rest = &body[close + 1..];
        if inner == "end" {
            return if inside {
                Ok(parts)
            } else {
                Err("an {end} without a {range}".to_owned())
            };
        } else if let Some(path) = inner.strip_prefix("range ") {
            let path = steps(path.trim())?;
            parts.push(Part::Range(path, self::parts(rest, true)?));
        } else if inner.starts_with(['"', '\'']) {
            parts.push(Part::Text(literal(inner)?));
        } else {
            parts.push(Part::Value(steps(inner)?));
        }
    }
    if inside {
        Err("a {range} without an {end}".to_owned())
    } else {
        Ok(parts)
    }
}

/// Where the brace closes that was opened before, not counting those in quotes.
fn closing(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '}') => return Some(at),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            _ => {}
        }
    }
    None
}

fn literal(text: &str) -> Result<String, String> {
    let inner = text
        .get(1..text.len() - 1)
        .ok_or("a text without its end")?;
    Ok(inner
        .replace("\\n", "\n")
        .replace("\\t", "\t")
        .replace("\\\"", "\""))
}

fn steps(text: &str) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(tail) = rest.strip_prefix('$') {
            steps.push(Step::Root);
            rest = tail;
        } else if let Some(tail) = rest.strip_prefix("..") {
            let (word, tail) = word(tail);
            steps.push(Step::Deep(word));
            rest = tail;
        } else if let Some(tail) = rest.strip_prefix('[') {
            let close = bracket(tail).ok_or("a [ is never closed")?;
            steps.push(subscript(tail[..close].trim())?);
            rest = &tail[close + 1..];
        } else {
            let tail = rest.strip_prefix(['.', '@']).unwrap_or(rest);
            let (word, after) = word(tail);
            match word.as_str() {
                "" if after.len() == rest.len() => return Err(format!("{rest} cannot be read")),
                "" => {}
                "*" => steps.push(Step::All),
                _ => steps.push(Step::Key(word)),
            }
            rest = after;
        }
    }
    Ok(steps)
}

/// A key up to the next mark; a backslash takes the next character as it is.
fn word(text: &str) -> (String, &str) {
    let mut word = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '.' | '[' => return (word, &text[at..]),
            '\\' => word.extend(chars.next().map(|(_, next)| next)),
            c => word.push(c),
        }
    }
    (word, "")
}

fn bracket(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[') => depth += 1,
            (None, ']') if depth == 0 => return Some(at),
            (None, ']') => depth -= 1,
            _ => {}
        }
    }
    None
}

fn subscript(text: &str) -> Result<Step, String> {
    if text == "*" {
        return Ok(Step::All);
    }
    if text.starts_with(['"', '\'']) {
        return literal(text).map(Step::Key);
    }
    if let Some(inner) = text.strip_prefix("?(") {
        let inner = inner.strip_suffix(')').ok_or("a filter without its end")?;
        for operator in ["==", "!=", "<=", ">=", "<", ">"] {
            if let Some((left, right)) = inner.split_once(operator) {
                let right = right.trim();
                let value = if right.starts_with('\'') {
                    Doc::Text(literal(right)?)
                } else {
                    Doc::parse(right.as_bytes()).map_err(|_| format!("{right} is no value"))?
                };
                return Ok(Step::Filter(
                    steps(left.trim())?,
                    Some((operator.to_owned(), value)),
                ));
            }
        }
        return Ok(Step::Filter(steps(inner.trim())?, None));
    }
    let number = |part: &str| {
        let part = part.trim();
        if part.is_empty() {
            return Ok(None);
        }
        part.parse()
            .map(Some)
            .map_err(|_| format!("{part} is no number"))
    };
    if let Some((from, to)) = text.split_once(':') {
        return Ok(Step::Slice(number(from)?, number(to)?));
    }
    let index: Option<i64> = number(text)?;
    Ok(Step::Index(index.ok_or("an empty []")?))
}

fn fill(parts: &[Part], doc: &Doc, root: &Doc, out: &mut String) {
    for part in parts {
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Value(path) => {
                let values = walk(path, doc, root);
                let values: Vec<_> = values.into_iter().map(Doc::plain).collect();
                out.push_str(&values.join(" "));
            }
            Part::Range(path, body) => {
                for value in walk(path, doc, root) {
                    fill(body, value, root, out);
                }
            }
        }
    }
}

fn walk<'d>(path: &[Step], doc: &'d Doc, root: &'d Doc) -> Vec<&'d Doc> {
    let mut found = vec![doc];
    for step in path {
        found = found
            .into_iter()
            .flat_map(|doc| one(step, doc, root))
            .collect();
    }
    found
}

fn one<'d>(step: &Step, doc: &'d Doc, root: &'d Doc) -> Vec<&'d Doc> {
    let items = doc.items();
    let place = |index: i64| {
        let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
        let at = if index < 0 { length + index } else { index };
        usize::try_from(at.max(0)).unwrap_or_default()
    };
    match step {
        Step::Root => vec![root],
        Step::Key(key) => {
            let found = doc.entries().iter().filter(|(name, _)| name == key);
            found.map(|(_, value)| value).collect()
        }
        Step::Deep(key) => {
            let mut found = Vec::new();
            deep(key, doc, &mut found);
            found
        }
        Step::All => match doc {
            Doc::Map(entries) => entries.iter().map(|(_, value)| value).collect(),
            _ => items.iter().collect(),
        },
        Step::Index(index) => items.get(place(*index)).into_iter().collect(),
        Step::Slice(from, to) => {
            let from = from.map_or(0, place);
            let to = to.map_or(items.len(), place).min(items.len());
            items.get(from..to).unwrap_or_default().iter().collect()
        }
        Step::Filter(path, test) => items
            .iter()
            .filter(|item| passes(item, path, test.as_ref(), root))
            .collect(),
    }
}

fn deep<'d>(key: &str, doc: &'d Doc, found: &mut Vec<&'d Doc>) {
    for (name, value) in doc.entries() {
        if name == key || key == "*" {
            found.push(value);
        }
        deep(key, value, found);
    }
    for item in doc.items() {
        deep(key, item, found);
    }
}

fn passes(item: &Doc, path: &[Step], test: Option<&(String, Doc)>, root: &Doc) -> bool {
    let values = walk(path, item, root);
    let Some((operator, wanted)) = test else {
        return !values.is_empty();
    };
    values.into_iter().any(|value| {
        let order = match (value, wanted) {
            (Doc::Number(a), Doc::Number(b)) => a.as_f64().partial_cmp(&b.as_f64()),
            (a, b) => a.plain().partial_cmp(&b.plain()),
        };
        match (operator.as_str(), order) {
            ("==", _) => value == wanted,
            ("!=", _) => value != wanted,
            ("<", Some(order)) => order.is_lt(),
            ("<=", Some(order)) => order.is_le(),
            (">", Some(order)) => order.is_gt(),
            (">=", Some(order)) => order.is_ge(),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::JsonPath;
    use crate::doc::Doc;

    fn shown(path: &str) -> String {
        let doc = br#"{"items":[{"name":"a","n":1,"labels":{"x.y":["1"]}},{"name":"b","n":2,"ready":true}],"k":null}"#;
        JsonPath::parse(path)
            .unwrap()
            .apply(&Doc::parse(doc).unwrap())
    }

    #[test]
    fn the_expressions_of_kubectl_work() {
        assert_eq!(shown("{.items[0].name}"), "a");
        assert_eq!(shown(".items[-1].name"), "b");
        assert_eq!(shown("{.items[*].name}"), "a b");
        assert_eq!(
            shown("{range .items[*]}{.name}={.n}{\"\\n\"}{end}"),
            "a=1\nb=2\n"
        );
        assert_eq!(shown("{.items[?(@.name==\"b\")].n}"), "2");
        assert_eq!(shown("{.items[?(@.ready)].name}"), "b");
        assert_eq!(shown("{.items[?(@.n>1)].name}"), "b");
        assert_eq!(shown("{..name}"), "a b");
        assert_eq!(shown("{.items[0].labels['x.y'][0]}"), "1");
        assert_eq!(shown("{.items[0].labels.x\\.y[0]}"), "1");
        assert_eq!(
            shown("{.items[0:1].name} and {$.items[1:].name}"),
            "a and b"
        );
        assert_eq!(shown("{.nothing.here}"), "");
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        for wrong in ["{.a", "{range .a}", "{end}", "{.a[x]}", "{.a[?(@.b==c)]}"] {
            assert!(JsonPath::parse(wrong).is_err(), "{wrong}");
        }
    }
}
