-- A refresh token is good only in the hands of the client that got it. Of those given before nobody knows to whom, so
-- their users log in once more.
DELETE FROM refresh_token;
ALTER TABLE refresh_token ADD COLUMN client TEXT NOT NULL DEFAULT ''; -- empty: a login without one
