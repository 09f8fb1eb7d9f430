#![doc = include_str!("../README.md")]

mod cast;
mod conversion;
mod crypto;
mod dates;
mod defaults;
mod dicts;
mod encoding;
mod equal;
mod float_math;
mod flow;
mod integer_lists;
mod interoperator;
mod items;
mod json;
mod lists;
mod math;
mod network;
mod outside;
mod panics;
mod paths;
mod random;
mod reflection;
mod regex;
mod runes;
mod semver;
mod string_lists;
mod strings;
mod strval;
mod unicode;
mod url;
mod uuid;

use qm_gotemplate::Functions;

pub use interoperator::interoperator;
pub use outside::{Moment, Outside};

/// All functions of sprig. `env`, `expandenv` and `getHostByName` are among them only when `outside`
/// allows them.
#[must_use]
pub fn functions(outside: &Outside) -> Functions {
    let mut functions = Functions::new();
    let to = &mut functions;
    conversion::add(to);
    crypto::add(to, outside);
    dates::add(to, outside);
    defaults::add(to);
    dicts::add(to);
    encoding::add(to);
    flow::add(to);
    float_math::add(to);
    integer_lists::add(to);
    json::add(to);
    lists::add(to);
    math::add(to, outside);
    network::add(to, outside);
    paths::add(to);
    random::add(to, outside);
    reflection::add(to);
    regex::add(to);
    semver::add(to);
    string_lists::add(to);
    strings::add(to);
    url::add(to);
    uuid::add(to, outside);
    functions
}
