-- What is derived from records, and what stands beside them. Rows of a scope lie together, as those of records do. All that is
-- looked up is in columns of its own; the body is the whole, as JSON, and its hash tells whether it is what was written.

-- One row per scope that holds any of it.
CREATE TABLE knowledge (
    scope INTEGER PRIMARY KEY REFERENCES scope (no),
    generation INTEGER NOT NULL, -- grows with every change
    last_memory INTEGER NOT NULL, -- the highest numbers given so far, whether or not they are still held
    last_entity INTEGER NOT NULL,
    last_merge INTEGER NOT NULL
) STRICT;

-- A derived statement: scope << 24 | seq.
CREATE TABLE memory (
    id INTEGER PRIMARY KEY,
    scope INTEGER GENERATED ALWAYS AS (id >> 24) VIRTUAL REFERENCES scope (no),
    name TEXT NOT NULL, -- its public id
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    subject TEXT NOT NULL, -- keys of knowledge/keys.py
    slot TEXT NOT NULL, -- '' for none
    digest TEXT NOT NULL,
    recorded_at INTEGER NOT NULL, -- microseconds since 1970, UTC
    expires_at INTEGER, -- NULL for what is held
    proofs INTEGER NOT NULL, -- records that prove it
    hash BLOB NOT NULL CHECK (length(hash) = 16), -- over scope, id and body
    body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX memory_name ON memory (scope, name);
CREATE INDEX memory_recorded ON memory (scope, recorded_at);
CREATE INDEX memory_subject ON memory (scope, subject, status, recorded_at);
CREATE INDEX memory_slot ON memory (scope, slot, status, recorded_at) WHERE slot <> '';
CREATE INDEX memory_digest ON memory (scope, digest);

-- Which record proves which memory; where in it, and who said so, is in the body.
CREATE TABLE evidence (
    memory INTEGER NOT NULL REFERENCES memory (id),
    record INTEGER NOT NULL REFERENCES record (id),
    PRIMARY KEY (memory, record)
) STRICT, WITHOUT ROWID;
CREATE INDEX evidence_record ON evidence (record);

-- Which memory names which memory or entity, by public id.
CREATE TABLE tie (
    scope INTEGER NOT NULL,
    other TEXT NOT NULL,
    memory INTEGER NOT NULL REFERENCES memory (id),
    PRIMARY KEY (scope, other, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX tie_memory ON tie (memory);

-- A thing that is spoken of: scope << 24 | seq.
CREATE TABLE entity (
    id INTEGER PRIMARY KEY,
    scope INTEGER GENERATED ALWAYS AS (id >> 24) VIRTUAL REFERENCES scope (no),
    name TEXT NOT NULL, -- its public id
    last_seen INTEGER NOT NULL,
    merged_into TEXT,
    hash BLOB NOT NULL CHECK (length(hash) = 16),
    body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX entity_name ON entity (scope, name);
CREATE INDEX entity_seen ON entity (scope, last_seen) WHERE merged_into IS NULL;
CREATE INDEX entity_merged ON entity (scope, merged_into) WHERE merged_into IS NOT NULL;

-- What an entity is looked up by.
CREATE TABLE entity_key (
    scope INTEGER NOT NULL,
    key TEXT NOT NULL,
    entity INTEGER NOT NULL REFERENCES entity (id),
    PRIMARY KEY (scope, key, entity)
) STRICT, WITHOUT ROWID;
CREATE INDEX entity_key_entity ON entity_key (entity);

-- Which record names which entity.
CREATE TABLE naming (
    entity INTEGER NOT NULL REFERENCES entity (id),
    record INTEGER NOT NULL REFERENCES record (id),
    PRIMARY KEY (entity, record)
) STRICT, WITHOUT ROWID;
CREATE INDEX naming_record ON naming (record);

-- Entities taken for one, and pairs to look at: scope << 24 | number.
CREATE TABLE merge (
    id INTEGER PRIMARY KEY,
    scope INTEGER GENERATED ALWAYS AS (id >> 24) VIRTUAL REFERENCES scope (no),
    name TEXT NOT NULL,
    kept TEXT NOT NULL,
    other TEXT NOT NULL,
    at INTEGER NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 16),
    body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX merge_name ON merge (scope, name);
CREATE INDEX merge_kept ON merge (scope, kept);
CREATE INDEX merge_other ON merge (scope, other);

-- How often what of a record was refused when it was read last.
CREATE TABLE refusal (
    record INTEGER NOT NULL REFERENCES record (id),
    kind TEXT NOT NULL,
    reason TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (record, kind, reason)
) STRICT, WITHOUT ROWID;

-- The enrichment of a record. `turn` is NULL for what is done; the others are few, and found by it.
CREATE TABLE work (
    record INTEGER PRIMARY KEY REFERENCES record (id),
    scope INTEGER GENERATED ALWAYS AS (record >> 24) VIRTUAL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'processing', 'completed', 'partial', 'failed')),
    turn INTEGER GENERATED ALWAYS AS (
        CASE state WHEN 'queued' THEN iif(due IS NULL, 0, 1) WHEN 'processing' THEN 2 WHEN 'failed' THEN 3 END
    ) VIRTUAL, -- 0 now, 1 when it is due, 2 when its lease runs out, 3 never
    since INTEGER NOT NULL, -- when it was queued
    due INTEGER, -- when it is tried again, or its lease runs out
    attempts INTEGER NOT NULL,
    fence INTEGER NOT NULL, -- grows with every claim of the store, so that none is ever given twice
    failed_at INTEGER, -- when it failed last, until it is done
    reason TEXT NOT NULL,
    architecture TEXT NOT NULL,
    outcomes TEXT NOT NULL -- JSON: [code, ...]
) STRICT;
CREATE INDEX work_turn ON work (turn, since) WHERE turn IS NOT NULL;
CREATE INDEX work_of_scope ON work (turn, scope, since) WHERE turn IS NOT NULL;
CREATE INDEX work_failed ON work (failed_at) WHERE failed_at IS NOT NULL;

-- Values taken out of a record's text.
CREATE TABLE sealed (
    record INTEGER NOT NULL REFERENCES record (id),
    scope INTEGER GENERATED ALWAYS AS (record >> 24) VIRTUAL,
    token TEXT NOT NULL,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (record, token)
) STRICT, WITHOUT ROWID;
CREATE INDEX sealed_token ON sealed (scope, token);

-- Bytes too large for a record's text, kept once in a scope, and the records that refer to them.
CREATE TABLE blob (
    no INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL REFERENCES scope (no),
    digest TEXT NOT NULL, -- SHA-256
    media TEXT NOT NULL,
    data BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX blob_digest ON blob (scope, digest);
CREATE TABLE blob_use (
    record INTEGER NOT NULL REFERENCES record (id),
    blob INTEGER NOT NULL REFERENCES blob (no),
    PRIMARY KEY (record, blob)
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_use_blob ON blob_use (blob);

-- Every version of an agent's architecture. A client of '' is all.
CREATE TABLE architecture (
    client TEXT NOT NULL,
    agent TEXT NOT NULL,
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    note TEXT NOT NULL,
    by TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (client, agent, version)
) STRICT;

ALTER TABLE erasure ADD COLUMN memories INTEGER NOT NULL DEFAULT 0;
ALTER TABLE erasure ADD COLUMN entities INTEGER NOT NULL DEFAULT 0;
