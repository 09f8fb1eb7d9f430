//! DSA keys of 2048 and 256 bits: two primes of which one divides the other less one, a generator, and
//! a secret number. Slow, as it is in Go; nobody should want one today.

use num_bigint::BigUint;
use qm_gotemplate::{Context, Failure};

use super::super::der;
use crate::outside::Outside;

const P_BITS: u64 = 2048;
const Q_BITS: u64 = 256;
/// Rounds of the test for primes: an error is less likely than a fault of the machine.
const ROUNDS: usize = 40;

/// The key as PEM holds it.
pub(super) fn generate(context: &mut Context<'_>, outside: &Outside) -> Result<Vec<u8>, Failure> {
    let one = BigUint::from(1_u32);
    let (p, q) = primes(context, outside)?;
    // A number of order q: any base raised to (p-1)/q that is not one.
    let exponent = (&p - &one) / &q;
    let mut base = BigUint::from(2_u32);
    let generator = loop {
        let generator = base.modpow(&exponent, &p);
        if generator > one {
            break generator;
        }
        base += &one;
    };
    let secret = loop {
        let secret = random(outside, Q_BITS)? % &q;
        if secret.bits() > 0 {
            break secret;
        }
    };
    let public = generator.modpow(&secret, &p);
    let number = |number: &BigUint| der::unsigned(&number.to_bytes_be());
    Ok(der::sequence(&[
        &der::unsigned(&[0]),
        &number(&p),
        &number(&q),
        &number(&generator),
        &number(&public),
        &number(&secret),
    ]))
}

fn random(outside: &Outside, bits: u64) -> Result<BigUint, Failure> {
    let mut bytes = vec![0; usize::try_from(bits / 8).unwrap_or(0)];
    outside.fill(&mut bytes)?;
    Ok(BigUint::from_bytes_be(&bytes))
}

/// A random odd number with its highest bit set.
fn candidate(outside: &Outside, bits: u64) -> Result<BigUint, Failure> {
    let mut number = random(outside, bits)?;
    number.set_bit(bits - 1, true);
    number.set_bit(0, true);
    Ok(number)
}

fn primes(context: &mut Context<'_>, outside: &Outside) -> Result<(BigUint, BigUint), Failure> {
    let one = BigUint::from(1_u32);
    let q = loop {
        let q = candidate(outside, Q_BITS)?;
        if is_prime(outside, &q)? {
            break q;
        }
    };
    let step = &q * 2_u32;
    loop {
        context.spend(100)?;
        let start = candidate(outside, P_BITS)?;
        // The nearest number below that is one more than a multiple of q, and odd.
        let p = &start - (&start % &step) + &one;
        if p.bits() == P_BITS && is_prime(outside, &p)? {
            return Ok((p, q));
        }
    }
}

const SMALL: [u32; 24] = [
    3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
];

/// Miller and Rabin's test, after division by small primes.
fn is_prime(outside: &Outside, number: &BigUint) -> Result<bool, Failure> {
    let zero = BigUint::ZERO;
    if SMALL.iter().any(|small| number % *small == zero) {
        return Ok(false);
    }
    let one = BigUint::from(1_u32);
    let less = number - &one;
    let twos = less.trailing_zeros().unwrap_or(0);
    let odd = &less >> twos;
    for _ in 0..ROUNDS {
        let base = random(outside, number.bits())? % &less;
        if base <= one {
            continue;
        }
        let mut power = base.modpow(&odd, number);
        if power == one || power == less {
            continue;
        }
        let mut composite = true;
        for _ in 1..twos {
            power = power.modpow(&BigUint::from(2_u32), number);
            if power == less {
                composite = false;
                break;
            }
        }
        if composite {
            return Ok(false);
        }
    }
    Ok(true)
}
