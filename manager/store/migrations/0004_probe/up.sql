-- One row that is written only to see whether writing works. What is in it means nothing.
CREATE TABLE probe (
    id           BIGINT  PRIMARY KEY,
    filler       BYTEA   NOT NULL
);
