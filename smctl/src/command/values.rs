//! Parameters from flags: JSON, a file, or single values.

use crate::compat;
use crate::doc::Doc;
use crate::problem::Problem;
use clap::Args;

/// Parameters for a broker.
#[derive(Debug, Default, Args)]
pub(crate) struct Values {
    /// Parameters as a JSON object, or @FILE.
    #[arg(
        short = 'c',
        long,
        value_name = "JSON",
        default_value = "",
        hide_default_value = true
    )]
    parameters: String,
    /// One parameter, as in size=10 or net.kind=private. Numbers, true, false and JSON are taken as such.
    #[arg(short, long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl Values {
    pub(crate) fn doc(&self) -> Result<Option<Doc>, Problem> {
        let mut doc = compat::parameters(&self.parameters)?;
        for pair in &self.set {
            let Some((key, value)) = pair.split_once('=') else {
                return Err(
                    Problem::usage(format!("{pair} is no parameter")).hint("write --set key=value")
                );
            };
            let value = Doc::parse(value.as_bytes()).unwrap_or_else(|_| value.into());
            put(doc.get_or_insert_with(Doc::map), key, value);
        }
        Ok(doc)
    }
}

fn put(doc: &mut Doc, key: &str, value: Doc) {
    match key.split_once('.') {
        None => doc.set(key, value),
        Some((first, rest)) => {
            let mut inner = doc.get(first).clone();
            put(&mut inner, rest, value);
            doc.set(first, inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Values;

    #[test]
    fn single_values_are_laid_over_the_object() {
        let values = Values {
            parameters: r#"{"a":1,"n":{"x":true}}"#.to_owned(),
            set: ["a=2", "n.y=text", "l=[1]"].map(Into::into).to_vec(),
        };
        let doc = values.doc().unwrap().unwrap();
        assert_eq!(
            doc.compact(),
            r#"{"a":2,"n":{"x":true,"y":"text"},"l":[1]}"#
        );
    }
}
