DROP TABLE past_operation;
DROP TABLE resource;
