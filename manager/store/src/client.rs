//! Clients of the built-in issuer: programs with a secret of their own. The deeds of identity call it.
//!
//! The rule: a secret is generated, never chosen, so its SHA-256 is all that is stored.

use crate::{Error, Tx, user};
use qm_db::Row;
use qm_model::Time;
use qm_model::id::ClientId;
use qm_model::identity::Client;

/// A client with what its secret is compared to.
#[derive(Debug, Clone)]
pub struct Login {
    /// The client.
    pub client: Client,
    /// SHA-256 of its secret.
    pub secret: [u8; 32],
}

/// Adds a client. False: the id is taken.
///
/// # Errors
/// The database's.
pub async fn insert(tx: &Tx<'_>, client: &Client, secret: &[u8; 32]) -> Result<bool, Error> {
    let Client {
        id,
        description,
        roles,
        tenant,
        created_at,
        updated_at,
    } = client;
    let added = tx
        .execute(
            "INSERT INTO client (id, secret, description, roles, tenant, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
            &[
                &id.as_str(),
                secret,
                description,
                &user::words(roles),
                tenant,
                &created_at.millis(),
                &updated_at.millis(),
            ],
        )
        .await?;
    Ok(added == 1)
}

/// Stores a client's description, roles and tenant. False: there is no such client.
///
/// # Errors
/// The database's.
pub async fn update(tx: &Tx<'_>, client: &Client) -> Result<bool, Error> {
    let Client {
        id,
        description,
        roles,
        tenant,
        created_at: _,
        updated_at,
    } = client;
    let changed = tx
        .execute(
            "UPDATE client SET description = $2, roles = $3, tenant = $4, updated_at = $5 WHERE id = $1",
            &[&id.as_str(), description, &user::words(roles), tenant, &updated_at.millis()],
        )
        .await?;
    Ok(changed == 1)
}

/// Stores another secret; the old one is worth nothing from here on. False: there is no such client.
///
/// # Errors
/// The database's.
pub async fn set_secret(
    tx: &Tx<'_>,
    id: &ClientId,
    secret: &[u8; 32],
    now: Time,
) -> Result<bool, Error> {
    let changed = tx
        .execute(
            "UPDATE client SET secret = $2, updated_at = $3 WHERE id = $1",
            &[&id.as_str(), secret, &now.millis()],
        )
        .await?;
    Ok(changed == 1)
}

/// Removes a client. False: there is no such client.
///
/// # Errors
/// The database's.
pub async fn delete(tx: &Tx<'_>, id: &ClientId) -> Result<bool, Error> {
    let gone = tx
        .execute("DELETE FROM client WHERE id = $1", &[&id.as_str()])
        .await?;
    Ok(gone == 1)
}

/// One client.
///
/// # Errors
/// The database's.
pub async fn get(tx: &Tx<'_>, id: &ClientId) -> Result<Option<Client>, Error> {
    Ok(login(tx, id.as_str()).await?.map(|login| login.client))
}

/// The client with this `client_id`, which may be anything that somebody sent.
///
/// # Errors
/// The database's.
pub async fn login(tx: &Tx<'_>, id: &str) -> Result<Option<Login>, Error> {
    let row = tx
        .query_opt(
            "SELECT id, description, roles, tenant, created_at, updated_at, secret FROM client WHERE id = $1",
            &[&id],
        )
        .await?;
    row.map(|row| {
        let secret: Vec<u8> = row.get(6)?;
        Ok(Login {
            client: read(&row)?,
            secret: secret.try_into().map_err(|_| Error::Form {
                table: "client",
                column: "secret",
            })?,
        })
    })
    .transpose()
}

/// All clients by id.
///
/// # Errors
/// The database's.
pub async fn list(tx: &Tx<'_>) -> Result<Vec<Client>, Error> {
    tx.query(
        "SELECT id, description, roles, tenant, created_at, updated_at FROM client ORDER BY id",
        &[],
    )
    .await?
    .iter()
    .map(read)
    .collect()
}

fn read(row: &Row) -> Result<Client, Error> {
    Ok(Client {
        id: ClientId::stored(row.get(0)?),
        description: row.get(1)?,
        roles: user::roles(&row.get::<String>(2)?, "client")?,
        tenant: row.get(3)?,
        created_at: Time(row.get(4)?),
        updated_at: Time(row.get(5)?),
    })
}
