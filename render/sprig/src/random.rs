//! Random texts, from the source that the caller handed in.

use qm_gotemplate::{Context, Failure, Functions, Signature, Type, Value};

use crate::encoding::base64;
use crate::outside::Outside;
use crate::panics::MAKE_SLICE;
use crate::runes::to_runes;
use crate::strings::one;

const DIGITS: &str = "0123456789";
const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

pub(crate) fn add(to: &mut Functions, outside: &Outside) {
    let printable: Vec<u8> = (b' '..=b'~').collect();
    let alphabets = [
        ("randAlpha", LETTERS.as_bytes().to_vec()),
        ("randNumeric", DIGITS.as_bytes().to_vec()),
        ("randAlphaNum", [LETTERS, DIGITS].concat().into_bytes()),
        ("randAscii", printable),
    ];
    for (name, alphabet) in alphabets {
        let outside = outside.clone();
        let signature = Signature::new([Type::Int]).returns(Type::String);
        to.add(name, signature, move |context, args| {
            drawn(context, &outside, &alphabet, args.int(0)).map(Value::from)
        });
    }
    let source = outside.clone();
    let signature = Signature::new([Type::Int]).returns(Type::String).fails();
    to.add("randBytes", signature, move |context, args| {
        let Ok(count) = usize::try_from(args.int(0)) else {
            return Err(MAKE_SLICE.into());
        };
        context.allow(count.saturating_mul(2))?;
        let mut bytes = vec![0; count];
        source.fill(&mut bytes)?;
        Ok(base64::encoded(&bytes).into())
    });
    let source = outside.clone();
    to.add("shuffle", one(), move |_, args| {
        let mut letters = to_runes(args.str(0).as_bytes());
        for last in (1..letters.len()).rev() {
            let bound = u64::try_from(last + 1).unwrap_or(u64::MAX);
            let chosen = usize::try_from(source.below(bound)?).unwrap_or(0);
            letters.swap(last, chosen);
        }
        Ok(letters.into_iter().collect::<String>().into())
    });
}

fn drawn(
    context: &mut Context<'_>,
    outside: &Outside,
    alphabet: &[u8],
    count: i64,
) -> Result<String, Failure> {
    let count = usize::try_from(count).unwrap_or(0);
    context.allow(count)?;
    let size = u64::try_from(alphabet.len()).unwrap_or(1);
    let mut text = String::with_capacity(count);
    for _ in 0..count {
        let index = usize::try_from(outside.below(size)?).unwrap_or(0);
        text.push(char::from(alphabet[index]));
    }
    Ok(text)
}
