-- What the file store says to SQLite about what is derived from records, and about what stands beside them.

-- name: scope_rungs
SELECT client, customer, user FROM scope WHERE no = ?

-- name: knowledge_at
SELECT generation, last_memory, last_entity, last_merge FROM knowledge WHERE scope = ?

-- name: knowledge_behind
-- Scopes that would give a number again.
SELECT k.scope FROM knowledge k
WHERE k.last_memory < coalesce((SELECT max(id) FROM memory WHERE id BETWEEN k.scope << 24 AND (k.scope << 24 | 0xFFFFFF)), 0) & 0xFFFFFF
    OR k.last_entity < coalesce((SELECT max(id) FROM entity WHERE id BETWEEN k.scope << 24 AND (k.scope << 24 | 0xFFFFFF)), 0) & 0xFFFFFF
    OR k.last_merge < coalesce((SELECT max(id) FROM merge WHERE id BETWEEN k.scope << 24 AND (k.scope << 24 | 0xFFFFFF)), 0) & 0xFFFFFF

-- name: knowledge_save
INSERT INTO knowledge (generation, last_memory, last_entity, last_merge, scope) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (scope) DO UPDATE SET
    generation = excluded.generation, last_memory = excluded.last_memory, last_entity = excluded.last_entity,
    last_merge = excluded.last_merge

-- name: records_by_name
-- Of many at once; the names come as a JSON list.
SELECT record.id FROM json_each(?2) one CROSS JOIN record ON record.scope = ?1 AND record.name = one.value

-- name: memory_by_name
SELECT id FROM memory WHERE scope = ? AND name = ?

-- name: memory_at
-- Bodies come as bytes: whatever has become of one is for the hash to tell.
SELECT id, hash, CAST(body AS BLOB) FROM memory WHERE id = ?

-- name: memory_name
SELECT name FROM memory WHERE id = ?

-- name: memories_of_subject
SELECT id, hash, CAST(body AS BLOB) FROM memory WHERE scope = ? AND subject = ? AND status = 'current'
ORDER BY recorded_at DESC, id DESC LIMIT ?

-- name: memories_of_slot
SELECT id, hash, CAST(body AS BLOB) FROM memory WHERE scope = ? AND slot = ? AND slot <> '' AND status = 'current'
ORDER BY recorded_at DESC, id DESC LIMIT ?

-- name: memories_of_digest
SELECT id, hash, CAST(body AS BLOB) FROM memory WHERE scope = ? AND digest = ?
ORDER BY status <> 'current', recorded_at DESC, id DESC LIMIT ?

-- name: memories_page
-- ?2 and ?3 are the moment and id to stay below; a kind or status of NULL is any.
SELECT id, hash, CAST(body AS BLOB) FROM memory
WHERE scope = ?1 AND (recorded_at, id) < (?2, ?3) AND (?4 IS NULL OR kind = ?4) AND (?5 IS NULL OR status = ?5)
ORDER BY recorded_at DESC, id DESC LIMIT ?6

-- name: memories_page_of_subject
-- Of one status, so that the index gives them in order.
SELECT id, hash, CAST(body AS BLOB) FROM memory
WHERE scope = ?1 AND subject = ?7 AND status = ?5 AND (recorded_at, id) < (?2, ?3) AND (?4 IS NULL OR kind = ?4)
ORDER BY recorded_at DESC, id DESC LIMIT ?6

-- name: memories_page_of_slot
SELECT id, hash, CAST(body AS BLOB) FROM memory
WHERE scope = ?1 AND slot = ?7 AND slot <> '' AND status = ?5 AND (recorded_at, id) < (?2, ?3) AND (?4 IS NULL OR kind = ?4)
ORDER BY recorded_at DESC, id DESC LIMIT ?6

-- name: memories_page_of_record
SELECT m.id, m.hash, CAST(m.body AS BLOB) FROM evidence e CROSS JOIN memory m ON m.id = e.memory
WHERE e.record = (SELECT id FROM record WHERE scope = ?1 AND name = ?7) AND (m.recorded_at, m.id) < (?2, ?3)
    AND (?4 IS NULL OR m.kind = ?4) AND (?5 IS NULL OR m.status = ?5)
ORDER BY m.recorded_at DESC, m.id DESC LIMIT ?6

-- name: memories_of_records
-- ?2 are names of records as JSON; who proves what comes with the name.
SELECT r.name, m.id, m.hash, CAST(m.body AS BLOB) FROM json_each(?2) j
CROSS JOIN record r ON r.scope = ?1 AND r.name = j.value CROSS JOIN evidence e ON e.record = r.id
CROSS JOIN memory m ON m.id = e.memory ORDER BY m.recorded_at DESC, m.id DESC

-- name: memories_page_of_entity
-- Chosen by id first: an entity may have many, and their bodies need not be sorted with them.
SELECT id, hash, CAST(body AS BLOB) FROM memory WHERE id IN (
    SELECT m.id FROM tie t CROSS JOIN memory m ON m.id = t.memory
    WHERE t.scope = ?1 AND t.other = ?7 AND (m.recorded_at, m.id) < (?2, ?3)
        AND (?4 IS NULL OR m.kind = ?4) AND (?5 IS NULL OR m.status = ?5)
    ORDER BY m.recorded_at DESC, m.id DESC LIMIT ?6
) ORDER BY recorded_at DESC, id DESC

-- name: memories_after
SELECT id, hash, CAST(body AS BLOB) FROM memory WHERE id > ? AND id <= ? ORDER BY id LIMIT ?

-- name: memory_columns
-- What is looked up, for a check against the body.
SELECT name, kind, status, subject, slot, digest, recorded_at, expires_at, proofs FROM memory WHERE id = ?

-- name: memory_write
INSERT INTO memory (id, name, kind, status, subject, slot, digest, recorded_at, expires_at, proofs, hash, body)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET
    name = excluded.name, kind = excluded.kind, status = excluded.status, subject = excluded.subject, slot = excluded.slot,
    digest = excluded.digest, recorded_at = excluded.recorded_at, expires_at = excluded.expires_at, proofs = excluded.proofs,
    hash = excluded.hash, body = excluded.body

-- name: memory_body_write
UPDATE memory SET hash = ?, body = ? WHERE id = ?

-- name: memory_drop
DELETE FROM memory WHERE id = ?

-- name: memories_drop
DELETE FROM memory WHERE id BETWEEN ? AND ?

-- name: evidence_add
INSERT INTO evidence (memory, record) VALUES (?, ?) ON CONFLICT DO NOTHING

-- name: evidence_records
SELECT record FROM evidence WHERE memory = ?

-- name: evidence_memories
SELECT memory FROM evidence WHERE record = ?

-- name: evidence_of_memory_drop
DELETE FROM evidence WHERE memory = ?

-- name: evidence_drop
DELETE FROM evidence WHERE memory BETWEEN ? AND ?

-- name: tie_add
INSERT INTO tie (scope, other, memory) VALUES (?, ?, ?) ON CONFLICT DO NOTHING

-- name: tie_drop
DELETE FROM tie WHERE scope = ? AND other = ? AND memory = ?

-- name: tie_memories
SELECT memory FROM tie WHERE scope = ? AND other = ?

-- name: tie_others
SELECT other FROM tie WHERE memory = ?

-- name: ties_of_memory_drop
DELETE FROM tie WHERE memory = ?

-- name: ties_drop
DELETE FROM tie WHERE scope = ?

-- name: entity_by_name
SELECT id FROM entity WHERE scope = ? AND name = ?

-- name: entity_at
SELECT id, hash, CAST(body AS BLOB) FROM entity WHERE id = ?

-- name: entity_name
SELECT name FROM entity WHERE id = ?

-- name: entities_of_key
SELECT e.id, e.hash, CAST(e.body AS BLOB) FROM entity_key k CROSS JOIN entity e ON e.id = k.entity
WHERE k.scope = ? AND k.key = ? ORDER BY k.entity DESC LIMIT ?

-- name: entities_page
SELECT id, hash, CAST(body AS BLOB) FROM entity
WHERE scope = ?1 AND merged_into IS NULL AND (last_seen, id) < (?2, ?3) ORDER BY last_seen DESC, id DESC LIMIT ?4

-- name: entities_after
SELECT id, hash, CAST(body AS BLOB) FROM entity WHERE id > ? AND id <= ? ORDER BY id LIMIT ?

-- name: entity_columns
SELECT name, last_seen, merged_into FROM entity WHERE id = ?

-- name: entities_merged_into
SELECT id FROM entity WHERE scope = ? AND merged_into = ?

-- name: entity_write
INSERT INTO entity (id, name, last_seen, merged_into, hash, body) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET
    name = excluded.name, last_seen = excluded.last_seen, merged_into = excluded.merged_into, hash = excluded.hash,
    body = excluded.body

-- name: entity_drop
DELETE FROM entity WHERE id = ?

-- name: entities_drop
DELETE FROM entity WHERE id BETWEEN ? AND ?

-- name: entity_key_add
INSERT INTO entity_key (scope, key, entity) VALUES (?, ?, ?) ON CONFLICT DO NOTHING

-- name: entity_key_drop
DELETE FROM entity_key WHERE scope = ? AND key = ? AND entity = ?

-- name: keys_of_entity
SELECT key FROM entity_key WHERE entity = ?

-- name: keys_of_entity_drop
DELETE FROM entity_key WHERE entity = ?

-- name: entity_keys_drop
DELETE FROM entity_key WHERE scope = ?

-- name: naming_add
INSERT INTO naming (entity, record) VALUES (?, ?) ON CONFLICT DO NOTHING

-- name: naming_records
SELECT record FROM naming WHERE entity = ?

-- name: naming_entities
SELECT entity FROM naming WHERE record = ?

-- name: naming_of_entity_drop
DELETE FROM naming WHERE entity = ?

-- name: naming_drop
DELETE FROM naming WHERE entity BETWEEN ? AND ?

-- name: merge_by_name
SELECT id FROM merge WHERE scope = ? AND name = ?

-- name: merge_write
INSERT INTO merge (id, name, kept, other, at, hash, body) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET
    name = excluded.name, kept = excluded.kept, other = excluded.other, at = excluded.at, hash = excluded.hash,
    body = excluded.body

-- name: merges_after
SELECT id, hash, CAST(body AS BLOB) FROM merge WHERE id > ? AND id <= ? ORDER BY id LIMIT ?

-- name: merges_naming
SELECT id FROM merge WHERE scope = ?1 AND kept = ?2 UNION SELECT id FROM merge WHERE scope = ?1 AND other = ?2

-- name: merge_drop
DELETE FROM merge WHERE id = ?

-- name: merges_drop
DELETE FROM merge WHERE id BETWEEN ? AND ?

-- name: refusal_add
INSERT INTO refusal (record, kind, reason, count) VALUES (?, ?, ?, ?)

-- name: refusals_of
SELECT kind, reason, sum(count) FROM refusal WHERE record BETWEEN ? AND ? GROUP BY kind, reason

-- name: refusals_of_record_drop
DELETE FROM refusal WHERE record = ?

-- name: refusals_drop
DELETE FROM refusal WHERE record BETWEEN ? AND ?

-- name: knowledge_drop
DELETE FROM knowledge WHERE scope = ?

-- name: work_add
-- For a record that has none yet.
INSERT INTO work (record, state, since, due, attempts, fence, failed_at, reason, architecture, outcomes)
VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?, ?)
ON CONFLICT (record) DO NOTHING

-- name: work_again
INSERT INTO work (record, state, since, attempts, fence, reason, architecture, outcomes) VALUES (?, 'queued', ?, 0, 0, '', '', '[]')
ON CONFLICT (record) DO UPDATE SET
    state = 'queued', since = excluded.since, due = NULL, attempts = 0, failed_at = NULL, reason = '', architecture = '',
    outcomes = '[]'

-- name: work_all_again
-- The same for every record in a range.
INSERT INTO work (record, state, since, attempts, fence, reason, architecture, outcomes)
SELECT id, 'queued', ?3, 0, 0, '', '', '[]' FROM record WHERE id BETWEEN ?1 AND ?2
ON CONFLICT (record) DO UPDATE SET
    state = 'queued', since = excluded.since, due = NULL, attempts = 0, failed_at = NULL, reason = '', architecture = '',
    outcomes = '[]'

-- name: work_parked_again
UPDATE work SET state = 'queued', since = ?2, due = NULL, attempts = 0, failed_at = NULL, reason = ''
WHERE scope = ?1 AND turn = 3

-- name: work_waiting
-- The next scope with work whose turn it is now.
SELECT scope FROM work WHERE turn = 0 AND scope > ? ORDER BY scope LIMIT 1

-- name: work_due
-- The next scope with work that is to be tried again or whose lease has run out.
SELECT scope FROM work WHERE turn IN (1, 2) AND scope > ? AND due <= ? ORDER BY scope LIMIT 1

-- name: work_under_way
-- Whether somebody is at this scope: a lease has not run out.
SELECT 1 FROM work WHERE turn = 2 AND scope = ? AND due > ? LIMIT 1

-- name: work_to_claim
SELECT record, attempts FROM (
    SELECT * FROM (SELECT record, attempts, since FROM work WHERE scope = ?1 AND turn = 0 ORDER BY since, record LIMIT ?3)
    UNION ALL
    SELECT record, attempts, since FROM work WHERE scope = ?1 AND turn IN (1, 2) AND due <= ?2
) ORDER BY since, record LIMIT ?3

-- name: work_claim
UPDATE work SET state = 'processing', due = ?, attempts = ?, fence = ? WHERE record = ?

-- name: work_fence
SELECT fence FROM work WHERE record = ? AND state = 'processing'

-- name: work_end
UPDATE work SET state = ?, due = NULL, failed_at = NULL, reason = ?, architecture = ?, outcomes = ? WHERE record = ?

-- name: work_fail
UPDATE work SET state = ?, due = ?, failed_at = ?, reason = ? WHERE record = ?

-- name: work_at
SELECT
    state, reason, attempts, iif(state = 'queued', due, NULL), outcomes, architecture,
    (SELECT json_group_array(json_array(kind, reason, count)) FROM refusal WHERE refusal.record = work.record)
FROM work WHERE record = ?

-- name: work_counts
SELECT
    (SELECT count(*) FROM work WHERE turn IN (0, 1)), (SELECT count(*) FROM work WHERE turn = 2),
    (SELECT count(*) FROM work WHERE turn = 3)

-- name: work_oldest
SELECT min(since) FROM (
    SELECT min(since) AS since FROM work WHERE turn = 0 UNION ALL SELECT min(since) FROM work WHERE turn = 1
    UNION ALL SELECT min(since) FROM work WHERE turn = 2
)

-- name: work_last_failed
SELECT reason FROM work WHERE failed_at IS NOT NULL ORDER BY failed_at DESC, record DESC LIMIT 1

-- name: work_drop
DELETE FROM work WHERE record = ?

-- name: works_drop
DELETE FROM work WHERE record BETWEEN ? AND ?

-- name: sealed_add
INSERT INTO sealed (record, token, kind, value) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING

-- name: sealed_of_token
SELECT token, kind, value FROM sealed WHERE scope = ? AND token = ? ORDER BY record LIMIT 1

-- name: sealed_of_record_drop
DELETE FROM sealed WHERE record = ?

-- name: sealed_drop
DELETE FROM sealed WHERE record BETWEEN ? AND ?

-- name: blob_by_digest
SELECT no FROM blob WHERE scope = ? AND digest = ?

-- name: blob_add
INSERT INTO blob (scope, digest, media, data) VALUES (?, ?, ?, ?) RETURNING no

-- name: blob_at
SELECT digest, media, data FROM blob WHERE no = ?

-- name: blob_use_add
INSERT INTO blob_use (record, blob) VALUES (?, ?) ON CONFLICT DO NOTHING

-- name: blobs_of_record
SELECT blob FROM blob_use WHERE record = ?

-- name: blob_uses_of_record_drop
DELETE FROM blob_use WHERE record = ?

-- name: blob_in_use
SELECT EXISTS (SELECT 1 FROM blob_use WHERE blob = ?)

-- name: blob_drop
DELETE FROM blob WHERE no = ?

-- name: blob_uses_drop
DELETE FROM blob_use WHERE record BETWEEN ? AND ?

-- name: blobs_drop
DELETE FROM blob WHERE scope = ?

-- name: blobs_after
SELECT no, digest, data FROM blob WHERE no > ? ORDER BY no LIMIT ?

-- name: architecture_last
SELECT coalesce(max(version), 0) FROM architecture WHERE client = ? AND agent = ?

-- name: architecture_add
INSERT INTO architecture (client, agent, version, at, note, by, text) VALUES (?, ?, ?, ?, ?, ?, ?)

-- name: architectures_of
SELECT version, text, at, note, by FROM architecture WHERE client = ? AND agent = ? ORDER BY version DESC

-- name: architectures_all
SELECT client, agent, version, text, at, note, by FROM architecture ORDER BY client, agent, version

-- name: architectures_drop
DELETE FROM architecture WHERE client = ?
