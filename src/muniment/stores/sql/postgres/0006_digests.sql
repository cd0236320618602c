-- Digests of parts of conversations, every version. One goes with any of the records it was made from.
CREATE TABLE digest (
    scope bigint NOT NULL REFERENCES scope (no),
    conversation bytea NOT NULL, -- what the name is found by
    agent bytea NOT NULL,
    first integer NOT NULL, -- number of the first record of the part
    version integer NOT NULL,
    records integer[] NOT NULL, -- numbers of its records, in order
    hash bytea NOT NULL,
    body bytea NOT NULL, -- JSON
    PRIMARY KEY (scope, conversation, agent, first, version)
);
ALTER TABLE digest ALTER COLUMN conversation SET STATISTICS 0, ALTER COLUMN agent SET STATISTICS 0,
    ALTER COLUMN hash SET STATISTICS 0, ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE digest ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY reach ON digest USING (
    (SELECT current_setting('muniment.below', true) = '*') OR scope IN (SELECT no FROM reached)
);
