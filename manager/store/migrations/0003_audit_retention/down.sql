DROP TRIGGER audit_no_delete; -- only sqlite
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END; -- only sqlite
CREATE OR REPLACE FUNCTION audit_stays() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''the audit log is append-only''; END'; -- only postgres
DROP TABLE audit_retention;
