ALTER TABLE refresh_token DROP COLUMN client;
