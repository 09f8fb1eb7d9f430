//! Finding, leaving out and keeping elements by their value.

use qm_gotemplate::{Context, Failure, Functions, Signature, Type, Value};

use super::both;
use crate::equal::deep_equal;
use crate::items::wanted;

pub(super) fn add(to: &mut Functions) {
    let one = || Signature::new([Type::Any]).returns(Type::list());
    both(to, "compact", one(), |_, args| {
        let list = wanted(args.get(0), "Cannot compact on type")?;
        let kept = list.iter().filter(|item| item.is_true());
        Ok(kept.cloned().collect::<Vec<_>>().into())
    });
    both(to, "uniq", one(), |context, args| {
        let list = wanted(args.get(0), "Cannot find uniq on type")?;
        let mut kept = Vec::new();
        for item in &list {
            if !contains(context, &kept, item)? {
                kept.push(item.clone());
            }
        }
        Ok(kept.into())
    });
    let signature = Signature::variadic([Type::Any], Type::Any).returns(Type::list());
    both(to, "without", signature, |context, args| {
        let list = wanted(args.get(0), "Cannot find without on type")?;
        let mut kept = Vec::new();
        for item in &list {
            if !contains(context, args.rest(1), item)? {
                kept.push(item.clone());
            }
        }
        Ok(kept.into())
    });
    let signature = Signature::new([Type::Any, Type::Any]).returns(Type::Bool);
    both(to, "has", signature, |context, args| {
        if args.get(1).is_nothing() {
            return Ok(Value::Bool(false));
        }
        let list = wanted(args.get(1), "Cannot find has on type")?;
        contains(context, list.as_slice(), args.get(0)).map(Value::Bool)
    });
}

fn contains(
    context: &mut Context<'_>,
    haystack: &[Value],
    needle: &Value,
) -> Result<bool, Failure> {
    // Comparing each with each is the only work here that grows faster than the data.
    context.spend(1 + u64::try_from(haystack.len() / 16).unwrap_or(u64::MAX))?;
    for item in haystack {
        if deep_equal(needle, item)? {
            return Ok(true);
        }
    }
    Ok(false)
}
