//! Users of the built-in issuer. The deeds of identity call it.
//!
//! The rule: a password is here only as its argon2 text, and whoever takes an administrator away asks
//! [`other_admin`] in the same transaction.

use crate::{Error, Tx};
use qm_db::Row;
use qm_model::Time;
use qm_model::id::UserId;
use qm_model::identity::{Role, User};
use std::collections::BTreeSet;

/// A user with what the typed password is compared to.
#[derive(Clone)]
pub struct Login {
    /// The user.
    pub user: User,
    /// The argon2 text.
    pub password: String,
}

/// Adds a user. False: the name or the id is taken.
///
/// # Errors
/// The database's.
pub async fn insert(tx: &Tx<'_>, user: &User, password: &str) -> Result<bool, Error> {
    let User {
        id,
        name,
        roles,
        tenant,
        created_at,
        updated_at,
    } = user;
    let added = tx
        .execute(
            "INSERT INTO person (id, name, password, roles, tenant, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
            &[
                &id.as_str(),
                name,
                &password,
                &words(roles),
                tenant,
                &created_at.millis(),
                &updated_at.millis(),
            ],
        )
        .await?;
    Ok(added == 1)
}

/// Stores a user's name, roles and tenant. False: there is no such user.
///
/// # Errors
/// The database's; a name that another has is a conflict.
pub async fn update(tx: &Tx<'_>, user: &User) -> Result<bool, Error> {
    let User {
        id,
        name,
        roles,
        tenant,
        created_at: _,
        updated_at,
    } = user;
    let changed = tx
        .execute(
            "UPDATE person SET name = $2, roles = $3, tenant = $4, updated_at = $5 WHERE id = $1",
            &[
                &id.as_str(),
                name,
                &words(roles),
                tenant,
                &updated_at.millis(),
            ],
        )
        .await?;
    Ok(changed == 1)
}

/// Stores another password. False: there is no such user.
///
/// # Errors
/// The database's.
pub async fn set_password(
    tx: &Tx<'_>,
    id: &UserId,
    password: &str,
    now: Time,
) -> Result<bool, Error> {
    let changed = tx
        .execute(
            "UPDATE person SET password = $2, updated_at = $3 WHERE id = $1",
            &[&id.as_str(), &password, &now.millis()],
        )
        .await?;
    Ok(changed == 1)
}

/// Removes a user; the refresh tokens go with it. False: there is no such user.
///
/// # Errors
/// The database's.
pub async fn delete(tx: &Tx<'_>, id: &UserId) -> Result<bool, Error> {
    let gone = tx
        .execute("DELETE FROM person WHERE id = $1", &[&id.as_str()])
        .await?;
    Ok(gone == 1)
}

/// One user.
///
/// # Errors
/// The database's.
pub async fn get(tx: &Tx<'_>, id: &UserId) -> Result<Option<User>, Error> {
    tx.query_opt(
        "SELECT id, name, roles, tenant, created_at, updated_at FROM person WHERE id = $1",
        &[&id.as_str()],
    )
    .await?
    .as_ref()
    .map(read)
    .transpose()
}

/// The user who types this name.
///
/// # Errors
/// The database's.
pub async fn by_name(tx: &Tx<'_>, name: &str) -> Result<Option<Login>, Error> {
    let row = tx
        .query_opt(
            "SELECT id, name, roles, tenant, created_at, updated_at, password FROM person WHERE name = $1",
            &[&name],
        )
        .await?;
    row.map(|row| {
        Ok(Login {
            user: read(&row)?,
            password: row.get(6)?,
        })
    })
    .transpose()
}

/// All users by name. The built-in issuer is for few; who has many brings an issuer.
///
/// # Errors
/// The database's.
pub async fn list(tx: &Tx<'_>) -> Result<Vec<User>, Error> {
    tx.query(
        "SELECT id, name, roles, tenant, created_at, updated_at FROM person ORDER BY name",
        &[],
    )
    .await?
    .iter()
    .map(read)
    .collect()
}

/// Whether there is any user.
///
/// # Errors
/// The database's.
pub async fn any(tx: &Tx<'_>) -> Result<bool, Error> {
    Ok(tx
        .query_opt("SELECT id FROM person LIMIT 1", &[])
        .await?
        .is_some())
}

/// Whether somebody else is administrator of everything.
///
/// # Errors
/// The database's.
pub async fn other_admin(tx: &Tx<'_>, but: &UserId) -> Result<bool, Error> {
    let found = tx
        .query_opt(
            "SELECT id FROM person
             WHERE id <> $1 AND tenant IS NULL AND ' ' || roles || ' ' LIKE '% admin %' LIMIT 1",
            &[&but.as_str()],
        )
        .await?;
    Ok(found.is_some())
}

fn read(row: &Row) -> Result<User, Error> {
    Ok(User {
        id: UserId::stored(row.get(0)?),
        name: row.get(1)?,
        roles: roles(&row.get::<String>(2)?, "person")?,
        tenant: row.get(3)?,
        created_at: Time(row.get(4)?),
        updated_at: Time(row.get(5)?),
    })
}

/// Roles as they are stored: words with spaces between.
pub(crate) fn words(roles: &BTreeSet<Role>) -> String {
    let words: Vec<_> = roles.iter().map(|role| role.word()).collect();
    words.join(" ")
}

/// Roles as they were stored.
pub(crate) fn roles(words: &str, table: &'static str) -> Result<BTreeSet<Role>, Error> {
    words
        .split_whitespace()
        .map(|word| {
            Role::from_word(word).ok_or(Error::Form {
                table,
                column: "roles",
            })
        })
        .collect()
}

/// The argon2 text is a hash, and still nobody's to read.
impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Login")
            .field("user", &self.user)
            .finish_non_exhaustive()
    }
}
