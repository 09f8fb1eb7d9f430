//! `encryptAES` and `decryptAES`: AES-256 in CBC mode, the vector first, in Base64. The password itself
//! is the key, filled with zeros or cut.

use aws_lc_rs::cipher::{
    AES_256, DecryptingKey, DecryptionContext, EncryptingKey, EncryptionContext, UnboundCipherKey,
};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::iv::FixedLength;
use qm_gotemplate::{Failure, Functions, Value};

use crate::encoding::base64;
use crate::outside::Outside;
use crate::panics::bounds;
use crate::strings::{text, two};

const BLOCK: usize = 16;

pub(super) fn add(to: &mut Functions, outside: &Outside) {
    let outside = outside.clone();
    to.add("encryptAES", two().fails(), move |context, args| {
        let source = args.str(1).as_bytes();
        if source.is_empty() {
            return Ok(Value::fixed(""));
        }
        context.allow(source.len().saturating_mul(2))?;
        let mut vector = [0; BLOCK];
        outside.fill(&mut vector)?;
        let padding = BLOCK - source.len() % BLOCK;
        let mut content = source.to_vec();
        content.resize(source.len() + padding, u8::try_from(padding).unwrap_or(0));
        encrypt(args.str(0).as_bytes(), vector, &mut content).map_err(|_| failed())?;
        Ok(base64::encoded(&[&vector[..], &content].concat()).into())
    });
    to.add("decryptAES", two().fails(), |_, args| {
        let source = args.str(1).as_bytes();
        if source.is_empty() {
            return Ok(Value::fixed(""));
        }
        let bytes = base64::decoded(source).map_err(|error| Failure::new(error.to_string()))?;
        let Some((vector, content)) = bytes.split_first_chunk::<BLOCK>() else {
            // Go's slice has room for what the text could hold.
            let room = source.len() / 4 * 3;
            if room >= BLOCK {
                let length = bytes.len();
                return Err(
                    format!("runtime error: slice bounds out of range [{BLOCK}:{length}]").into(),
                );
            }
            return Err(format!(
                "runtime error: slice bounds out of range [:16] with capacity {room}"
            )
            .into());
        };
        if content.len() % BLOCK != 0 {
            return Err("crypto/cipher: input not full blocks".into());
        }
        let mut content = content.to_vec();
        if !content.is_empty() {
            decrypt(args.str(0).as_bytes(), *vector, &mut content).map_err(|_| failed())?;
        }
        let Some(padding) = content.last() else {
            return Err("runtime error: index out of range [-1]".into());
        };
        let length = i64::try_from(content.len()).unwrap_or(i64::MAX) - i64::from(*padding);
        let (_, end) = bounds(None, Some(length), content.len())?;
        content.truncate(end);
        Ok(text(content))
    });
}

fn key(password: &[u8]) -> Result<UnboundCipherKey, Unspecified> {
    let mut key = [0; 32];
    let used = password.len().min(key.len());
    key[..used].copy_from_slice(&password[..used]);
    UnboundCipherKey::new(&AES_256, &key)
}

fn encrypt(password: &[u8], vector: [u8; BLOCK], content: &mut [u8]) -> Result<(), Unspecified> {
    let context = EncryptionContext::Iv128(FixedLength::from(vector));
    EncryptingKey::cbc(key(password)?)?.less_safe_encrypt(content, context)?;
    Ok(())
}

fn decrypt(password: &[u8], vector: [u8; BLOCK], content: &mut [u8]) -> Result<(), Unspecified> {
    let context = DecryptionContext::Iv128(FixedLength::from(vector));
    DecryptingKey::cbc(key(password)?)?.decrypt(content, context)?;
    Ok(())
}

fn failed() -> Failure {
    Failure::new("AES failed")
}
