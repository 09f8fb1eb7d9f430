//! Hashes, passwords, keys and certificates.
//!
//! The rule: what is slow by design costs many steps, so that a template cannot ask for it without end.

mod aes;
mod certificate;
mod der;
mod derive;
mod hashes;
mod keys;
mod passwords;
mod pem;
mod scrypt;

use qm_gotemplate::Functions;

use crate::outside::Outside;

pub(crate) fn add(to: &mut Functions, outside: &Outside) {
    aes::add(to, outside);
    certificate::add(to, outside);
    derive::add(to);
    hashes::add(to);
    keys::add(to, outside);
    passwords::add(to, outside);
}
