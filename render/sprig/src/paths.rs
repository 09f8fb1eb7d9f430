//! Slash-separated paths. The `os` forms are the same: the oracle's system has slashes.

use qm_gotemplate::{Functions, Signature, Type, Value};

use crate::strings::{one, text};

pub(crate) fn add(to: &mut Functions) {
    to.add("base", one(), |_, args| {
        Ok(text(base(args.str(0).as_bytes()).to_vec()))
    });
    to.add("dir", one(), |_, args| {
        let path = args.str(0).as_bytes();
        let end = last_slash(path).map_or(0, |at| at + 1);
        Ok(text(clean(&path[..end])))
    });
    to.add("clean", one(), |_, args| {
        Ok(text(clean(args.str(0).as_bytes())))
    });
    to.add("ext", one(), |_, args| {
        let path = args.str(0).as_bytes();
        let name = last_slash(path).map_or(path, |at| &path[at + 1..]);
        let dot = name.iter().rposition(|byte| *byte == b'.');
        Ok(text(dot.map_or(&[][..], |at| &name[at..]).to_vec()))
    });
    let signature = Signature::new([Type::String]).returns(Type::Bool);
    to.add("isAbs", signature, |_, args| {
        Ok(Value::Bool(args.str(0).as_bytes().starts_with(b"/")))
    });
    for (name, of) in [
        ("osBase", "base"),
        ("osDir", "dir"),
        ("osClean", "clean"),
        ("osExt", "ext"),
        ("osIsAbs", "isAbs"),
    ] {
        to.alias(name, of);
    }
}

fn last_slash(path: &[u8]) -> Option<usize> {
    path.iter().rposition(|byte| *byte == b'/')
}

fn base(path: &[u8]) -> &[u8] {
    if path.is_empty() {
        return b".";
    }
    let end = path.iter().rposition(|byte| *byte != b'/');
    let Some(end) = end else {
        return b"/";
    };
    let path = &path[..=end];
    last_slash(path).map_or(path, |at| &path[at + 1..])
}

/// The shortest path that means the same.
fn clean(path: &[u8]) -> Vec<u8> {
    let rooted = path.starts_with(b"/");
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => match parts.last() {
                Some(last) if *last != b".." => {
                    parts.pop();
                }
                _ if rooted => {}
                _ => parts.push(part),
            },
            part => parts.push(part),
        }
    }
    let joined = parts.join(&b'/');
    match (rooted, joined.is_empty()) {
        (true, _) => [b"/", &joined[..]].concat(),
        (false, true) => b".".to_vec(),
        (false, false) => joined,
    }
}
