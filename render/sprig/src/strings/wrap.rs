//! `wrap` and `wrapWith`: lines of a width, broken at spaces.

use qm_gotemplate::{Context, Failure, Functions, Signature, Type};

use super::text;

pub(super) fn add(to: &mut Functions) {
    let signature = Signature::new([Type::Int, Type::String]).returns(Type::String);
    to.add("wrap", signature, |context, args| {
        let lines = Lines {
            width: width(args.int(0)),
            end: b"\n",
            cut_words: false,
        };
        lines.wrapped(context, args.str(1).as_bytes()).map(text)
    });
    let signature = Signature::new([Type::Int, Type::String, Type::String]);
    to.add(
        "wrapWith",
        signature.returns(Type::String),
        |context, args| {
            let end = args.str(1).as_bytes();
            let lines = Lines {
                width: width(args.int(0)),
                end: if end.is_empty() { b"\n" } else { end },
                cut_words: true,
            };
            lines.wrapped(context, args.str(2).as_bytes()).map(text)
        },
    );
}

fn width(asked: i64) -> usize {
    usize::try_from(asked.max(1)).unwrap_or(usize::MAX)
}

struct Lines<'a> {
    width: usize,
    end: &'a [u8],
    /// Whether a word that is longer than a line is cut; otherwise it makes the line longer.
    cut_words: bool,
}

impl Lines<'_> {
    fn wrapped(&self, context: &mut Context<'_>, source: &[u8]) -> Result<Vec<u8>, Failure> {
        let mut out = Vec::with_capacity(source.len());
        let mut rest = source;
        while rest.len() > self.width {
            if rest[0] == b' ' {
                rest = &rest[1..];
                continue;
            }
            let last_space = rest[..=self.width].iter().rposition(|byte| *byte == b' ');
            let (line, behind) = match last_space {
                Some(at) => (&rest[..at], &rest[at + 1..]),
                None if self.cut_words => rest.split_at(self.width),
                None => match rest[self.width..].iter().position(|byte| *byte == b' ') {
                    Some(at) => (&rest[..self.width + at], &rest[self.width + at + 1..]),
                    None => break,
                },
            };
            out.extend_from_slice(line);
            out.extend_from_slice(self.end);
            if out.len() > context.limits().value_bytes {
                context.allow(out.len())?;
            }
            rest = behind;
        }
        out.extend_from_slice(rest);
        Ok(out)
    }
}
