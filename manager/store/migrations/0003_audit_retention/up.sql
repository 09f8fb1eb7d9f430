-- Records may go when they are older than the operator wants to keep them, and in no other way: whoever removes them
-- says before in this row up to when, in the same transaction, and takes it back at its end.
CREATE TABLE audit_retention (
    id           BIGINT  PRIMARY KEY,
    removable_before BIGINT NOT NULL         -- 0: nothing
);
INSERT INTO audit_retention (id, removable_before) VALUES (1, 0);
DROP TRIGGER audit_no_delete; -- only sqlite
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit WHEN OLD.at >= (SELECT removable_before FROM audit_retention WHERE id = 1) BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END; -- only sqlite
CREATE OR REPLACE FUNCTION audit_stays() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF TG_OP = ''DELETE'' AND OLD.at < (SELECT removable_before FROM audit_retention WHERE id = 1) THEN RETURN OLD; END IF; RAISE EXCEPTION ''the audit log is append-only''; END'; -- only postgres
