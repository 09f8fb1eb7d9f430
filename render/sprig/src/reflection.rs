//! Types and kinds of values, by the names that Go gives them.

use qm_gotemplate::{Functions, Signature, Type, Value};

use crate::equal::deep_equal;

pub(crate) fn add(to: &mut Functions) {
    let one = || Signature::new([Type::Any]).returns(Type::String);
    let named = || Signature::new([Type::String, Type::Any]).returns(Type::Bool);
    to.add("typeOf", one(), |_, args| Ok(type_of(args.get(0)).into()));
    to.add("typeIs", named(), |_, args| {
        Ok(Value::Bool(args.text(0) == type_of(args.get(1))))
    });
    to.add("typeIsLike", named(), |_, args| {
        let (wanted, of) = (args.text(0), type_of(args.get(1)));
        let like = wanted == of || of.strip_prefix('*') == Some(&*wanted);
        Ok(Value::Bool(like))
    });
    to.add("kindOf", one(), |_, args| {
        Ok(Value::fixed(args.get(0).kind().as_str()))
    });
    to.add("kindIs", named(), |_, args| {
        Ok(Value::Bool(args.text(0) == args.get(1).kind().as_str()))
    });
    let pair = Signature::new([Type::Any, Type::Any]).returns(Type::Bool);
    to.add("deepEqual", pair, |_, args| {
        deep_equal(args.get(0), args.get(1)).map(Value::Bool)
    });
}

fn type_of(value: &Value) -> String {
    value
        .type_of()
        .map_or_else(|| "<nil>".to_owned(), |of| of.to_string())
}
