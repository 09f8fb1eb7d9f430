DROP FUNCTION moment(text); -- only postgres
DROP TABLE fact;
DROP TABLE audit;
DROP FUNCTION audit_stays(); -- only postgres
DROP TABLE signing_key;
DROP TABLE refresh_token;
DROP TABLE client;
DROP TABLE person;
DROP TABLE credential;
DROP TABLE outbox;
DROP TABLE event;
DROP TABLE operation;
DROP TABLE label;
DROP TABLE binding;
DROP TABLE instance;
DROP TABLE visibility;
DROP TABLE plan;
DROP TABLE offering;
DROP TABLE platform;
DROP TABLE broker;
DROP FUNCTION labels_go(); -- only postgres
DROP TABLE total; -- only sqlite
DROP FUNCTION json_member(text, text[]); -- only postgres
