-- The first schema. Every key begins with a scope's number, and rows of one scope are read by it alone. Words that others give are
-- kept as their UTF-8 bytes: text here refuses a zero character and is ordered by a locale. Times are microseconds since 1970, UTC.

CREATE TABLE meta (name text PRIMARY KEY, value text NOT NULL);
INSERT INTO meta (name, value) VALUES -- a secret of this store's own; the last fence given; whose turn it was last
    ('store', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')), ('fence', '0'), ('turn', '0');

-- One row per scope that holds a record. The path names its rungs from the widest, each behind its kind and before a slash.
CREATE TABLE scope (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- never given twice
    path text COLLATE "C" NOT NULL UNIQUE,
    generation bigint NOT NULL DEFAULT 0, -- grows with every change
    epoch bigint NOT NULL DEFAULT 0, -- the generation of the last change that was not an append
    last_seq integer NOT NULL DEFAULT 0, -- the highest numbers given so far, whether or not they are still held
    last_entry integer NOT NULL DEFAULT 0,
    last_label integer NOT NULL DEFAULT 0,
    last_memory integer NOT NULL DEFAULT 0,
    last_entity integer NOT NULL DEFAULT 0,
    last_merge integer NOT NULL DEFAULT 0
);

-- Verbatim evidence. All of it is in the body, as JSON; what is looked up is in columns. Codes are numbers of labels, 0 for none.
CREATE TABLE record (
    scope bigint NOT NULL REFERENCES scope (no),
    seq integer NOT NULL,
    name bytea NOT NULL, -- the record's public id
    conversation integer NOT NULL,
    speaker integer NOT NULL,
    agent integer NOT NULL,
    role text NOT NULL,
    kind text NOT NULL,
    said_at bigint,
    recorded_at bigint NOT NULL,
    text_bytes integer NOT NULL,
    hash bytea NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (scope, seq)
);
CREATE UNIQUE INDEX record_name ON record (scope, name);
CREATE INDEX record_conversation ON record (scope, conversation, seq);

-- Names that records of a scope share. A head row of the index speaks of them by code.
CREATE TABLE label (
    scope bigint NOT NULL REFERENCES scope (no),
    code integer NOT NULL,
    kind text NOT NULL CHECK (kind IN ('conversation', 'speaker', 'agent')),
    name bytea NOT NULL,
    PRIMARY KEY (scope, code)
);
CREATE INDEX label_kind ON label (scope, kind);

-- The search index: one row per passage, in order of arrival, and beside it a narrow row with the vector. Vectors stay in their row:
-- fetched one by one from where wide values go, they cost several times as much to read.
CREATE TABLE entry (
    scope bigint NOT NULL,
    no integer NOT NULL,
    seq integer NOT NULL,
    head bytea NOT NULL CHECK (octet_length(head) = 40), -- one row of shelf.HEAD
    terms bytea NOT NULL CHECK (octet_length(terms) % 8 = 0), -- hashes of terms, in order
    PRIMARY KEY (scope, no),
    FOREIGN KEY (scope, seq) REFERENCES record (scope, seq) ON DELETE CASCADE
);
CREATE INDEX entry_record ON entry (scope, seq);
CREATE TABLE entry_vector (
    scope bigint NOT NULL,
    no integer NOT NULL,
    value halfvec NOT NULL,
    PRIMARY KEY (scope, no),
    FOREIGN KEY (scope, no) REFERENCES entry (scope, no) ON DELETE CASCADE
);
ALTER TABLE entry_vector ALTER COLUMN value SET STORAGE MAIN;

-- The index a rebuild is making, and how far it has come. Empty when none is under way.
CREATE TABLE staging (
    scope bigint PRIMARY KEY REFERENCES scope (no) ON DELETE CASCADE,
    last_seq integer NOT NULL, -- records up to here are staged
    last_entry integer NOT NULL
);
CREATE TABLE staged (
    scope bigint NOT NULL,
    no integer NOT NULL,
    seq integer NOT NULL,
    head bytea NOT NULL,
    terms bytea NOT NULL,
    vector halfvec,
    PRIMARY KEY (scope, no),
    FOREIGN KEY (scope, seq) REFERENCES record (scope, seq) ON DELETE CASCADE
);
CREATE INDEX staged_record ON staged (scope, seq);

-- Keys that make a retry safe.
CREATE TABLE idempotency (
    scope bigint NOT NULL,
    key bytea NOT NULL,
    record integer NOT NULL,
    PRIMARY KEY (scope, key),
    FOREIGN KEY (scope, record) REFERENCES record (scope, seq) ON DELETE CASCADE
);
CREATE INDEX idempotency_record ON idempotency (scope, record);

-- A derived statement: what it is looked up by, and the whole as JSON.
CREATE TABLE memory (
    scope bigint NOT NULL REFERENCES scope (no),
    seq integer NOT NULL,
    name bytea NOT NULL, -- its public id
    kind bytea NOT NULL,
    status text NOT NULL,
    subject bytea NOT NULL, -- keys of knowledge/keys.py
    slot bytea NOT NULL, -- empty for none
    digest bytea NOT NULL,
    recorded_at bigint NOT NULL,
    expires_at bigint, -- NULL for what is held
    proofs integer NOT NULL, -- records that prove it
    hash bytea NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (scope, seq)
);
CREATE UNIQUE INDEX memory_name ON memory (scope, name);
CREATE INDEX memory_recorded ON memory (scope, recorded_at, seq);
CREATE INDEX memory_subject ON memory (scope, subject, recorded_at, seq);
CREATE INDEX memory_slot ON memory (scope, slot, recorded_at, seq) WHERE slot <> '';
CREATE INDEX memory_digest ON memory (scope, digest);

-- Which record proves which memory, and which memory names which memory or entity.
CREATE TABLE evidence (
    scope bigint NOT NULL,
    memory integer NOT NULL,
    record integer NOT NULL,
    PRIMARY KEY (scope, memory, record),
    FOREIGN KEY (scope, memory) REFERENCES memory (scope, seq) ON DELETE CASCADE,
    FOREIGN KEY (scope, record) REFERENCES record (scope, seq)
);
CREATE INDEX evidence_record ON evidence (scope, record);
CREATE TABLE tie (
    scope bigint NOT NULL,
    other bytea NOT NULL,
    memory integer NOT NULL,
    PRIMARY KEY (scope, other, memory),
    FOREIGN KEY (scope, memory) REFERENCES memory (scope, seq) ON DELETE CASCADE
);
CREATE INDEX tie_memory ON tie (scope, memory);

-- A thing that is spoken of, what it is looked up by, and which record names it.
CREATE TABLE entity (
    scope bigint NOT NULL REFERENCES scope (no),
    seq integer NOT NULL,
    name bytea NOT NULL, -- its public id
    last_seen bigint NOT NULL,
    merged_into bytea,
    hash bytea NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (scope, seq)
);
CREATE UNIQUE INDEX entity_name ON entity (scope, name);
CREATE INDEX entity_seen ON entity (scope, last_seen, seq) WHERE merged_into IS NULL;
CREATE INDEX entity_merged ON entity (scope, merged_into) WHERE merged_into IS NOT NULL;
CREATE TABLE entity_key (
    scope bigint NOT NULL,
    key bytea NOT NULL,
    entity integer NOT NULL,
    PRIMARY KEY (scope, key, entity),
    FOREIGN KEY (scope, entity) REFERENCES entity (scope, seq) ON DELETE CASCADE
);
CREATE INDEX entity_key_entity ON entity_key (scope, entity);
CREATE TABLE naming (
    scope bigint NOT NULL,
    entity integer NOT NULL,
    record integer NOT NULL,
    PRIMARY KEY (scope, entity, record),
    FOREIGN KEY (scope, entity) REFERENCES entity (scope, seq) ON DELETE CASCADE,
    FOREIGN KEY (scope, record) REFERENCES record (scope, seq)
);
CREATE INDEX naming_record ON naming (scope, record);

-- Entities taken for one, and pairs to look at.
CREATE TABLE merge (
    scope bigint NOT NULL REFERENCES scope (no),
    seq integer NOT NULL,
    name bytea NOT NULL,
    kept bytea NOT NULL,
    other bytea NOT NULL,
    hash bytea NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (scope, seq)
);
CREATE UNIQUE INDEX merge_name ON merge (scope, name);
CREATE INDEX merge_kept ON merge (scope, kept);
CREATE INDEX merge_other ON merge (scope, other);

-- The enrichment of a record, and how often what of it was refused when it was read last. `turn` is NULL for what is done.
CREATE TABLE work (
    scope bigint NOT NULL,
    record integer NOT NULL,
    state text NOT NULL CHECK (state IN ('queued', 'processing', 'completed', 'partial', 'failed')),
    turn integer GENERATED ALWAYS AS (
        CASE state WHEN 'queued' THEN CASE WHEN due IS NULL THEN 0 ELSE 1 END WHEN 'processing' THEN 2 WHEN 'failed' THEN 3 END
    ) STORED, -- 0 now, 1 when it is due, 2 when its lease runs out, 3 never
    since bigint NOT NULL, -- when it was queued
    due bigint, -- when it is tried again, or its lease runs out
    attempts integer NOT NULL DEFAULT 0,
    fence bigint NOT NULL DEFAULT 0, -- grows with every claim of the store, so that none is ever given twice
    failed_at bigint, -- when it failed last, until it is done
    reason bytea NOT NULL DEFAULT '',
    architecture bytea NOT NULL DEFAULT '',
    outcomes bytea NOT NULL DEFAULT '[]', -- JSON: [code, ...]
    PRIMARY KEY (scope, record),
    FOREIGN KEY (scope, record) REFERENCES record (scope, seq) ON DELETE CASCADE
);
CREATE INDEX work_of_scope ON work (turn, scope, since) WHERE turn IS NOT NULL;
CREATE INDEX work_failed ON work (failed_at) WHERE failed_at IS NOT NULL;
CREATE TABLE refusal (
    scope bigint NOT NULL,
    record integer NOT NULL,
    kind bytea NOT NULL,
    reason bytea NOT NULL,
    count integer NOT NULL,
    PRIMARY KEY (scope, record, kind, reason),
    FOREIGN KEY (scope, record) REFERENCES record (scope, seq) ON DELETE CASCADE
);

-- Values taken out of a record's text.
CREATE TABLE sealed (
    scope bigint NOT NULL,
    record integer NOT NULL,
    token bytea NOT NULL,
    kind bytea NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (scope, token, record),
    FOREIGN KEY (scope, record) REFERENCES record (scope, seq) ON DELETE CASCADE
);
CREATE INDEX sealed_record ON sealed (scope, record);

-- Bytes too large for a record's text, kept once in a scope, and the records that refer to them.
CREATE TABLE blob (
    scope bigint NOT NULL REFERENCES scope (no),
    digest bytea NOT NULL, -- SHA-256, hexadecimal
    media bytea NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (scope, digest)
);
CREATE TABLE blob_use (
    scope bigint NOT NULL,
    record integer NOT NULL,
    digest bytea NOT NULL,
    PRIMARY KEY (scope, record, digest),
    FOREIGN KEY (scope, record) REFERENCES record (scope, seq) ON DELETE CASCADE,
    FOREIGN KEY (scope, digest) REFERENCES blob (scope, digest)
);
CREATE INDEX blob_use_blob ON blob_use (scope, digest);

-- Every version of an agent's architecture. An empty client is all.
CREATE TABLE architecture (
    client bytea NOT NULL,
    agent bytea NOT NULL,
    version integer NOT NULL,
    at bigint NOT NULL,
    note bytea NOT NULL,
    by bytea NOT NULL,
    text bytea NOT NULL,
    PRIMARY KEY (client, agent, version)
);

-- That something was erased, and how much: never what.
CREATE TABLE erasure (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL,
    scopes integer NOT NULL,
    records integer NOT NULL,
    memories integer NOT NULL,
    entities integer NOT NULL
);

-- The second wall. A transaction says which scopes it may reach: their paths, one a line, and a path that all below share, or '*'
-- for the whole store. Whatever a statement forgets to ask for, no other row is seen or written; without a word, none at all.
-- FORCE holds the tables' owner to it too.
ALTER TABLE scope ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY reach ON scope USING (
    path = ANY (string_to_array(current_setting('muniment.scopes', true), E'\n'))
    OR (path >= nullif(current_setting('muniment.below', true), '') AND path < left(current_setting('muniment.below', true), -1) || '0')
    OR current_setting('muniment.below', true) = '*'
);
CREATE VIEW reached WITH (security_invoker = true) AS
    SELECT no FROM scope WHERE path = ANY (string_to_array(current_setting('muniment.scopes', true), E'\n'))
    UNION ALL
    SELECT no FROM scope
    WHERE path >= nullif(current_setting('muniment.below', true), '')
        AND path < left(current_setting('muniment.below', true), -1) || '0';
DO $$
DECLARE walled text;
BEGIN
    FOREACH walled IN ARRAY ARRAY[
        'record', 'label', 'entry', 'entry_vector', 'staging', 'staged', 'idempotency', 'memory', 'evidence', 'tie', 'entity',
        'entity_key', 'naming', 'merge', 'work', 'refusal', 'sealed', 'blob', 'blob_use'
    ] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', walled);
        EXECUTE format(
            'CREATE POLICY reach ON %I USING ('
            '(SELECT current_setting(''muniment.below'', true) = ''*'') OR scope IN (SELECT no FROM reached))', walled
        );
    END LOOP;
END
$$;
