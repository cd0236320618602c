-- What the file store says to SQLite. Ranges of ids are one scope: no << 24 up to no << 24 | 0xFFFFFF.

-- name: tables
SELECT count(*) FROM sqlite_schema

-- name: version
PRAGMA user_version

-- name: migration_add
INSERT INTO migration (version, name, applied_at) VALUES (?, ?, unixepoch())

-- name: begin_read
BEGIN

-- name: begin_write
BEGIN IMMEDIATE

-- name: commit
COMMIT

-- name: rollback
ROLLBACK

-- name: job_begin
SAVEPOINT job

-- name: job_undo
ROLLBACK TO job

-- name: job_end
RELEASE job

-- name: meta_get
SELECT value FROM meta WHERE name = ?

-- name: meta_set
INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value

-- name: meta_drop
DELETE FROM meta WHERE name = ?

-- name: scope_by_rungs
SELECT no, generation, epoch, last_seq, last_entry, last_label, records, entries, vectors, text_bytes, entry_bytes, oldest, newest
FROM scope WHERE client = ? AND customer = ? AND user = ?

-- name: scope_view
-- What a search asks about a scope: one row, and whether any memory is there.
SELECT no, generation, epoch, last_entry, last_label, entries,
    EXISTS (SELECT 1 FROM memory WHERE id > no << 24 AND id < (no + 1) << 24)
FROM scope WHERE client = ? AND customer = ? AND user = ?

-- name: scope_add
INSERT INTO scope (
    client, customer, user, generation, epoch, last_seq, last_entry, last_label, records, entries, vectors, text_bytes, entry_bytes,
    oldest, newest
) VALUES (?, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9223372036854775807, -9223372036854775808)

-- name: scope_save
UPDATE scope SET
    generation = ?, epoch = ?, last_seq = ?, last_entry = ?, last_label = ?, records = ?, entries = ?, vectors = ?, text_bytes = ?,
    entry_bytes = ?, oldest = ?, newest = ?
WHERE no = ?

-- name: scope_drop
DELETE FROM scope WHERE no = ?

-- name: scopes_below
-- Scopes after number ?4 that start with these rungs; only rungs below the last one given are free.
SELECT no, client, customer, user FROM scope
WHERE client = ?1 AND ((?2 = '' AND ?3 = '') OR customer = ?2) AND (?3 = '' OR user = ?3) AND no > ?4 ORDER BY no LIMIT ?5

-- name: scopes_all
SELECT no, client, customer, user FROM scope WHERE no > ?4 ORDER BY no LIMIT ?5

-- name: scope_counts
-- What a scope's row should say about its records and its entries.
SELECT
    (SELECT count(*) FROM record WHERE id BETWEEN ?1 AND ?2),
    (SELECT count(*) FROM entry WHERE id BETWEEN ?1 AND ?2),
    (SELECT count(vector) FROM entry WHERE id BETWEEN ?1 AND ?2),
    (SELECT coalesce(sum(octet_length(text)), 0) FROM record WHERE id BETWEEN ?1 AND ?2),
    (SELECT coalesce(sum(octet_length(terms) + coalesce(octet_length(vector), 0)), 0) FROM entry WHERE id BETWEEN ?1 AND ?2),
    (SELECT min(recorded_at) FROM record WHERE id BETWEEN ?1 AND ?2),
    (SELECT max(recorded_at) FROM record WHERE id BETWEEN ?1 AND ?2)

-- name: scope_peaks
-- The highest numbers in use, for a check against those given.
SELECT
    coalesce((SELECT max(id) FROM record WHERE id BETWEEN ?1 AND ?2) & 0xFFFFFF, 0),
    coalesce((SELECT max(id) FROM entry WHERE id BETWEEN ?1 AND ?2) & 0xFFFFFF, 0),
    coalesce((SELECT max(id) FROM label WHERE id BETWEEN ?1 AND ?2) & 0xFFFFFF, 0)

-- name: record_at
-- Names are looked up by subqueries: joins take four times as long to set up for one row.
SELECT
    r.id, r.name, r.occurrences, r.role, r.kind, r.trust,
    (SELECT name FROM label WHERE id = ((r.id & ~0xFFFFFF) | r.conversation)),
    (SELECT name FROM label WHERE id = ((r.id & ~0xFFFFFF) | r.speaker)),
    (SELECT name FROM label WHERE id = ((r.id & ~0xFFFFFF) | r.agent)),
    r.said_at, r.recorded_at, r.ref, r.origin, r.tool_calls, r.tool_call_id, r.metadata, r.text, r.hash
FROM record r
WHERE r.id = ?

-- name: record_by_name
SELECT id FROM record WHERE scope = ? AND name = ?

-- name: record_name
SELECT name FROM record WHERE id = ?

-- name: record_codes
SELECT conversation, speaker, agent FROM record WHERE id = ?

-- name: record_write
-- A new row, or the same evidence over a row that was counted again or had gone bad.
INSERT INTO record (
    id, name, occurrences, role, kind, trust, conversation, speaker, agent, said_at, recorded_at, ref, origin, tool_calls,
    tool_call_id, metadata, text, hash
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET
    name = excluded.name, occurrences = excluded.occurrences, role = excluded.role, kind = excluded.kind, trust = excluded.trust,
    conversation = excluded.conversation, speaker = excluded.speaker, agent = excluded.agent, said_at = excluded.said_at,
    recorded_at = excluded.recorded_at, ref = excluded.ref, origin = excluded.origin, tool_calls = excluded.tool_calls,
    tool_call_id = excluded.tool_call_id, metadata = excluded.metadata, text = excluded.text, hash = excluded.hash

-- name: records_after
SELECT id FROM record WHERE id > ? AND id <= ? ORDER BY id LIMIT ?

-- name: records_in
SELECT count(*) FROM record WHERE id BETWEEN ? AND ?

-- name: records_of_conversation
SELECT id FROM record WHERE scope = ? AND conversation = ?

-- name: record_drop
DELETE FROM record WHERE id = ?

-- name: records_drop
DELETE FROM record WHERE id BETWEEN ? AND ?

-- name: page
-- Ids in a scope below a bound, latest first, that pass what is given. Names are looked up beforehand: -1 is one not in use.
SELECT id FROM record
WHERE id BETWEEN ?1 AND ?2
    AND (?3 IS NULL OR agent = ?3) AND (?4 IS NULL OR speaker = ?4) AND (?5 IS NULL OR role = ?5) AND (?6 IS NULL OR kind = ?6)
    AND (?7 IS NULL OR said_at >= ?7) AND (?8 IS NULL OR said_at < ?8)
ORDER BY id DESC LIMIT ?9

-- name: page_of_conversation
-- The same within one conversation.
SELECT id FROM record
WHERE scope = ?1 >> 24 AND conversation = ?10 AND id BETWEEN ?1 AND ?2
    AND (?3 IS NULL OR agent = ?3) AND (?4 IS NULL OR speaker = ?4) AND (?5 IS NULL OR role = ?5) AND (?6 IS NULL OR kind = ?6)
    AND (?7 IS NULL OR said_at >= ?7) AND (?8 IS NULL OR said_at < ?8)
ORDER BY id DESC LIMIT ?9

-- name: label_by_name
SELECT id & 0xFFFFFF FROM label WHERE scope = ? AND kind = ? AND name = ?

-- name: label_add
INSERT INTO label (id, kind, name) VALUES (?, ?, ?)

-- name: labels_after
SELECT id & 0xFFFFFF, kind, name FROM label WHERE id > ? AND id <= ? ORDER BY id

-- name: label_in_use
-- Whether a record of the scope still has this code. A conversation is found by its index, most others after a few rows.
SELECT EXISTS (SELECT 1 FROM record WHERE scope = ?1 AND conversation = ?2)
    OR EXISTS (SELECT 1 FROM record WHERE id BETWEEN ?1 << 24 AND (?1 << 24 | 0xFFFFFF) AND ?2 IN (speaker, agent))

-- name: label_drop
DELETE FROM label WHERE id = ?

-- name: labels_drop
DELETE FROM label WHERE id BETWEEN ? AND ?

-- name: labels_unused
SELECT id FROM label WHERE id BETWEEN ?1 AND ?2 AND (id & 0xFFFFFF) NOT IN (
    SELECT conversation FROM record WHERE id BETWEEN ?1 AND ?2
    UNION SELECT speaker FROM record WHERE id BETWEEN ?1 AND ?2
    UNION SELECT agent FROM record WHERE id BETWEEN ?1 AND ?2
)

-- name: conversations_in
SELECT count(*) FROM label WHERE scope = ? AND kind = 'conversation'

-- name: entries_joined
-- A stretch of a scope's index as one row of joined columns. Joined here rather than in Python: one step of the
-- statement instead of one per entry, and with it one hand-over of the interpreter's lock instead of hundreds.
SELECT
    count(*), count(vector),
    CAST(group_concat(head, '') AS BLOB), CAST(group_concat(terms, '') AS BLOB), CAST(group_concat(vector, '') AS BLOB),
    group_concat(length(terms) >> 3), CASE WHEN count(vector) < count(*) THEN group_concat(vector IS NOT NULL) END
FROM entry WHERE id > ? AND id <= ?

-- name: entries_after
-- For a check: whatever has become of a column comes as bytes.
SELECT id, CAST(head AS BLOB), CAST(terms AS BLOB), CAST(vector AS BLOB) FROM entry WHERE id > ? AND id <= ? ORDER BY id

-- name: entry_add
INSERT INTO entry (id, head, terms, vector) VALUES (?, ?, ?, ?)

-- name: entry_seqs
SELECT id, substr(head, 1, 4) FROM entry WHERE id BETWEEN ? AND ?

-- name: entry_drop
DELETE FROM entry WHERE id = ?

-- name: entries_drop
DELETE FROM entry WHERE id BETWEEN ? AND ?

-- name: entries_homeless
-- Index rows of no scope.
SELECT count(*) FROM entry WHERE (id >> 24) NOT IN (SELECT no FROM scope)

-- name: key_record
SELECT record FROM idempotency WHERE scope = ? AND key = ?

-- name: key_add
INSERT INTO idempotency (scope, key, record) VALUES (?, ?, ?)

-- name: keys_of_record_drop
DELETE FROM idempotency WHERE record = ?

-- name: keys_drop
DELETE FROM idempotency WHERE scope = ?

-- name: erasure_add
INSERT INTO erasure (at, scopes, records, entries, labels, keys, memories, entities) VALUES (?, ?, ?, ?, ?, ?, ?, ?)

-- name: stats_of_scope
SELECT records, entries, vectors, text_bytes + entry_bytes, oldest, newest FROM scope WHERE no = ?

-- name: stats_all
SELECT
    coalesce(sum(records), 0), coalesce(sum(entries), 0), coalesce(sum(vectors), 0), coalesce(sum(text_bytes + entry_bytes), 0),
    count(*), (SELECT count(*) FROM label WHERE kind = 'conversation')
FROM scope

-- name: stats_times
SELECT min(oldest), max(newest) FROM scope

-- name: staged_add
INSERT INTO staged (id, head, terms, vector) VALUES (?, ?, ?, ?)

-- name: staged_seqs
SELECT id, substr(head, 1, 4) FROM staged WHERE id BETWEEN ? AND ?

-- name: staged_drop
DELETE FROM staged WHERE id = ?

-- name: staged_range_drop
DELETE FROM staged WHERE id BETWEEN ? AND ?

-- name: staged_some_drop
DELETE FROM staged WHERE id IN (SELECT id FROM staged LIMIT ?)

-- name: staged_count
SELECT count(*) FROM staged

-- name: staging_at
SELECT last_seq, last_entry, entries, vectors, entry_bytes FROM staging WHERE scope = ?

-- name: staging_save
INSERT INTO staging (last_seq, last_entry, entries, vectors, entry_bytes, scope) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (scope) DO UPDATE SET
    last_seq = excluded.last_seq, last_entry = excluded.last_entry, entries = excluded.entries, vectors = excluded.vectors,
    entry_bytes = excluded.entry_bytes

-- name: staging_recount
UPDATE staging SET (entries, vectors, entry_bytes) = (
    SELECT count(*), count(vector), coalesce(sum(octet_length(terms) + coalesce(octet_length(vector), 0)), 0)
    FROM staged WHERE id BETWEEN ?1 AND ?2
) WHERE scope = ?1 >> 24

-- name: staging_drop
DELETE FROM staging WHERE scope = ?

-- name: staging_clear
DELETE FROM staging

-- name: staging_total
SELECT coalesce(sum(entries), 0) FROM staging

-- name: scopes_behind
-- Scopes after a number that hold records the rebuild has not seen.
SELECT s.no, s.client, s.customer, s.user, s.last_seq, coalesce(g.last_seq, 0)
FROM scope s LEFT JOIN staging g ON g.scope = s.no
WHERE s.no > ? AND s.last_seq > coalesce(g.last_seq, 0) ORDER BY s.no LIMIT ?

-- name: swap_numbers
-- Hands the numbers of the new index to the scopes, as a change that no kept shelf survives.
UPDATE scope SET
    last_entry = g.last_entry, entries = g.entries, vectors = g.vectors, entry_bytes = g.entry_bytes,
    generation = generation + 1, epoch = generation + 1
FROM staging g WHERE g.scope = scope.no

-- name: swap_tables
-- The new index takes the place of the old, which is left to be cleared.
ALTER TABLE entry RENAME TO outgoing;
ALTER TABLE staged RENAME TO entry;
ALTER TABLE outgoing RENAME TO staged

-- name: check_pages
PRAGMA integrity_check(20)

-- name: check_links
PRAGMA foreign_key_check
