-- What the server's store says to PostgreSQL. An area is the paths from one up to, and without, another; NULL is everywhere.

-- name: server
SELECT
    current_setting('server_version_num')::integer, current_setting('server_encoding'), pg_is_in_recovery(),
    current_setting('transaction_read_only') = 'on', (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user)

-- name: extension
SELECT n.nspname, e.extversion FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'

-- name: extension_add
CREATE EXTENSION IF NOT EXISTS vector

-- name: home_add
CREATE SCHEMA IF NOT EXISTS muniment

-- name: home
SELECT set_config('search_path', 'muniment, ' || quote_ident($1), false)

-- name: migrations_there
SELECT to_regclass('muniment.migration') IS NOT NULL, to_regclass('muniment.scope') IS NOT NULL

-- name: migrations_add
CREATE TABLE IF NOT EXISTS muniment.migration (
    version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
)

-- name: version
SELECT coalesce(max(version), 0) FROM muniment.migration

-- name: migration_lock
-- One at a time: the number is this store's own.
SELECT pg_advisory_xact_lock(1836412501)

-- name: migration_add
INSERT INTO muniment.migration (version, name) VALUES ($1, $2)

-- name: reach
SELECT set_config('muniment.scopes', $1, true), set_config('muniment.below', $2, true)

-- name: tell
SELECT pg_notify($1, '')

-- name: meta_get
SELECT value FROM meta WHERE name = $1

-- name: meta_lock
SELECT value FROM meta WHERE name = $1 FOR UPDATE

-- name: meta_set
INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value

-- name: meta_add
INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING

-- name: meta_drop
DELETE FROM meta WHERE name = $1

-- name: scopes_of
SELECT no, path FROM scope WHERE path = ANY ($1)

-- name: scopes_view
-- What a search asks about its scopes, and whether any memory is there.
SELECT
    no, path, (no << 32) + generation AS generation, (no << 32) + epoch AS epoch, last_entry, last_label,
    EXISTS (SELECT 1 FROM memory WHERE scope = no) AS knowledge
FROM scope WHERE path = ANY ($1)

-- name: scopes_lock
-- From here to its end a transaction is alone with what these scopes hold.
SELECT no, path, generation, epoch, last_seq, last_entry, last_label, last_memory, last_entity, last_merge
FROM scope WHERE path = ANY ($1) ORDER BY no FOR UPDATE

-- name: scopes_add
INSERT INTO scope (path) SELECT path FROM unnest($1::text[]) WITH ORDINALITY AS given (path, place) ORDER BY place
ON CONFLICT DO NOTHING

-- name: scope_save
UPDATE scope SET
    generation = given.generation, epoch = given.epoch, last_seq = given.seq, last_entry = given.entry, last_label = given.label,
    last_memory = given.memory, last_entity = given.entity, last_merge = given.merge
FROM unnest(
    $1::bigint[], $2::bigint[], $3::bigint[], $4::integer[], $5::integer[], $6::integer[], $7::integer[], $8::integer[], $9::integer[]
) AS given (no, generation, epoch, seq, entry, label, memory, entity, merge)
WHERE scope.no = given.no

-- name: scope_numbers_save
-- What is derived is on no shelf, and changes none.
UPDATE scope SET last_memory = $2, last_entity = $3, last_merge = $4 WHERE no = $1

-- name: scopes_below
SELECT no, path FROM scope WHERE ($1::text IS NULL OR (path >= $1 AND path < $2)) AND no > $3 ORDER BY no LIMIT $4

-- name: scopes_below_lock
SELECT no, path FROM scope WHERE path >= $1 AND path < $2 ORDER BY no FOR UPDATE

-- name: scope_skip_locked
-- The same for one scope, if nobody else is at it.
SELECT path FROM scope WHERE no = $1 FOR UPDATE SKIP LOCKED

-- name: scope_lock
SELECT path FROM scope WHERE no = $1 FOR UPDATE

-- name: scopes_drop
DELETE FROM scope WHERE no = ANY ($1)

-- name: scopes_behind_numbers
-- Scopes that would give a number again.
SELECT path FROM scope s WHERE last_seq < (SELECT coalesce(max(seq), 0) FROM record WHERE scope = s.no)
    OR last_entry < (SELECT coalesce(max(no), 0) FROM entry WHERE scope = s.no)
    OR last_label < (SELECT coalesce(max(code), 0) FROM label WHERE scope = s.no)
    OR last_memory < (SELECT coalesce(max(seq), 0) FROM memory WHERE scope = s.no)
    OR last_entity < (SELECT coalesce(max(seq), 0) FROM entity WHERE scope = s.no)
    OR last_merge < (SELECT coalesce(max(seq), 0) FROM merge WHERE scope = s.no)

-- name: records_named
-- Of some scopes, each with the name asked in it.
SELECT r.scope, r.name, r.seq, r.hash, r.body FROM unnest($1::bigint[], $2::bytea[]) AS asked (scope, name)
JOIN record r ON r.scope = asked.scope AND r.name = asked.name

-- name: records_at
SELECT r.scope, r.seq, r.hash, r.body FROM unnest($1::bigint[], $2::integer[]) AS asked (scope, seq)
JOIN record r ON r.scope = asked.scope AND r.seq = asked.seq

-- name: records_after
SELECT seq, hash, body, conversation, speaker, agent FROM record WHERE scope = $1 AND seq > $2 ORDER BY seq LIMIT $3

-- name: record_write
-- New rows, or the same evidence over rows that were counted again or had gone bad.
INSERT INTO record (
    scope, seq, name, conversation, speaker, agent, role, kind, said_at, recorded_at, text_bytes, hash, body
)
SELECT * FROM unnest(
    $1::bigint[], $2::integer[], $3::bytea[], $4::integer[], $5::integer[], $6::integer[], $7::text[], $8::text[], $9::bigint[],
    $10::bigint[], $11::integer[], $12::bytea[], $13::bytea[]
)
ON CONFLICT (scope, seq) DO UPDATE SET
    conversation = excluded.conversation, speaker = excluded.speaker, agent = excluded.agent, role = excluded.role,
    kind = excluded.kind, said_at = excluded.said_at, recorded_at = excluded.recorded_at, text_bytes = excluded.text_bytes,
    hash = excluded.hash, body = excluded.body

-- name: records_meant
-- By name, by conversation, or both; what is NULL is not asked.
SELECT seq, name FROM record WHERE scope = $1 AND ($2::bytea[] IS NULL OR name = ANY ($2))
    AND ($3::bytea IS NULL OR conversation = (SELECT code FROM label WHERE scope = $1 AND kind = 'conversation' AND name = $3))
ORDER BY seq

-- name: records_in
SELECT count(*) FROM record WHERE scope = $1

-- name: page
SELECT seq, hash, body FROM record
WHERE scope = $1 AND seq < $2
    AND ($3::bytea IS NULL OR agent = (SELECT code FROM label WHERE scope = $1 AND kind = 'agent' AND name = $3))
    AND ($4::bytea IS NULL OR speaker = (SELECT code FROM label WHERE scope = $1 AND kind = 'speaker' AND name = $4))
    AND ($5::text IS NULL OR role = $5) AND ($6::text IS NULL OR kind = $6)
    AND ($7::bigint IS NULL OR said_at >= $7) AND ($8::bigint IS NULL OR said_at < $8)
ORDER BY seq DESC LIMIT $9

-- name: page_of_conversation
-- The same within one conversation.
SELECT seq, hash, body FROM record
WHERE scope = $1 AND seq < $2 AND conversation = (SELECT code FROM label WHERE scope = $1 AND kind = 'conversation' AND name = $10)
    AND ($3::bytea IS NULL OR agent = (SELECT code FROM label WHERE scope = $1 AND kind = 'agent' AND name = $3))
    AND ($4::bytea IS NULL OR speaker = (SELECT code FROM label WHERE scope = $1 AND kind = 'speaker' AND name = $4))
    AND ($5::text IS NULL OR role = $5) AND ($6::text IS NULL OR kind = $6)
    AND ($7::bigint IS NULL OR said_at >= $7) AND ($8::bigint IS NULL OR said_at < $8)
ORDER BY seq DESC LIMIT $9

-- name: labels_of
SELECT scope, kind, name, code FROM label WHERE scope = ANY ($1) AND name = ANY ($2)

-- name: labels_after
SELECT code, kind, name FROM label WHERE scope = $1 AND code > $2

-- name: label_add
INSERT INTO label (scope, code, kind, name) SELECT * FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::bytea[])

-- name: labels_unused
SELECT scope, code FROM label l WHERE NOT EXISTS (
    SELECT 1 FROM record r WHERE r.scope = l.scope
        AND CASE l.kind WHEN 'conversation' THEN r.conversation WHEN 'speaker' THEN r.speaker ELSE r.agent END = l.code
)

-- name: labels_unused_drop
DELETE FROM label l WHERE scope = $1 AND NOT EXISTS (
    SELECT 1 FROM record r WHERE r.scope = l.scope
        AND CASE l.kind WHEN 'conversation' THEN r.conversation WHEN 'speaker' THEN r.speaker ELSE r.agent END = l.code
)

-- name: entries_joined
-- A stretch of a scope's index as one row of joined columns. Vectors come in the form the wire has: two whole numbers, then halves.
SELECT
    count(*) AS count, string_agg(e.head, ''::bytea ORDER BY e.no) AS head, string_agg(e.terms, ''::bytea ORDER BY e.no) AS terms,
    string_agg(halfvec_send(v.value), ''::bytea ORDER BY e.no) AS vectors,
    array_agg(octet_length(e.terms) / 8 ORDER BY e.no) AS lengths, array_agg(v.no IS NOT NULL ORDER BY e.no) AS embedded
FROM entry e LEFT JOIN entry_vector v ON v.scope = e.scope AND v.no = e.no
WHERE e.scope = $1 AND e.no > $2 AND e.no <= $3

-- name: entries_of
-- For a check: those of some records.
SELECT e.seq, e.head, e.terms, halfvec_send(v.value) AS vector
FROM entry e LEFT JOIN entry_vector v ON v.scope = e.scope AND v.no = e.no
WHERE e.scope = $1 AND e.seq > $2 AND e.seq <= $3 ORDER BY e.no

-- name: entry_add
INSERT INTO entry (scope, no, seq, head, terms)
SELECT * FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::bytea[], $5::bytea[])

-- name: vector_add
INSERT INTO entry_vector (scope, no, value) SELECT * FROM unnest($1::bigint[], $2::integer[], $3::halfvec[])

-- name: keys_of
SELECT k.scope, k.key, k.record FROM unnest($1::bigint[], $2::bytea[]) AS asked (scope, key)
JOIN idempotency k ON k.scope = asked.scope AND k.key = asked.key

-- name: key_add
INSERT INTO idempotency (scope, key, record) SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::integer[])

-- name: stats
-- Texts and the index; vectors are counted apart.
SELECT
    (SELECT count(*) FROM scope WHERE $1::text IS NULL OR (path >= $1 AND path < $2)) AS scopes,
    (SELECT count(*) FROM label JOIN scope s ON s.no = label.scope
        WHERE kind = 'conversation' AND ($1::text IS NULL OR (s.path >= $1 AND s.path < $2))) AS conversations,
    (SELECT count(*) FROM entry_vector JOIN scope s ON s.no = entry_vector.scope
        WHERE $1::text IS NULL OR (s.path >= $1 AND s.path < $2)) AS vectors,
    r.*, e.*
FROM (
    SELECT count(*) AS records, coalesce(sum(text_bytes), 0)::bigint AS text_bytes, min(recorded_at) AS oldest, max(recorded_at) AS newest
    FROM record JOIN scope s ON s.no = record.scope WHERE $1::text IS NULL OR (s.path >= $1 AND s.path < $2)
) r CROSS JOIN (
    SELECT count(*) AS entries, coalesce(sum(octet_length(terms)), 0)::bigint AS entry_bytes
    FROM entry JOIN scope s ON s.no = entry.scope WHERE $1::text IS NULL OR (s.path >= $1 AND s.path < $2)
) e

-- name: erase_entries
DELETE FROM entry WHERE scope = $1 AND ($2::integer[] IS NULL OR seq = ANY ($2))

-- name: erase_keys
DELETE FROM idempotency WHERE scope = $1 AND ($2::integer[] IS NULL OR record = ANY ($2))

-- name: erase_records
-- What stands beside them and was not counted goes along.
DELETE FROM record WHERE scope = $1 AND ($2::integer[] IS NULL OR seq = ANY ($2))

-- name: erase_labels
DELETE FROM label WHERE scope = $1

-- name: erasure_add
INSERT INTO erasure (at, scopes, records, memories, entities) VALUES ($1, $2, $3, $4, $5)

-- name: index_lock
-- Nobody writes while one index takes the place of another; reading goes on.
LOCK TABLE scope IN EXCLUSIVE MODE

-- name: staging_clear
WITH dropped AS (DELETE FROM staged) DELETE FROM staging

-- name: staging_at
SELECT last_seq, last_entry FROM staging WHERE scope = $1

-- name: staging_save
INSERT INTO staging (scope, last_seq, last_entry) VALUES ($1, $2, $3)
ON CONFLICT (scope) DO UPDATE SET last_seq = excluded.last_seq, last_entry = excluded.last_entry

-- name: staged_add
INSERT INTO staged (scope, no, seq, head, terms, vector)
SELECT * FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::bytea[], $5::bytea[], $6::halfvec[])

-- name: staged_count
SELECT count(*) FROM staged

-- name: scopes_behind
-- The next scope that holds records the rebuild has not seen.
SELECT s.no, s.path, s.last_seq, coalesce(g.last_seq, 0) AS staged
FROM scope s LEFT JOIN staging g ON g.scope = s.no
WHERE s.last_seq > coalesce(g.last_seq, 0) ORDER BY s.no LIMIT 1

-- name: swap_clear
DELETE FROM entry

-- name: swap_entries
INSERT INTO entry (scope, no, seq, head, terms) SELECT scope, no, seq, head, terms FROM staged

-- name: swap_vectors
INSERT INTO entry_vector (scope, no, value) SELECT scope, no, vector FROM staged WHERE vector IS NOT NULL

-- name: swap_numbers
-- Hands the numbers of the new index to the scopes, as a change that no kept shelf survives.
UPDATE scope SET last_entry = g.last_entry, generation = generation + 1, epoch = generation + 1
FROM staging g WHERE g.scope = scope.no

-- name: swap_labels
DELETE FROM label l WHERE NOT EXISTS (
    SELECT 1 FROM record r WHERE r.scope = l.scope
        AND CASE l.kind WHEN 'conversation' THEN r.conversation WHEN 'speaker' THEN r.speaker ELSE r.agent END = l.code
)
