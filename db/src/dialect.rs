//! Where the two engines' SQL differs, named in one place. Migrations and leases use it.
//!
//! The rule that keeps it right: a difference that is not named here does not exist in our SQL.

/// The engine behind a handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// SQLite, in this process.
    Sqlite,
    /// PostgreSQL, a server.
    Postgres,
}

impl Dialect {
    /// The engine's name in a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }

    /// Ends a `SELECT` whose rows are to be taken by one worker. SQLite has one writer at a time
    /// and needs no words for it.
    #[must_use]
    pub const fn skip_locked(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " FOR UPDATE SKIP LOCKED",
        }
    }

    /// The text that this engine is meant to see: a line that ends in `-- only sqlite` or
    /// `-- only postgres` is left out for the other one.
    #[must_use]
    pub fn text(self, sql: &str) -> String {
        let other = match self {
            Self::Sqlite => "-- only postgres",
            Self::Postgres => "-- only sqlite",
        };
        let mut kept = String::with_capacity(sql.len());
        for line in sql.lines().filter(|line| !line.trim_end().ends_with(other)) {
            kept.push_str(line);
            kept.push('\n');
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::Dialect;

    #[test]
    fn a_marked_line_is_for_one_engine() {
        let sql = "CREATE TABLE t (\n a BIGSERIAL, -- only postgres\n a INTEGER, -- only sqlite \n b TEXT)";
        assert_eq!(
            Dialect::Sqlite.text(sql),
            "CREATE TABLE t (\n a INTEGER, -- only sqlite \n b TEXT)\n"
        );
        assert_eq!(
            Dialect::Postgres.text(sql),
            "CREATE TABLE t (\n a BIGSERIAL, -- only postgres\n b TEXT)\n"
        );
    }
}
