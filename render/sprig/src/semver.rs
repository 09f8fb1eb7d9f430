//! Versions by semver.org, read generously, and ranges of them.

mod constraint;
mod object;
mod version;

use qm_gotemplate::{Failure, Functions, Signature, Type, Value};

use constraint::Constraints;
pub(crate) use version::Version;

pub(crate) fn add(to: &mut Functions) {
    let signature = Signature::new([Type::String])
        .returns(object::pointer())
        .fails();
    to.add("semver", signature, |_, args| {
        let version = Version::parse(&args.text(0)).map_err(Failure::new)?;
        Ok(Value::object(version))
    });
    let signature = Signature::new([Type::String, Type::String]);
    to.add(
        "semverCompare",
        signature.returns(Type::Bool).fails(),
        |_, args| {
            let ranges = Constraints::parse(&args.text(0)).map_err(Failure::new)?;
            let version = Version::parse(&args.text(1)).map_err(Failure::new)?;
            Ok(Value::Bool(ranges.hold(&version)))
        },
    );
}
