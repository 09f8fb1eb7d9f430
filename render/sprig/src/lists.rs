//! Functions on lists. A list never changes: they make new ones. In Go the `must` forms return what
//! the others panic with; both end a template with the same text.

mod ends;
mod search;
mod shape;

use qm_gotemplate::{Failure, Functions, Limit, Signature, Type};

pub(crate) fn add(to: &mut Functions) {
    let signature = Signature::variadic([], Type::Any).returns(Type::list());
    to.add("list", signature, |_, args| Ok(args.all().to_vec().into()));
    to.alias("tuple", "list");
    ends::add(to);
    search::add(to);
    shape::add(to);
}

/// Registers a function and its `must` form, whose type also shows an `error`.
fn both<F>(to: &mut Functions, name: &str, signature: Signature, body: F)
where
    F: Fn(
            &mut qm_gotemplate::Context<'_>,
            qm_gotemplate::Args<'_>,
        ) -> Result<qm_gotemplate::Value, Failure>
        + Copy
        + Send
        + Sync
        + 'static,
{
    let mut letters = name.chars();
    let must: String = letters
        .next()
        .map(|first| format!("must{}{}", first.to_ascii_uppercase(), letters.as_str()))
        .unwrap_or_default();
    to.add(&must, signature.clone().fails(), body);
    to.add(name, signature, body);
}

fn too_many(what: &str) -> Failure {
    Failure::limit(Limit::Steps, format!("{what}: too many elements"))
}
