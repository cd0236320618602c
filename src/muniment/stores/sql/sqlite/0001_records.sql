-- The first schema. Rows of a scope lie together: an id is the scope's number, shifted left by 24 bits, plus a number
-- that counts within the scope, so that what a scope costs does not depend on how much others hold.

CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta (name, value) VALUES ('store', lower(hex(randomblob(16)))); -- tells this store's log from another's

CREATE TABLE migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    applied_at INTEGER NOT NULL -- seconds since 1970
) STRICT;

-- One row per scope that holds a record. A rung that is not given is ''. Numbers are never given twice.
CREATE TABLE scope (
    no INTEGER PRIMARY KEY AUTOINCREMENT CHECK (no < 0x80000000),
    client TEXT NOT NULL,
    customer TEXT NOT NULL,
    user TEXT NOT NULL,
    generation INTEGER NOT NULL, -- grows with every change; starts at no << 32, so it grows across erasure too
    epoch INTEGER NOT NULL, -- the generation of the last change that was not an append
    last_seq INTEGER NOT NULL, -- the highest numbers given so far, whether or not they are still held
    last_entry INTEGER NOT NULL,
    last_label INTEGER NOT NULL,
    records INTEGER NOT NULL, -- counts of what is held
    entries INTEGER NOT NULL,
    vectors INTEGER NOT NULL,
    text_bytes INTEGER NOT NULL,
    entry_bytes INTEGER NOT NULL,
    oldest INTEGER NOT NULL, -- the earliest and latest recorded_at
    newest INTEGER NOT NULL,
    UNIQUE (client, customer, user)
) STRICT;

-- Verbatim evidence: scope << 24 | seq. Times are microseconds since 1970, UTC. Codes are numbers of labels, 0 for none.
CREATE TABLE record (
    id INTEGER PRIMARY KEY,
    scope INTEGER GENERATED ALWAYS AS (id >> 24) VIRTUAL REFERENCES scope (no),
    name TEXT NOT NULL, -- the record's public id
    occurrences INTEGER NOT NULL,
    role TEXT NOT NULL,
    kind TEXT NOT NULL,
    trust TEXT NOT NULL,
    conversation INTEGER NOT NULL,
    speaker INTEGER NOT NULL,
    agent INTEGER NOT NULL,
    said_at INTEGER,
    recorded_at INTEGER NOT NULL,
    ref TEXT,
    origin TEXT NOT NULL,
    tool_calls TEXT NOT NULL, -- JSON: [[id, name, arguments], ...]
    tool_call_id TEXT,
    metadata TEXT NOT NULL, -- JSON: {name: value, ...}
    hash BLOB NOT NULL CHECK (length(hash) = 16), -- over every field, labels by name
    text TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX record_name ON record (scope, name);

-- Names that records of a scope share: scope << 24 | code. A head row of the index speaks of them by code.
CREATE TABLE label (
    id INTEGER PRIMARY KEY,
    scope INTEGER GENERATED ALWAYS AS (id >> 24) VIRTUAL REFERENCES scope (no),
    kind TEXT NOT NULL CHECK (kind IN ('conversation', 'speaker', 'agent')),
    name TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX label_name ON label (scope, kind, name);

-- The search index: one row per passage of a record, scope << 24 | number, in order of arrival. Wholly derived from records.
CREATE TABLE entry (
    id INTEGER PRIMARY KEY,
    head BLOB NOT NULL CHECK (length(head) = 40), -- one row of shelf.HEAD; its first four bytes are the record's seq
    terms BLOB NOT NULL CHECK (length(terms) % 8 = 0), -- hashes of terms, in order
    vector BLOB -- half-precision numbers
) STRICT;

-- The index a rebuild is making, and how far it has come. Empty when none is under way.
CREATE TABLE staged (
    id INTEGER PRIMARY KEY,
    head BLOB NOT NULL CHECK (length(head) = 40),
    terms BLOB NOT NULL CHECK (length(terms) % 8 = 0),
    vector BLOB
) STRICT;
CREATE TABLE staging (
    scope INTEGER PRIMARY KEY,
    last_seq INTEGER NOT NULL, -- records up to here are staged
    last_entry INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    vectors INTEGER NOT NULL,
    entry_bytes INTEGER NOT NULL
) STRICT;

-- Keys that make a retry safe.
CREATE TABLE idempotency (
    scope INTEGER NOT NULL,
    key TEXT NOT NULL,
    record INTEGER NOT NULL REFERENCES record (id),
    PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_record ON idempotency (record);

-- That something was erased, and how much: never what.
CREATE TABLE erasure (
    no INTEGER PRIMARY KEY,
    at INTEGER NOT NULL, -- microseconds since 1970, UTC
    scopes INTEGER NOT NULL,
    records INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    labels INTEGER NOT NULL,
    keys INTEGER NOT NULL
) STRICT;
