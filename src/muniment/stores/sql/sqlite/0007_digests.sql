-- Digests of parts of conversations, every version. One goes with any of the records it was made from.
CREATE TABLE digest (
    id INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL REFERENCES scope (no),
    conversation TEXT NOT NULL,
    agent TEXT NOT NULL,
    first INTEGER NOT NULL, -- number of the first record of the part
    version INTEGER NOT NULL,
    records TEXT NOT NULL, -- JSON: the numbers of its records
    hash BLOB NOT NULL,
    body TEXT NOT NULL -- JSON
) STRICT;
CREATE UNIQUE INDEX digest_part ON digest (scope, conversation, agent, first, version);
