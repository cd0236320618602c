-- Digests of parts of conversations, every version, and the records each was made from: it goes with any of them.
CREATE TABLE digest (
    id INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL REFERENCES scope (no),
    conversation TEXT NOT NULL,
    agent TEXT NOT NULL,
    first INTEGER NOT NULL, -- number of the first record of the part
    version INTEGER NOT NULL,
    hash BLOB NOT NULL,
    body TEXT NOT NULL -- JSON
) STRICT;
CREATE UNIQUE INDEX digest_part ON digest (scope, conversation, agent, first, version);
CREATE TABLE digest_record (
    record INTEGER NOT NULL REFERENCES record (id),
    digest INTEGER NOT NULL REFERENCES digest (id),
    PRIMARY KEY (record, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX digest_record_digest ON digest_record (digest);
