-- Instances and bindings that people make at the manager itself.
-- `name_key` is set for those whose names must be unique: the tenant and the name, or the instance and the name.
-- `parameters` are the last ones that the broker confirmed, `wanted` what an update that failed was to bring.
ALTER TABLE instance ADD COLUMN name_key TEXT;
ALTER TABLE instance ADD COLUMN parameters BYTEA;
ALTER TABLE instance ADD COLUMN wanted BYTEA;
CREATE UNIQUE INDEX instance_name_key ON instance (name_key) WHERE name_key IS NOT NULL;
ALTER TABLE binding ADD COLUMN name_key TEXT;
ALTER TABLE binding ADD COLUMN parameters BYTEA;
CREATE UNIQUE INDEX binding_name_key ON binding (name_key) WHERE name_key IS NOT NULL;
-- What somebody was told had failed: not shown while its remains are deleted.
CREATE INDEX instance_hidden ON instance (seq) WHERE name_key IS NULL AND ready = FALSE AND platform_id = 'service-manager';
CREATE INDEX binding_hidden ON binding (seq) WHERE name_key IS NULL AND ready = FALSE AND platform_id = 'service-manager';

-- What happened on the way, as JSON objects with commas between; and the broker's own words, sealed.
ALTER TABLE operation ADD COLUMN steps TEXT;
ALTER TABLE operation ADD COLUMN said BYTEA;

-- Who may refer to a shared instance beside its own tenant: a tenant, or a platform.
CREATE TABLE share (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT, -- only sqlite
    seq          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- only postgres
    id           TEXT    NOT NULL UNIQUE,
    service_instance_id TEXT NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
    tenant       TEXT,
    platform_id  TEXT    REFERENCES platform (id) ON DELETE CASCADE,
    granted_by   TEXT    NOT NULL,
    created_at   BIGINT  NOT NULL,
    CHECK ((tenant IS NULL) <> (platform_id IS NULL))
);
CREATE UNIQUE INDEX share_tenant ON share (service_instance_id, tenant) WHERE tenant IS NOT NULL;
CREATE UNIQUE INDEX share_platform ON share (service_instance_id, platform_id) WHERE platform_id IS NOT NULL;
CREATE INDEX share_of_platform ON share (platform_id) WHERE platform_id IS NOT NULL;
-- Those that others may refer to: a few of many.
CREATE INDEX instance_shared ON instance (service_plan_id, seq) WHERE shared;
