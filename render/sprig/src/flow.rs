//! `fail`: ends the rendering with a message.

use qm_gotemplate::{Failure, Functions};

use crate::strings::one;

pub(crate) fn add(to: &mut Functions) {
    to.add("fail", one().fails(), |_, args| {
        Err(Failure::new(args.text(0)))
    });
}
