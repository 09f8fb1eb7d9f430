-- The registry. Runs on SQLite and PostgreSQL: times are milliseconds, JSON is text, secrets are sealed bytes.
-- `seq` is the order of lists and what a page token holds; it ends every index that a list walks along, so that
-- a page needs no sorting. Where rows come by the thousand SQLite keeps no record of the highest one given
-- (AUTOINCREMENT): that would be one more write for each, and a number that comes back hurts nobody there.
-- `labels` repeats the label rows as JSON, so that reading an object is one row; the label table is what queries go
-- through.

CREATE TABLE broker (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT, -- only sqlite
    seq          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- only postgres
    id           TEXT    NOT NULL UNIQUE,
    name         TEXT    NOT NULL UNIQUE,
    description  TEXT    NOT NULL,
    broker_url   TEXT    NOT NULL,
    access       BYTEA   NOT NULL,           -- sealed: how to log in there
    catalog_etag TEXT,
    catalog_at   BIGINT,
    catalog_error TEXT,
    catalog_held TEXT,                       -- JSON: a change in quarantine
    catalog_due  BIGINT  NOT NULL,           -- when to look at the catalog next
    ready        BOOLEAN NOT NULL,
    labels       TEXT    NOT NULL,
    version      BIGINT  NOT NULL DEFAULT 1, -- raised by every change
    created_at   BIGINT  NOT NULL,
    updated_at   BIGINT  NOT NULL
);
CREATE INDEX broker_due ON broker (catalog_due);
CREATE INDEX broker_created ON broker (created_at);
CREATE INDEX broker_updated ON broker (updated_at);

CREATE TABLE platform (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT, -- only sqlite
    seq          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- only postgres
    id           TEXT    NOT NULL UNIQUE,
    name         TEXT    NOT NULL UNIQUE,
    type         TEXT    NOT NULL,
    description  TEXT    NOT NULL,
    technical    BOOLEAN NOT NULL,
    suspended    BOOLEAN NOT NULL,
    active       BOOLEAN NOT NULL,
    last_active  BIGINT,
    version      TEXT    NOT NULL,           -- what the platform's agent calls itself
    username     TEXT    UNIQUE,
    password     BYTEA,                      -- SHA-256: 32 random bytes cannot be guessed from it
    old_username TEXT    UNIQUE,
    old_password BYTEA,
    credentials_active BOOLEAN NOT NULL,     -- whether the current pair has been used on the stream
    ready        BOOLEAN NOT NULL,
    labels       TEXT    NOT NULL,
    created_at   BIGINT  NOT NULL,
    updated_at   BIGINT  NOT NULL
);
CREATE INDEX platform_type ON platform (type, seq);
CREATE INDEX platform_technical ON platform (seq) WHERE technical;
CREATE INDEX platform_created ON platform (created_at);
CREATE INDEX platform_updated ON platform (updated_at);

CREATE TABLE offering (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT, -- only sqlite
    seq          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- only postgres
    id           TEXT    NOT NULL UNIQUE,
    broker_id    TEXT    NOT NULL REFERENCES broker (id) ON DELETE CASCADE,
    name         TEXT    NOT NULL,
    description  TEXT    NOT NULL,
    bindable     BOOLEAN NOT NULL,
    plan_updateable BOOLEAN NOT NULL,
    instances_retrievable BOOLEAN NOT NULL,
    bindings_retrievable  BOOLEAN NOT NULL,
    allow_context_updates BOOLEAN NOT NULL,
    tags         TEXT    NOT NULL,
    requires     TEXT    NOT NULL,
    metadata     TEXT,
    catalog_id   TEXT    NOT NULL,
    catalog_name TEXT    NOT NULL,
    data_center  TEXT    NOT NULL,
    raw          BYTEA   NOT NULL,           -- sealed, a dashboard client's secret may be in it: the offering as the broker wrote it, without its plans
    ready        BOOLEAN NOT NULL,
    labels       TEXT    NOT NULL,
    created_at   BIGINT  NOT NULL,
    updated_at   BIGINT  NOT NULL,
    UNIQUE (broker_id, catalog_id)           -- names too are unique in a catalog, but two may swap theirs
);
CREATE INDEX offering_broker ON offering (broker_id, seq);
CREATE INDEX offering_name ON offering (name, seq);
CREATE INDEX offering_catalog_id ON offering (catalog_id, seq);
CREATE INDEX offering_catalog_name ON offering (catalog_name, seq);
CREATE INDEX offering_created ON offering (created_at);
CREATE INDEX offering_updated ON offering (updated_at);

CREATE TABLE plan (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT, -- only sqlite
    seq          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- only postgres
    id           TEXT    NOT NULL UNIQUE,
    service_offering_id TEXT NOT NULL REFERENCES offering (id) ON DELETE CASCADE,
    name         TEXT    NOT NULL,
    description  TEXT    NOT NULL,
    free         BOOLEAN NOT NULL,
    bindable     BOOLEAN,
    plan_updateable BOOLEAN,
    metadata     TEXT,
    schemas      TEXT,
    maximum_polling_duration BIGINT,
    maintenance_info TEXT,
    catalog_id   TEXT    NOT NULL,
    catalog_name TEXT    NOT NULL,
    raw          TEXT    NOT NULL,           -- the plan as the broker wrote it
    ready        BOOLEAN NOT NULL,
    labels       TEXT    NOT NULL,
    created_at   BIGINT  NOT NULL,
    updated_at   BIGINT  NOT NULL,
    UNIQUE (service_offering_id, catalog_id)
);
CREATE INDEX plan_offering ON plan (service_offering_id, seq);
CREATE INDEX plan_name ON plan (name, seq);
CREATE INDEX plan_catalog_id ON plan (catalog_id, seq);
CREATE INDEX plan_catalog_name ON plan (catalog_name, seq);
CREATE INDEX plan_created ON plan (created_at);
CREATE INDEX plan_updated ON plan (updated_at);

CREATE TABLE visibility (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT, -- only sqlite
    seq          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- only postgres
    id           TEXT    NOT NULL UNIQUE,
    platform_id  TEXT    REFERENCES platform (id) ON DELETE CASCADE, -- null: public
    service_plan_id TEXT NOT NULL REFERENCES plan (id) ON DELETE CASCADE,
    ready        BOOLEAN NOT NULL,
    labels       TEXT    NOT NULL,
    created_at   BIGINT  NOT NULL,
    updated_at   BIGINT  NOT NULL,
    UNIQUE (service_plan_id, platform_id)
);
CREATE INDEX visibility_platform ON visibility (platform_id, seq);
CREATE INDEX visibility_plan ON visibility (service_plan_id, seq);
CREATE INDEX visibility_created ON visibility (created_at);
CREATE INDEX visibility_updated ON visibility (updated_at);
CREATE UNIQUE INDEX visibility_public ON visibility (service_plan_id) WHERE platform_id IS NULL;

-- What a path of members leads to in a JSON text. PostgreSQL's text cannot hold NUL, so it is read as another
-- character, and what cannot be read is nothing: otherwise one caller's row would fail everybody's query. Only what
-- has escapes can be of that kind, and a guard costs as much as the rest.
CREATE FUNCTION json_member(document text, VARIADIC path text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'DECLARE part json; BEGIN IF document IS NULL THEN RETURN NULL; END IF; IF strpos(document, ''\u'') = 0 THEN part := document::json; FOR n IN 1 .. cardinality(path) - 1 LOOP part := part -> path[n]; END LOOP; RETURN part ->> path[cardinality(path)]; END IF; BEGIN part := replace(document, ''\u0000'', ''\ufffd'')::json; FOR n IN 1 .. cardinality(path) - 1 LOOP part := part -> path[n]; END LOOP; RETURN part ->> path[cardinality(path)]; EXCEPTION WHEN others THEN RETURN NULL; END; END'; -- only postgres

CREATE TABLE instance (
    seq          INTEGER PRIMARY KEY, -- only sqlite
    seq          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- only postgres
    id           TEXT    NOT NULL UNIQUE,
    name         TEXT    NOT NULL,
    service_plan_id TEXT NOT NULL REFERENCES plan (id),
    platform_id  TEXT    NOT NULL REFERENCES platform (id),
    dashboard_url TEXT,
    maintenance_info TEXT,
    context      TEXT,
    referenced_instance_id TEXT,
    shared       BOOLEAN,
    usable       BOOLEAN NOT NULL,
    fingerprint  BYTEA,                      -- keyed hash of what was asked for
    answer       TEXT,                       -- the body of the broker's last good answer
    ready        BOOLEAN NOT NULL,
    labels       TEXT    NOT NULL,
    created_at   BIGINT  NOT NULL,
    updated_at   BIGINT  NOT NULL
);
-- Room for the change from not ready to ready: beside the old row it touches no index.
ALTER TABLE instance SET (fillfactor = 50); -- only postgres
CREATE INDEX instance_name ON instance (name, seq);
CREATE INDEX instance_plan ON instance (service_plan_id, seq);
CREATE INDEX instance_platform ON instance (platform_id, seq);
CREATE INDEX instance_reference ON instance (referenced_instance_id, seq);
-- What clients on Kubernetes ask for. The expressions are those of src/sql/json.rs.
CREATE INDEX instance_cluster ON instance ((CASE json_type(context, '$.clusterid') WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE CAST(json_extract(context, '$.clusterid') AS TEXT) END), seq); -- only sqlite
CREATE INDEX instance_cluster ON instance (json_member(context, 'clusterid'), seq); -- only postgres
CREATE INDEX instance_namespace ON instance ((CASE json_type(context, '$.namespace') WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE CAST(json_extract(context, '$.namespace') AS TEXT) END), seq); -- only sqlite
CREATE INDEX instance_namespace ON instance (json_member(context, 'namespace'), seq); -- only postgres

CREATE TABLE binding (
    seq          INTEGER PRIMARY KEY, -- only sqlite
    seq          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- only postgres
    id           TEXT    NOT NULL UNIQUE,
    name         TEXT    NOT NULL,
    service_instance_id TEXT NOT NULL REFERENCES instance (id),
    platform_id  TEXT    NOT NULL,           -- the instance's, so that a platform's own are one index away
    syslog_drain_url  TEXT,
    route_service_url TEXT,
    volume_mounts TEXT,
    endpoints    TEXT,
    context      TEXT,
    bind_resource TEXT,
    credentials  BYTEA,                      -- sealed
    fingerprint  BYTEA,                      -- keyed hash of what was asked for
    ready        BOOLEAN NOT NULL,
    labels       TEXT    NOT NULL,
    created_at   BIGINT  NOT NULL,
    updated_at   BIGINT  NOT NULL
);
ALTER TABLE binding SET (fillfactor = 50); -- only postgres
CREATE INDEX binding_name ON binding (name, seq);
CREATE INDEX binding_instance ON binding (service_instance_id, seq);
CREATE INDEX binding_platform ON binding (platform_id, seq);

CREATE TABLE label (
    kind         TEXT    NOT NULL,           -- the resource's noun, which is its table's name
    key          TEXT    NOT NULL,
    value        TEXT    NOT NULL,
    seq          BIGINT  NOT NULL,           -- the object's, so that a page is a walk along the index
    object_id    TEXT    NOT NULL,
    PRIMARY KEY (kind, key, value, seq)
);
CREATE INDEX label_object ON label (kind, object_id, key, value);

CREATE TABLE operation (
    seq          INTEGER PRIMARY KEY, -- only sqlite
    seq          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- only postgres
    id           TEXT    NOT NULL UNIQUE,
    type         TEXT    NOT NULL,
    state        TEXT    NOT NULL,
    resource_type TEXT   NOT NULL,           -- the collection's path
    resource_id  TEXT    NOT NULL,
    platform_id  TEXT    NOT NULL,
    correlation_id TEXT  NOT NULL,
    tenant       TEXT,
    description  TEXT    NOT NULL,
    errors       TEXT,
    parent_id    TEXT,
    cascade_root_id TEXT,
    deletion_scheduled BIGINT,
    phase        TEXT    NOT NULL,           -- intent, polling, mitigating, done
    broker_id    TEXT,                       -- which broker is called
    broker_operation TEXT,                   -- what the broker calls it
    fingerprint  BYTEA,                      -- keyed hash of what was asked for
    work         BYTEA,                      -- sealed: what a worker needs to go on
    keep_on_failure BOOLEAN NOT NULL,        -- asked for asynchronously: the resource stays when its creation failed
    deadline     BIGINT,
    attempts     BIGINT  NOT NULL,
    first_error  TEXT,
    last_error   TEXT,
    ready        BOOLEAN NOT NULL,
    created_at   BIGINT  NOT NULL,
    updated_at   BIGINT  NOT NULL,
    lease_owner  TEXT,
    lease_until  BIGINT,
    fence        BIGINT  NOT NULL DEFAULT 0,
    due_at       BIGINT  NOT NULL
);
-- Every index here is written twice per deed: no more than are needed. The last operation of a resource is found by
-- the resource's id alone; that there are several kinds with the same id is rare.
CREATE INDEX operation_resource_id ON operation (resource_id, seq);
CREATE INDEX operation_resource_type ON operation (resource_type, seq);
CREATE INDEX operation_state ON operation (state, seq);
CREATE INDEX operation_platform ON operation (platform_id, seq);
CREATE INDEX operation_tenant ON operation (tenant, seq) WHERE tenant IS NOT NULL;
CREATE INDEX operation_correlation ON operation (correlation_id, seq);
CREATE INDEX operation_parent ON operation (parent_id, seq) WHERE parent_id IS NOT NULL;
CREATE INDEX operation_root ON operation (cascade_root_id, seq) WHERE cascade_root_id IS NOT NULL;
CREATE INDEX operation_due ON operation (due_at) WHERE phase <> 'done';
CREATE INDEX operation_updated ON operation (updated_at, seq) WHERE phase = 'done';
-- Two deeds at once on one resource: the second one finds this in its way.
CREATE UNIQUE INDEX operation_alone ON operation (resource_type, resource_id) WHERE phase <> 'done';

-- The outbox. A row is written with the change. Where several write at once (PostgreSQL) the sequencer gives
-- it a revision after the commit; where one writes at a time (SQLite) it has one from the start.
CREATE TABLE event (
    revision     INTEGER PRIMARY KEY AUTOINCREMENT, -- only sqlite
    seq          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- only postgres
    revision     BIGINT  UNIQUE, -- only postgres
    id           TEXT    NOT NULL UNIQUE,
    resource_type TEXT   NOT NULL,
    resource_id  TEXT    NOT NULL,
    change       TEXT    NOT NULL,
    audience     TEXT    NOT NULL,           -- JSON
    payload      TEXT    NOT NULL,
    correlation_id TEXT  NOT NULL,
    broker_id    TEXT,                       -- whose view is outdated by it
    created_at   BIGINT  NOT NULL
);
CREATE INDEX event_unnumbered ON event (seq) WHERE revision IS NULL; -- only postgres

-- One row: the last revision given (SQLite itself knows that) and the highest one removed.
CREATE TABLE outbox (
    id           BIGINT  PRIMARY KEY,
    last         BIGINT  NOT NULL,
    trimmed      BIGINT  NOT NULL
);
INSERT INTO outbox (id, last, trimmed) VALUES (1, 0, 0);

CREATE TABLE credential (
    id           TEXT    NOT NULL PRIMARY KEY,
    broker_id    TEXT    NOT NULL REFERENCES broker (id) ON DELETE CASCADE,
    platform_id  TEXT    NOT NULL REFERENCES platform (id) ON DELETE CASCADE,
    username     TEXT    NOT NULL,
    password_hash BYTEA  NOT NULL,           -- sealed
    old_username TEXT,
    old_password_hash BYTEA,                 -- sealed
    notification_id TEXT,
    active       BOOLEAN NOT NULL,
    created_at   BIGINT  NOT NULL,
    updated_at   BIGINT  NOT NULL,
    UNIQUE (platform_id, broker_id),
    UNIQUE (broker_id, username)
);
CREATE INDEX credential_old ON credential (broker_id, old_username);

-- The built-in issuer.
CREATE TABLE person (
    id           TEXT    NOT NULL PRIMARY KEY,
    name         TEXT    NOT NULL UNIQUE,
    password     TEXT    NOT NULL,           -- argon2
    roles        TEXT    NOT NULL,           -- words with spaces between
    tenant       TEXT,
    created_at   BIGINT  NOT NULL,
    updated_at   BIGINT  NOT NULL
);
CREATE TABLE client (
    id           TEXT    NOT NULL PRIMARY KEY,
    secret       BYTEA   NOT NULL,           -- SHA-256: generated, cannot be guessed from it
    description  TEXT    NOT NULL,
    roles        TEXT    NOT NULL,
    tenant       TEXT,
    created_at   BIGINT  NOT NULL,
    updated_at   BIGINT  NOT NULL
);
CREATE TABLE refresh_token (
    hash         BYTEA   NOT NULL PRIMARY KEY, -- SHA-256
    person_id    TEXT    NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    family       TEXT    NOT NULL,           -- all tokens that came from one login
    used         BOOLEAN NOT NULL,
    expires_at   BIGINT  NOT NULL,
    created_at   BIGINT  NOT NULL
);
CREATE INDEX refresh_token_family ON refresh_token (family);
CREATE INDEX refresh_token_expiry ON refresh_token (expires_at);
CREATE TABLE signing_key (
    id           TEXT    NOT NULL PRIMARY KEY, -- the key id in tokens
    private      BYTEA   NOT NULL,           -- sealed
    public       TEXT    NOT NULL,           -- a JWK
    created_at   BIGINT  NOT NULL,
    retired_at   BIGINT                      -- signs no more, still verifies
);

-- Who did what. Rows are only ever added.
CREATE TABLE audit (
    seq          INTEGER PRIMARY KEY, -- only sqlite
    seq          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- only postgres
    at           BIGINT  NOT NULL,
    actor_kind   TEXT    NOT NULL,
    actor_id     TEXT    NOT NULL,
    actor_name   TEXT    NOT NULL,
    action       TEXT    NOT NULL,
    resource_type TEXT   NOT NULL,
    resource_id  TEXT    NOT NULL,
    remote       TEXT    NOT NULL,
    correlation_id TEXT  NOT NULL,
    outcome      TEXT    NOT NULL,
    detail       TEXT    NOT NULL
);
CREATE INDEX audit_at ON audit (at);
CREATE INDEX audit_actor ON audit (actor_id, seq);
-- Ids come in no order, so each would go to another page of its index, and pages are what a commit on SQLite costs. There
-- the records are indexed in bundles: those of one bundle lie together, and who looks for an id looks into each.
CREATE INDEX audit_resource ON audit (seq >> 8, resource_id); -- only sqlite
CREATE INDEX audit_correlation ON audit (seq >> 8, correlation_id); -- only sqlite
CREATE INDEX audit_resource ON audit (resource_type, resource_id, seq); -- only postgres
CREATE INDEX audit_correlation ON audit (correlation_id, seq); -- only postgres
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END; -- only sqlite
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END; -- only sqlite
CREATE FUNCTION audit_stays() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''the audit log is append-only''; END'; -- only postgres
CREATE TRIGGER audit_no_change BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_stays(); -- only postgres

-- Small facts: the sealed word that tells whether the keys at hand are the right ones.
CREATE TABLE fact (
    name         TEXT    NOT NULL PRIMARY KEY,
    value        BYTEA   NOT NULL
);

-- An object's labels go with it, also when it goes because another did.
CREATE TRIGGER broker_labels AFTER DELETE ON broker BEGIN DELETE FROM label WHERE kind = 'broker' AND object_id = OLD.id; END; -- only sqlite
CREATE TRIGGER platform_labels AFTER DELETE ON platform BEGIN DELETE FROM label WHERE kind = 'platform' AND object_id = OLD.id; END; -- only sqlite
CREATE TRIGGER visibility_labels AFTER DELETE ON visibility BEGIN DELETE FROM label WHERE kind = 'visibility' AND object_id = OLD.id; END; -- only sqlite
CREATE TRIGGER offering_labels AFTER DELETE ON offering BEGIN DELETE FROM label WHERE kind = 'offering' AND object_id = OLD.id; END; -- only sqlite
CREATE TRIGGER plan_labels AFTER DELETE ON plan BEGIN DELETE FROM label WHERE kind = 'plan' AND object_id = OLD.id; END; -- only sqlite
CREATE TRIGGER instance_labels AFTER DELETE ON instance BEGIN DELETE FROM label WHERE kind = 'instance' AND object_id = OLD.id; END; -- only sqlite
CREATE TRIGGER binding_labels AFTER DELETE ON binding BEGIN DELETE FROM label WHERE kind = 'binding' AND object_id = OLD.id; END; -- only sqlite
CREATE FUNCTION labels_go() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN DELETE FROM label WHERE kind = TG_TABLE_NAME AND object_id = OLD.id; RETURN NULL; END'; -- only postgres
CREATE TRIGGER broker_labels AFTER DELETE ON broker FOR EACH ROW EXECUTE FUNCTION labels_go(); -- only postgres
CREATE TRIGGER platform_labels AFTER DELETE ON platform FOR EACH ROW EXECUTE FUNCTION labels_go(); -- only postgres
CREATE TRIGGER visibility_labels AFTER DELETE ON visibility FOR EACH ROW EXECUTE FUNCTION labels_go(); -- only postgres
CREATE TRIGGER offering_labels AFTER DELETE ON offering FOR EACH ROW EXECUTE FUNCTION labels_go(); -- only postgres
CREATE TRIGGER plan_labels AFTER DELETE ON plan FOR EACH ROW EXECUTE FUNCTION labels_go(); -- only postgres
CREATE TRIGGER instance_labels AFTER DELETE ON instance FOR EACH ROW EXECUTE FUNCTION labels_go(); -- only postgres
CREATE TRIGGER binding_labels AFTER DELETE ON binding FOR EACH ROW EXECUTE FUNCTION labels_go(); -- only postgres

-- How many rows there are, for the num_items of lists. One row all writers meet at is no burden where one writes
-- at a time; PostgreSQL keeps an estimate of its own. New instances and bindings are counted by src/count.rs: for a statement
-- with a trigger SQLite copies every page that it changes. Operations are not counted: they go in the order they came.
CREATE TABLE total (kind TEXT NOT NULL PRIMARY KEY, n BIGINT NOT NULL); -- only sqlite
INSERT INTO total (kind, n) VALUES ('broker', 0); -- only sqlite
CREATE TRIGGER broker_more AFTER INSERT ON broker BEGIN UPDATE total SET n = n + 1 WHERE kind = 'broker'; END; -- only sqlite
CREATE TRIGGER broker_fewer AFTER DELETE ON broker BEGIN UPDATE total SET n = n - 1 WHERE kind = 'broker'; END; -- only sqlite
INSERT INTO total (kind, n) VALUES ('platform', 0); -- only sqlite
CREATE TRIGGER platform_more AFTER INSERT ON platform BEGIN UPDATE total SET n = n + 1 WHERE kind = 'platform'; END; -- only sqlite
CREATE TRIGGER platform_fewer AFTER DELETE ON platform BEGIN UPDATE total SET n = n - 1 WHERE kind = 'platform'; END; -- only sqlite
INSERT INTO total (kind, n) VALUES ('visibility', 0); -- only sqlite
CREATE TRIGGER visibility_more AFTER INSERT ON visibility BEGIN UPDATE total SET n = n + 1 WHERE kind = 'visibility'; END; -- only sqlite
CREATE TRIGGER visibility_fewer AFTER DELETE ON visibility BEGIN UPDATE total SET n = n - 1 WHERE kind = 'visibility'; END; -- only sqlite
INSERT INTO total (kind, n) VALUES ('offering', 0); -- only sqlite
CREATE TRIGGER offering_more AFTER INSERT ON offering BEGIN UPDATE total SET n = n + 1 WHERE kind = 'offering'; END; -- only sqlite
CREATE TRIGGER offering_fewer AFTER DELETE ON offering BEGIN UPDATE total SET n = n - 1 WHERE kind = 'offering'; END; -- only sqlite
INSERT INTO total (kind, n) VALUES ('plan', 0); -- only sqlite
CREATE TRIGGER plan_more AFTER INSERT ON plan BEGIN UPDATE total SET n = n + 1 WHERE kind = 'plan'; END; -- only sqlite
CREATE TRIGGER plan_fewer AFTER DELETE ON plan BEGIN UPDATE total SET n = n - 1 WHERE kind = 'plan'; END; -- only sqlite
INSERT INTO total (kind, n) VALUES ('instance', 0); -- only sqlite
CREATE TRIGGER instance_fewer AFTER DELETE ON instance BEGIN UPDATE total SET n = n - 1 WHERE kind = 'instance'; END; -- only sqlite
INSERT INTO total (kind, n) VALUES ('binding', 0); -- only sqlite
CREATE TRIGGER binding_fewer AFTER DELETE ON binding BEGIN UPDATE total SET n = n - 1 WHERE kind = 'binding'; END; -- only sqlite

-- A label's value as milliseconds, or nothing when it is no time. SQLite has julianday.
CREATE FUNCTION moment(text) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN floor(extract(epoch FROM $1::timestamptz) * 1000)::bigint; EXCEPTION WHEN others THEN RETURN NULL; END'; -- only postgres
