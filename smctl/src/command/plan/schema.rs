//! A JSON schema as a tree that people read: one line per parameter, with its type and what is asked of it.

use crate::doc::Doc;

/// How deep is looked. Schemas may go on for ever.
const DEEPEST: usize = 8;

/// Lines of a name, indented by its depth, and words about it.
pub(super) fn tree(schema: &Doc) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    below(schema, schema, 0, &mut lines);
    lines
}

fn below(schema: &Doc, root: &Doc, depth: usize, lines: &mut Vec<(String, String)>) {
    if depth > DEEPEST {
        return;
    }
    let required: Vec<_> = schema
        .get("required")
        .items()
        .iter()
        .map(Doc::as_str)
        .collect();
    for (name, property) in schema.get("properties").entries() {
        let property = followed(property, root);
        let must = required.contains(&name.as_str());
        lines.push((
            format!("{}{name}", "  ".repeat(depth)),
            words(property, must),
        ));
        below(property, root, depth + 1, lines);
        below(
            followed(property.get("items"), root),
            root,
            depth + 1,
            lines,
        );
    }
}

/// What a `$ref` within the same schema leads to.
fn followed<'s>(schema: &'s Doc, root: &'s Doc) -> &'s Doc {
    match schema.str("$ref").strip_prefix("#/") {
        Some(path) => path.split('/').fold(root, |doc, key| doc.get(key)),
        None => schema,
    }
}

fn words(schema: &Doc, required: bool) -> String {
    let mut words = vec![kind(schema)];
    if required {
        words.push("required".to_owned());
    }
    let allowed: Vec<_> = schema.get("enum").items().iter().map(Doc::plain).collect();
    if !allowed.is_empty() {
        words.push(format!("one of {}", allowed.join(", ")));
    }
    let limits = [
        ("default", "default"),
        ("const", "always"),
        ("minimum", "at least"),
        ("maximum", "at most"),
        ("minLength", "at least characters:"),
        ("maxLength", "at most characters:"),
        ("minItems", "at least items:"),
        ("maxItems", "at most items:"),
        ("pattern", "like"),
        ("format", "a"),
    ];
    for (key, text) in limits {
        let value = schema.get(key);
        if !value.is_null() {
            words.push(format!("{text} {}", value.plain()));
        }
    }
    let mut text = words.join(", ");
    let said = match schema.str("description") {
        "" => schema.str("title"),
        description => description,
    };
    if !said.is_empty() {
        text.push('\n');
        text.push_str(said);
    }
    text
}

fn kind(schema: &Doc) -> String {
    match schema.get("type") {
        Doc::Text(one) if one == "array" => {
            let item = schema.get("items").str("type");
            if item.is_empty() {
                "list".to_owned()
            } else {
                format!("list of {item}")
            }
        }
        Doc::Text(one) => one.clone(),
        Doc::List(several) => several
            .iter()
            .map(Doc::as_str)
            .collect::<Vec<_>>()
            .join(" or "),
        _ => "anything".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::tree;
    use crate::doc::Doc;

    #[test]
    fn a_schema_is_a_tree_of_words() {
        let schema = br##"{"type":"object","required":["size"],"$defs":{"n":{"type":"integer","minimum":1}},
            "properties":{"size":{"$ref":"#/$defs/n"},"tags":{"type":"array","items":{"type":"string"}},
            "net":{"type":"object","properties":{"kind":{"enum":["a","b"],"description":"Which"}}}}}"##;
        let lines = tree(&Doc::parse(schema).unwrap());
        let shown: Vec<_> = lines
            .iter()
            .map(|(name, words)| format!("{name}: {words}"))
            .collect();
        assert_eq!(
            shown,
            [
                "size: integer, required, at least 1",
                "tags: list of string",
                "net: object",
                "  kind: anything, one of a, b\nWhich",
            ]
        );
    }
}
