//! The signature of a request's context, by which a broker knows that it came through this manager.
//!
//! Deeds call [`Relay::sign`] before they pass a provision, an update or a bind on. The rule: a request never
//! fails for want of a signature; it goes without one, and the log says why.

mod canonical;
mod key;

pub(crate) use key::Signer;
pub use key::Signing;

use crate::Relay;
use quartermaster_osb::Object;
use serde_json::Value;

const INSTANCE: &str = "service_instance_id";
const SIGNATURE: &str = "signature";

impl Relay {
    /// Adds the instance's id and a signature to a context. Nothing is added when no key is configured, or when
    /// signing fails.
    pub fn sign(&self, context: &mut Object, instance_id: &str) {
        if let Some(signer) = &self.inner.signer {
            add(signer, context, instance_id);
        }
    }

    /// The public half of the key, for `/v1/info`: base64 of PEM.
    pub fn signing_key(&self) -> Option<String> {
        self.inner
            .signer
            .as_ref()
            .map(|signer| signer.public().to_owned())
    }

    /// That of the key that will sign next, as it was configured.
    pub fn next_signing_key(&self) -> Option<String> {
        let signing = self.inner.settings.signing.as_ref()?;
        signing.successor.clone()
    }
}

fn add(signer: &Signer, context: &mut Object, instance_id: &str) {
    // Whoever sent one did not make it with our key.
    context.remove(SIGNATURE);
    let before = context.insert(INSTANCE.to_owned(), Value::String(instance_id.to_owned()));
    match signer.sign(canonical::text(context).as_bytes()) {
        Some(signature) => {
            context.insert(SIGNATURE.to_owned(), Value::String(signature));
        }
        None => {
            match before {
                Some(before) => drop(context.insert(INSTANCE.to_owned(), before)),
                None => drop(context.remove(INSTANCE)),
            }
            tracing::error!("a context could not be signed; the request goes without a signature");
        }
    }
}
