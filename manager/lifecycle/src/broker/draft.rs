//! What a caller wants of a broker, and whether that is sound.

use crate::Lifecycle;
use qm_model::broker::{Access, Auth, Tls};
use qm_model::{Error, LabelChange, Labels};
use serde::{Deserialize, Serialize};

/// A broker to be registered.
#[derive(Debug, Clone)]
pub struct NewBroker {
    /// The caller's choice; made up when absent.
    pub id: Option<String>,
    /// Unique.
    pub name: String,
    /// For people.
    pub description: String,
    /// Where it is.
    pub url: String,
    /// How to log in there.
    pub access: Access,
    /// Free words.
    pub labels: Labels,
}

/// What is to change about a broker. Sealed into its operation, so that another process can go on with it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct BrokerChange {
    /// Another name.
    pub name: Option<String>,
    /// Another description.
    pub description: Option<String>,
    /// Another place; then `access` must come with it, or the old password would go to a new host.
    pub url: Option<String>,
    /// Another way to log in.
    pub access: Option<Access>,
    /// Label changes, applied in order.
    pub labels: Vec<LabelChange>,
}

impl BrokerChange {
    /// Whether it is about labels alone: then the broker need not be asked for its catalog.
    pub(super) fn is_labels_only(&self) -> bool {
        let Self {
            name,
            description,
            url,
            access,
            labels,
        } = self;
        !labels.is_empty()
            && name.is_none()
            && description.is_none()
            && url.is_none()
            && access.is_none()
    }
}

pub(super) fn check_new(deeds: &Lifecycle, new: &NewBroker) -> Result<(), Error> {
    crate::catalog::check_name("name", &new.name)?;
    check_url(&new.url)?;
    check_access(deeds, &new.access)?;
    crate::catalog::check_protected(deeds, new.labels.keys())
}

pub(super) fn check_change(deeds: &Lifecycle, change: &BrokerChange) -> Result<(), Error> {
    if let Some(name) = &change.name {
        crate::catalog::check_name("name", name)?;
    }
    if let Some(url) = &change.url {
        check_url(url)?;
        if change.access.is_none() {
            return Err(Error::invalid(
                "a new broker_url needs the credentials for it in the same request",
            ));
        }
    }
    if let Some(access) = &change.access {
        check_access(deeds, access)?;
    }
    crate::catalog::check_protected(
        deeds,
        change.labels.iter().map(|change| change.key.as_str()),
    )
}

fn check_url(url: &str) -> Result<(), Error> {
    qm_relay::check_url(url).map_err(|why| Error::invalid(format!("broker_url: {why}")))
}

fn check_access(deeds: &Lifecycle, access: &Access) -> Result<(), Error> {
    let Access { auth, tls } = access;
    let empty = |text: &str| text.is_empty();
    match auth {
        Auth::None => {
            if *tls == Tls::None {
                return Err(Error::invalid(
                    "credentials: one of basic, bearer, oauth2 or tls is needed",
                ));
            }
        }
        Auth::Basic { username, password } => {
            if empty(username) || empty(password.expose()) {
                return Err(Error::invalid(
                    "credentials.basic: username and password are both needed",
                ));
            }
        }
        Auth::Bearer { token } => {
            if empty(token.expose()) {
                return Err(Error::invalid(
                    "credentials.bearer: token must not be empty",
                ));
            }
        }
        Auth::OAuth2 {
            token_url,
            client_id,
            client_secret,
            scope: _,
        } => {
            if empty(client_id) || empty(client_secret.expose()) {
                return Err(Error::invalid(
                    "credentials.oauth2: client_id and client_secret are both needed",
                ));
            }
            qm_relay::check_url(token_url)
                .map_err(|why| Error::invalid(format!("credentials.oauth2.token_url: {why}")))?;
        }
    }
    match tls {
        Tls::None => Ok(()),
        Tls::Own { certificate, key } => qm_relay::check_identity(certificate, key.expose())
            .map_err(|why| Error::invalid(format!("credentials.tls: {why}"))),
        Tls::Managers if deeds.settings.own_certificate => Ok(()),
        Tls::Managers => Err(Error::invalid(
            "credentials.tls.sm_provided_tls_credentials: this manager has no certificate of its own; \
             configure brokers.client_certificate",
        )),
    }
}
