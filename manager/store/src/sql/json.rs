//! What a path leads to in a JSON column, as text. Field criteria use it.
//!
//! The rule: both engines give the same text for a string, a number and a truth value, and nothing for null
//! and for what is not there. Steps are names of members, never places in an array.

use super::Binds;
use qm_db::Dialect;
use qm_model::Kind;

/// An expression for the text at `path` in `column` of the row `t`. The path is bound, except where an index
/// is made of exactly this expression.
pub(super) fn at(binds: &mut Binds, kind: Kind, column: &str, path: &[String]) -> String {
    let indexed = match path {
        [step] if kind == Kind::Instance && column == "context" => ["clusterid", "namespace"]
            .into_iter()
            .find(|known| known == step),
        _ => None,
    };
    match binds.dialect {
        Dialect::Sqlite => {
            let place = match indexed {
                Some(step) => format!("'$.{step}'"),
                None => {
                    let steps: String = path.iter().map(|step| format!(".\"{step}\"")).collect();
                    binds.bind(format!("${steps}"))
                }
            };
            format!(
                "(CASE json_type(t.{column}, {place}) WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' \
                 ELSE CAST(json_extract(t.{column}, {place}) AS TEXT) END)"
            )
        }
        Dialect::Postgres => {
            let steps: Vec<String> = match indexed {
                Some(step) => vec![format!("'{step}'")],
                None => {
                    let steps = path
                        .iter()
                        .map(|step| format!("{}::text", binds.bind(step)));
                    steps.collect()
                }
            };
            format!("json_member(t.{column}, {})", steps.join(", "))
        }
    }
}
