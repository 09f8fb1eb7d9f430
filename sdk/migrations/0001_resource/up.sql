-- One row per instance or binding that was ever seen, with its operation under way or last one.
-- Runs on SQLite and PostgreSQL: times are milliseconds, JSON is sealed bytes, flags are 0 and 1.
CREATE TABLE resource (
    broker        TEXT   NOT NULL,
    platform      TEXT   NOT NULL,
    instance_id   TEXT   NOT NULL,
    binding_id    TEXT   NOT NULL,           -- empty for an instance
    service_id    TEXT   NOT NULL,
    plan_id       TEXT   NOT NULL,
    life          TEXT   NOT NULL,
    spec          BYTEA,                     -- sealed: what was asked for
    made          BYTEA,                     -- sealed: what was made
    op_id         TEXT,
    op_work       TEXT,
    op_state      TEXT,
    op_async      BIGINT NOT NULL DEFAULT 0,
    op_text       TEXT,
    op_usable     BIGINT,
    op_repeatable BIGINT,
    op_prior      TEXT,
    op_intent     BYTEA,                     -- sealed: what to run again with
    op_started_at BIGINT NOT NULL DEFAULT 0,
    lease_owner   TEXT,
    lease_until   BIGINT NOT NULL DEFAULT 0,
    due_at        BIGINT NOT NULL DEFAULT 0,
    fence         BIGINT NOT NULL DEFAULT 0,
    attempts      BIGINT NOT NULL DEFAULT 0,
    halt          BIGINT NOT NULL DEFAULT 0, -- a delete wants the create under way to stop
    announce      BIGINT NOT NULL DEFAULT 0, -- the hooks have not yet heard of the outcome
    created_at    BIGINT NOT NULL,
    changed_at    BIGINT NOT NULL,
    PRIMARY KEY (broker, platform, instance_id, binding_id)
);

CREATE INDEX resource_work ON resource (broker, due_at) WHERE op_state = 'in progress';
CREATE INDEX resource_announce ON resource (broker) WHERE announce = 1;

-- Asynchronous operations that a later one replaced: a platform may still poll them by their id.
CREATE TABLE past_operation (
    op_id       TEXT   NOT NULL PRIMARY KEY,
    broker      TEXT   NOT NULL,
    platform    TEXT   NOT NULL,
    instance_id TEXT   NOT NULL,
    binding_id  TEXT   NOT NULL,
    work        TEXT   NOT NULL,
    state       TEXT   NOT NULL,
    text        TEXT,
    usable      BIGINT,
    repeatable  BIGINT,
    finished_at BIGINT NOT NULL
);
