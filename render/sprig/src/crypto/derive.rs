//! `derivePassword`: the Master Password algorithm. The same inputs always give the same password.

use aws_lc_rs::hmac;
use qm_gotemplate::{Functions, Signature, Type, Value};

use super::scrypt::{self, Cost};

const SCOPE: &[u8] = b"com.lyndir.masterpassword";
const COST: Cost = Cost {
    rounds: 32_768,
    block_size: 8,
    lanes: 2,
};
/// Steps for one password: it takes tenths of a second and 32 MiB.
const STEPS: u64 = 200_000;

const CONSONANTS: &str = "bcdfghjklmnpqrstvwxyz";
const VOWELS: &str = "aeiou";
const DIGITS: &str = "0123456789";
const LETTERS: &str = "AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz";

pub(super) fn add(to: &mut Functions) {
    let text = || Type::String;
    let signature = Signature::new([Type::Uint32, text(), text(), text(), text()]);
    to.add(
        "derivePassword",
        signature.returns(text()),
        |context, args| {
            let Some(shapes) = shapes(&args.text(1)) else {
                return Ok(format!("cannot find password template {}", args.text(1)).into());
            };
            context.spend(STEPS)?;
            let mut key = [0; 64];
            let salt = [SCOPE, &counted(args.str(3).as_bytes())].concat();
            scrypt::derive(args.str(2).as_bytes(), &salt, &COST, &mut key);
            let counter = u32::try_from(args.int(0)).unwrap_or(0).to_be_bytes();
            let message = [SCOPE, &counted(args.str(4).as_bytes()), &counter].concat();
            let seed = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), &message);
            Ok(password(&shapes, seed.as_ref()))
        },
    );
}

/// A text behind its length.
fn counted(text: &[u8]) -> Vec<u8> {
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX).to_be_bytes();
    [&length, text].concat()
}

/// The shapes of a sort of password; a letter of a shape stands for a class of letters.
fn shapes(sort: &str) -> Option<Vec<String>> {
    let listed = |shapes: &[&str]| shapes.iter().map(|shape| (*shape).to_owned()).collect();
    Some(match sort {
        "maximum" => {
            let rest = "x".repeat(17);
            vec![format!("ano{rest}"), format!("a{rest}no")]
        }
        "long" => long(),
        "medium" => listed(&["CvcnoCvc", "CvcCvcno"]),
        "short" => listed(&["Cvcn"]),
        "basic" => listed(&["aaanaaan", "aannaaan", "aaannaaa"]),
        "pin" => listed(&["nnnn"]),
        _ => return None,
    })
}

/// Three syllables, of which some end with two consonants, and a digit and a sign behind one of them.
fn long() -> Vec<String> {
    const HARD: [[bool; 3]; 7] = [
        [false, false, false],
        [true, false, false],
        [false, true, false],
        [false, false, true],
        [true, true, false],
        [false, true, true],
        [true, false, true],
    ];
    let mut shapes = Vec::with_capacity(21);
    for hard in HARD {
        for signed in 0..3 {
            let mut shape = String::new();
            for (index, hard) in hard.into_iter().enumerate() {
                shape.push_str(if hard { "Cvcc" } else { "Cvcv" });
                if index == signed {
                    shape.push_str("no");
                }
            }
            shapes.push(shape);
        }
    }
    shapes
}

fn class(letter: char) -> String {
    match letter {
        'C' => CONSONANTS.to_uppercase(),
        'c' => CONSONANTS.to_owned(),
        'v' => VOWELS.to_owned(),
        'n' => DIGITS.to_owned(),
        'o' => "@&%?,=[]_:-+*$#!'^~;()/.".to_owned(),
        'x' => format!("{LETTERS}{DIGITS}!@#$%^&*()"),
        _ => LETTERS.to_owned(),
    }
}

fn password(shapes: &[String], seed: &[u8]) -> Value {
    let mut numbers = seed.iter().map(|byte| usize::from(*byte));
    let chosen = numbers.next().unwrap_or(0) % shapes.len();
    let letters = shapes[chosen].chars().zip(numbers).map(|(letter, number)| {
        let class = class(letter);
        char::from(class.as_bytes()[number % class.len()])
    });
    letters.collect::<String>().into()
}
