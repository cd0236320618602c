-- What the server's store says to PostgreSQL about what is derived from records, and about what stands beside them.

-- name: memories_named
SELECT scope, name, seq, hash, body FROM memory WHERE scope = ANY ($1) AND name = ANY ($2)

-- name: memories_at
SELECT seq, hash, body, name FROM memory WHERE scope = $1 AND seq = ANY ($2) ORDER BY seq

-- name: memories_wanted
-- The latest current ones of each subject and of each slot, and some of each digest, current ones first.
SELECT seq, hash, body FROM unnest($2::bytea[]) AS asked (subject) CROSS JOIN LATERAL (
    SELECT seq, hash, body FROM memory WHERE scope = $1 AND subject = asked.subject AND status = 'current'
    ORDER BY recorded_at DESC, seq DESC LIMIT $5
) about
UNION ALL
SELECT seq, hash, body FROM unnest($3::bytea[]) AS asked (slot) CROSS JOIN LATERAL (
    SELECT seq, hash, body FROM memory WHERE scope = $1 AND slot = asked.slot AND slot <> '' AND status = 'current'
    ORDER BY recorded_at DESC, seq DESC LIMIT $6
) near
UNION ALL
SELECT seq, hash, body FROM unnest($4::bytea[]) AS asked (digest) CROSS JOIN LATERAL (
    SELECT seq, hash, body FROM memory WHERE scope = $1 AND digest = asked.digest
    ORDER BY status <> 'current', recorded_at DESC, seq DESC LIMIT $7
) same

-- name: memories_page
-- Of several scopes, the narrowest first, below a moment and a number; behind depth $4 the number itself counts as below.
SELECT line.depth, one.* FROM unnest($1::bigint[], $9::integer[]) AS line (no, depth) CROSS JOIN LATERAL (
    SELECT recorded_at, seq, hash, body FROM memory
    WHERE scope = line.no AND (recorded_at, seq) < ($2, $3 + (line.depth > $4)::integer)
        AND ($5::bytea[] IS NULL OR kind = ANY ($5)) AND ($6::text[] IS NULL OR status = ANY ($6)) AND $8::bytea IS NULL
    ORDER BY recorded_at DESC, seq DESC LIMIT $7
) one ORDER BY recorded_at DESC, seq DESC, depth LIMIT $7

-- name: memories_page_of_subject
SELECT line.depth, one.* FROM unnest($1::bigint[], $9::integer[]) AS line (no, depth) CROSS JOIN LATERAL (
    SELECT recorded_at, seq, hash, body FROM memory
    WHERE scope = line.no AND subject = $8 AND (recorded_at, seq) < ($2, $3 + (line.depth > $4)::integer)
        AND ($5::bytea[] IS NULL OR kind = ANY ($5)) AND ($6::text[] IS NULL OR status = ANY ($6))
    ORDER BY recorded_at DESC, seq DESC LIMIT $7
) one ORDER BY recorded_at DESC, seq DESC, depth LIMIT $7

-- name: memories_page_of_slot
SELECT line.depth, one.* FROM unnest($1::bigint[], $9::integer[]) AS line (no, depth) CROSS JOIN LATERAL (
    SELECT recorded_at, seq, hash, body FROM memory
    WHERE scope = line.no AND slot = $8 AND slot <> '' AND (recorded_at, seq) < ($2, $3 + (line.depth > $4)::integer)
        AND ($5::bytea[] IS NULL OR kind = ANY ($5)) AND ($6::text[] IS NULL OR status = ANY ($6))
    ORDER BY recorded_at DESC, seq DESC LIMIT $7
) one ORDER BY recorded_at DESC, seq DESC, depth LIMIT $7

-- name: memories_page_of_record
SELECT line.depth, one.* FROM unnest($1::bigint[], $9::integer[]) AS line (no, depth) CROSS JOIN LATERAL (
    SELECT m.recorded_at, m.seq, m.hash, m.body FROM record r
    JOIN evidence e ON e.scope = r.scope AND e.record = r.seq JOIN memory m ON m.scope = e.scope AND m.seq = e.memory
    WHERE r.scope = line.no AND r.name = $8 AND (m.recorded_at, m.seq) < ($2, $3 + (line.depth > $4)::integer)
        AND ($5::bytea[] IS NULL OR m.kind = ANY ($5)) AND ($6::text[] IS NULL OR m.status = ANY ($6))
    ORDER BY m.recorded_at DESC, m.seq DESC LIMIT $7
) one ORDER BY recorded_at DESC, seq DESC, depth LIMIT $7

-- name: memories_page_of_entity
SELECT line.depth, one.* FROM unnest($1::bigint[], $9::integer[]) AS line (no, depth) CROSS JOIN LATERAL (
    SELECT m.recorded_at, m.seq, m.hash, m.body FROM tie t JOIN memory m ON m.scope = t.scope AND m.seq = t.memory
    WHERE t.scope = line.no AND t.other = $8 AND (m.recorded_at, m.seq) < ($2, $3 + (line.depth > $4)::integer)
        AND ($5::bytea[] IS NULL OR m.kind = ANY ($5)) AND ($6::text[] IS NULL OR m.status = ANY ($6))
    ORDER BY m.recorded_at DESC, m.seq DESC LIMIT $7
) one ORDER BY recorded_at DESC, seq DESC, depth LIMIT $7

-- name: memories_proved
SELECT r.scope, r.name AS record, m.seq, m.hash, m.body FROM record r
JOIN evidence e ON e.scope = r.scope AND e.record = r.seq JOIN memory m ON m.scope = e.scope AND m.seq = e.memory
WHERE r.scope = ANY ($1) AND r.name = ANY ($2) ORDER BY m.recorded_at DESC, m.seq DESC

-- name: memories_after
SELECT seq, hash, body FROM memory WHERE scope = $1 AND seq > $2 ORDER BY seq LIMIT $3

-- name: memories_columns
-- What is looked up, for a check against the bodies.
SELECT
    seq, name, kind, status, subject, slot, digest, recorded_at, expires_at, proofs,
    ARRAY(SELECT other FROM tie t WHERE t.scope = m.scope AND t.memory = m.seq) AS found,
    ARRAY(SELECT r.name FROM evidence e JOIN record r ON r.scope = e.scope AND r.seq = e.record
        WHERE e.scope = m.scope AND e.memory = m.seq) AS records
FROM memory m WHERE scope = $1 AND seq = ANY ($2)

-- name: memory_write
INSERT INTO memory (
    scope, seq, name, kind, status, subject, slot, digest, recorded_at, expires_at, proofs, hash, body
)
SELECT * FROM unnest(
    $1::bigint[], $2::integer[], $3::bytea[], $4::bytea[], $5::text[], $6::bytea[], $7::bytea[], $8::bytea[], $9::bigint[],
    $10::bigint[], $11::integer[], $12::bytea[], $13::bytea[]
)
ON CONFLICT (scope, seq) DO UPDATE SET
    kind = excluded.kind, status = excluded.status, subject = excluded.subject, slot = excluded.slot, digest = excluded.digest,
    recorded_at = excluded.recorded_at, expires_at = excluded.expires_at, proofs = excluded.proofs, hash = excluded.hash,
    body = excluded.body

-- name: memory_body_write
UPDATE memory SET hash = $3, body = $4 WHERE scope = $1 AND seq = $2

-- name: memories_drop
DELETE FROM memory WHERE scope = $1 AND ($2::integer[] IS NULL OR seq = ANY ($2))

-- name: evidence_write
-- Exactly these records prove these memories: pairs of a memory and a record's name.
WITH meant AS (
    SELECT given.memory, r.seq FROM unnest($3::integer[], $4::bytea[]) AS given (memory, name)
    JOIN record r ON r.scope = $1 AND r.name = given.name
),
dropped AS (
    DELETE FROM evidence e WHERE scope = $1 AND memory = ANY ($2::integer[])
        AND NOT EXISTS (SELECT 1 FROM meant WHERE meant.memory = e.memory AND meant.seq = e.record)
)
INSERT INTO evidence (scope, memory, record) SELECT $1, memory, seq FROM meant ON CONFLICT DO NOTHING

-- name: evidence_of
SELECT memory, record FROM evidence WHERE scope = $1 AND memory = ANY ($2)

-- name: evidence_memories
SELECT DISTINCT memory FROM evidence WHERE scope = $1 AND record = ANY ($2) ORDER BY memory

-- name: evidence_drop
DELETE FROM evidence WHERE scope = $1 AND ($2::integer[] IS NULL OR memory = ANY ($2))

-- name: ties_write
-- Exactly these memories and entities are named by these memories: pairs of a memory and what it names.
WITH dropped AS (
    DELETE FROM tie t WHERE scope = $1 AND memory = ANY ($2::integer[])
        AND (memory, other) NOT IN (SELECT memory, other FROM unnest($3::integer[], $4::bytea[]) AS given (memory, other))
)
INSERT INTO tie (scope, other, memory) SELECT $1, other, memory FROM unnest($3::integer[], $4::bytea[]) AS given (memory, other)
ON CONFLICT DO NOTHING

-- name: tie_memories
SELECT DISTINCT memory FROM tie WHERE scope = $1 AND other = ANY ($2) ORDER BY memory

-- name: entities_named
SELECT name, seq, hash, body FROM entity WHERE scope = $1 AND name = ANY ($2)

-- name: entities_at
SELECT seq, hash, body, name FROM entity WHERE scope = $1 AND seq = ANY ($2) ORDER BY seq

-- name: entities_of_keys
SELECT one.* FROM unnest($2::bytea[]) AS asked (key) CROSS JOIN LATERAL (
    SELECT e.seq, e.hash, e.body FROM entity_key k JOIN entity e ON e.scope = k.scope AND e.seq = k.entity
    WHERE k.scope = $1 AND k.key = asked.key ORDER BY k.entity DESC LIMIT $3
) one

-- name: entities_page
SELECT seq, hash, body FROM entity
WHERE scope = $1 AND merged_into IS NULL AND (last_seen, seq) < ($2, $3) ORDER BY last_seen DESC, seq DESC LIMIT $4

-- name: entities_after
SELECT seq, hash, body FROM entity WHERE scope = $1 AND seq > $2 ORDER BY seq LIMIT $3

-- name: entities_columns
SELECT
    seq, name, last_seen, merged_into,
    ARRAY(SELECT key FROM entity_key k WHERE k.scope = e.scope AND k.entity = e.seq) AS found,
    ARRAY(SELECT r.name FROM naming n JOIN record r ON r.scope = n.scope AND r.seq = n.record
        WHERE n.scope = e.scope AND n.entity = e.seq) AS records
FROM entity e WHERE scope = $1 AND seq = ANY ($2)

-- name: entities_merged_into
SELECT seq FROM entity WHERE scope = $1 AND merged_into = ANY ($2) ORDER BY seq

-- name: entity_write
INSERT INTO entity (scope, seq, name, last_seen, merged_into, hash, body)
SELECT * FROM unnest($1::bigint[], $2::integer[], $3::bytea[], $4::bigint[], $5::bytea[], $6::bytea[], $7::bytea[])
ON CONFLICT (scope, seq) DO UPDATE SET
    last_seen = excluded.last_seen, merged_into = excluded.merged_into, hash = excluded.hash, body = excluded.body

-- name: entities_drop
DELETE FROM entity WHERE scope = $1 AND ($2::integer[] IS NULL OR seq = ANY ($2))

-- name: naming_write
-- Exactly these records name these entities: pairs of an entity and a record's name.
WITH meant AS (
    SELECT given.entity, r.seq FROM unnest($3::integer[], $4::bytea[]) AS given (entity, name)
    JOIN record r ON r.scope = $1 AND r.name = given.name
),
dropped AS (
    DELETE FROM naming n WHERE scope = $1 AND entity = ANY ($2::integer[])
        AND NOT EXISTS (SELECT 1 FROM meant WHERE meant.entity = n.entity AND meant.seq = n.record)
)
INSERT INTO naming (scope, entity, record) SELECT $1, entity, seq FROM meant ON CONFLICT DO NOTHING

-- name: naming_entities
SELECT DISTINCT entity FROM naming WHERE scope = $1 AND record = ANY ($2) ORDER BY entity

-- name: entity_keys_write
-- Exactly by these keys these entities are found: pairs of an entity and a key.
WITH dropped AS (
    DELETE FROM entity_key WHERE scope = $1 AND entity = ANY ($2::integer[])
        AND (entity, key) NOT IN (SELECT entity, key FROM unnest($3::integer[], $4::bytea[]) AS given (entity, key))
)
INSERT INTO entity_key (scope, key, entity) SELECT $1, key, entity FROM unnest($3::integer[], $4::bytea[]) AS given (entity, key)
ON CONFLICT DO NOTHING

-- name: merges_named
SELECT name, seq FROM merge WHERE scope = $1 AND name = ANY ($2)

-- name: merges_after
SELECT seq, hash, body FROM merge WHERE scope = $1 AND seq > $2 ORDER BY seq LIMIT $3

-- name: merge_write
INSERT INTO merge (scope, seq, name, kept, other, hash, body)
SELECT * FROM unnest($1::bigint[], $2::integer[], $3::bytea[], $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[])
ON CONFLICT (scope, seq) DO UPDATE SET kept = excluded.kept, other = excluded.other, hash = excluded.hash, body = excluded.body

-- name: merges_drop
DELETE FROM merge WHERE scope = $1 AND ($2::bytea[] IS NULL OR kept = ANY ($2) OR other = ANY ($2))

-- name: refusal_add
INSERT INTO refusal (scope, record, kind, reason, count)
SELECT * FROM unnest($1::bigint[], $2::integer[], $3::bytea[], $4::bytea[], $5::integer[])

-- name: refusals_drop
DELETE FROM refusal WHERE scope = $1 AND record = ANY ($2)

-- name: refusals_below
SELECT f.kind, f.reason, sum(f.count)::bigint FROM refusal f JOIN scope s ON s.no = f.scope
WHERE s.path >= $1 AND s.path < $2 GROUP BY f.kind, f.reason

-- name: work_add
-- For a record that has none yet; what was refused of it comes along.
WITH added AS (
    INSERT INTO work (scope, record, state, since, due, attempts, failed_at, reason, architecture, outcomes)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING scope, record
)
INSERT INTO refusal (scope, record, kind, reason, count)
SELECT added.scope, added.record, given.kind, given.reason, given.count
FROM added CROSS JOIN unnest($11::bytea[], $12::bytea[], $13::integer[]) AS given (kind, reason, count)

-- name: work_again
-- Some records of a scope (NULL: all), as if they never had been.
INSERT INTO work (scope, record, state, since) SELECT scope, seq, 'queued', $3 FROM record
WHERE scope = $1 AND ($2::integer[] IS NULL OR seq = ANY ($2))
ON CONFLICT (scope, record) DO UPDATE SET
    state = 'queued', since = excluded.since, due = NULL, attempts = 0, failed_at = NULL, reason = '', architecture = '',
    outcomes = '[]'

-- name: work_parked_again
UPDATE work SET
    state = 'queued', since = $2, due = NULL, attempts = 0, failed_at = NULL, reason = '', architecture = '', outcomes = '[]'
WHERE scope = $1 AND turn = 3

-- name: work_waiting
-- The next scope with work whose turn it is now, or that is to be tried again, or whose lease has run out.
SELECT min(scope) FROM (
    (SELECT scope FROM work WHERE turn = 0 AND scope > $1 ORDER BY scope LIMIT 1)
    UNION ALL (SELECT scope FROM work WHERE turn = 1 AND scope > $1 AND due <= $2 ORDER BY scope LIMIT 1)
    UNION ALL (SELECT scope FROM work WHERE turn = 2 AND scope > $1 AND due <= $2 ORDER BY scope LIMIT 1)
) next

-- name: work_under_way
-- Whether somebody is at this scope: a lease has not run out.
SELECT EXISTS (SELECT 1 FROM work WHERE turn = 2 AND scope = $1 AND due > $2)

-- name: work_take
-- The longest waiting of a scope, under a fence that is given once.
WITH taken AS (
    SELECT scope, record FROM work WHERE scope = $1 AND (turn = 0 OR (turn IN (1, 2) AND due <= $2)) ORDER BY since, record LIMIT $3
),
given AS (
    UPDATE work SET state = 'processing', due = $4, attempts = attempts + 1, fence = $5 FROM taken
    WHERE work.scope = taken.scope AND work.record = taken.record RETURNING work.scope, work.record, work.attempts, work.since
)
SELECT r.hash, r.body, given.record, given.attempts, r.name FROM given JOIN record r ON r.scope = given.scope AND r.seq = given.record
ORDER BY given.since, given.record

-- name: fence_next
UPDATE meta SET value = (value::bigint + 1)::text WHERE name = 'fence' RETURNING value::bigint

-- name: work_held
-- Which of these records of a scope are under way, and under which fence.
SELECT r.name, w.record, w.fence FROM record r JOIN work w ON w.scope = r.scope AND w.record = r.seq
WHERE r.scope = $1 AND r.name = ANY ($2) AND w.state = 'processing'

-- name: work_end
UPDATE work SET
    state = given.state, due = NULL, failed_at = NULL, reason = given.reason, architecture = given.architecture, outcomes = given.outcomes
FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::bytea[], $5::bytea[], $6::bytea[])
    AS given (scope, record, state, reason, architecture, outcomes)
WHERE work.scope = given.scope AND work.record = given.record

-- name: work_fail
UPDATE work SET state = $3, due = $4, failed_at = $5, reason = $6 WHERE scope = $1 AND record = ANY ($2)

-- name: work_of
SELECT
    r.scope, r.name, w.state, w.reason, w.attempts, CASE w.state WHEN 'queued' THEN w.due END AS due, w.outcomes, w.architecture,
    ARRAY(SELECT kind FROM refusal f WHERE f.scope = w.scope AND f.record = w.record ORDER BY kind, reason) AS kinds,
    ARRAY(SELECT reason FROM refusal f WHERE f.scope = w.scope AND f.record = w.record ORDER BY kind, reason) AS reasons,
    ARRAY(SELECT count FROM refusal f WHERE f.scope = w.scope AND f.record = w.record ORDER BY kind, reason) AS counts
FROM record r LEFT JOIN work w ON w.scope = r.scope AND w.record = r.seq WHERE r.scope = ANY ($1) AND r.name = ANY ($2)

-- name: backlog
SELECT
    (SELECT count(*) FROM work WHERE turn IN (0, 1)) AS queued, (SELECT count(*) FROM work WHERE turn = 2) AS processing,
    (SELECT count(*) FROM work WHERE turn = 3) AS parked, (SELECT min(since) FROM work WHERE turn IN (0, 1, 2)) AS oldest,
    (SELECT reason FROM work WHERE failed_at IS NOT NULL ORDER BY failed_at DESC, scope DESC, record DESC LIMIT 1) AS last

-- name: work_drop
DELETE FROM work WHERE scope = $1 AND ($2::integer[] IS NULL OR record = ANY ($2))

-- name: sealed_add
INSERT INTO sealed (scope, record, token, kind, value)
SELECT * FROM unnest($1::bigint[], $2::integer[], $3::bytea[], $4::bytea[], $5::bytea[]) ON CONFLICT DO NOTHING

-- name: sealed_of
SELECT scope, token, kind, value FROM sealed WHERE scope = ANY ($1) AND token = ANY ($2) ORDER BY record

-- name: sealed_drop
DELETE FROM sealed WHERE scope = $1 AND ($2::integer[] IS NULL OR record = ANY ($2))

-- name: blob_add
INSERT INTO blob (scope, digest, media, data)
SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bytea[]) ON CONFLICT DO NOTHING

-- name: blob_use_add
INSERT INTO blob_use (scope, record, digest)
SELECT * FROM unnest($1::bigint[], $2::integer[], $3::bytea[]) ON CONFLICT DO NOTHING

-- name: blobs_of
SELECT scope, media, data FROM blob WHERE scope = ANY ($1) AND digest = $2

-- name: blob_uses_drop
DELETE FROM blob_use WHERE scope = $1 AND ($2::integer[] IS NULL OR record = ANY ($2))

-- name: blobs_unused_drop
DELETE FROM blob b WHERE scope = $1 AND NOT EXISTS (SELECT 1 FROM blob_use u WHERE u.scope = b.scope AND u.digest = b.digest)

-- name: blobs_after
SELECT scope, digest, data, EXISTS (SELECT 1 FROM blob_use u WHERE u.scope = b.scope AND u.digest = b.digest) AS used
FROM blob b WHERE (scope, digest) > ($1, $2) ORDER BY scope, digest LIMIT $3

-- name: architecture_lock
LOCK TABLE architecture IN SHARE ROW EXCLUSIVE MODE

-- name: architecture_add
INSERT INTO architecture (client, agent, version, at, note, by, text)
SELECT $1, $2, coalesce(max(version), 0) + 1, $3, $4, $5, $6 FROM architecture WHERE client = $1 AND agent = $2
RETURNING version

-- name: architectures_of
SELECT client, agent, version, text, at, note, by FROM architecture WHERE client = $1 AND agent = $2 ORDER BY version DESC

-- name: architectures_all
SELECT client, agent, version, text, at, note, by FROM architecture ORDER BY client, agent, version

-- name: architectures_drop
DELETE FROM architecture WHERE client = $1

-- name: access_key_add
INSERT INTO access_key (id, ceiling, permissions, digest, created_at, created_by, expires_at, revoked_at, revoked_by, note)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING

-- name: access_key_revoke
UPDATE access_key SET revoked_at = $2, revoked_by = $3 WHERE id = $1 AND revoked_at IS NULL

-- name: access_keys
SELECT id, ceiling, permissions, digest, created_at, created_by, expires_at, revoked_at, revoked_by, note FROM access_key
WHERE ($1::bytea IS NULL OR id = $1) AND ($2::text IS NULL OR (ceiling >= $2 AND ceiling < $3))

-- name: access_keys_drop
DELETE FROM access_key WHERE ceiling >= $1 AND ceiling < $2

-- name: sharing_add
INSERT INTO sharing_change (scope, agent, kind, share, at, told_by, note, digest)
VALUES ($1, $2, $3, $4, $5, $6, $7, sha256(convert_to($1, 'UTF8') || '|' || $2 || '|' || $3 || '|' || convert_to($4, 'UTF8') || '|'
    || convert_to($5::bigint::text, 'UTF8') || '|' || $6 || '|' || $7)) ON CONFLICT DO NOTHING

-- name: sharing
SELECT scope, agent, kind, share, at, told_by, note FROM sharing_change
WHERE $1::text IS NULL OR (scope >= $1 AND scope < $2) ORDER BY at, id

-- name: sharing_drop
DELETE FROM sharing_change WHERE scope >= $1 AND scope < $2

-- name: feedback_add
INSERT INTO feedback AS kept (scope, record, used, ignored, corrected, at, told_by) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (scope, record) DO UPDATE SET used = kept.used + excluded.used, ignored = kept.ignored + excluded.ignored,
    corrected = kept.corrected + excluded.corrected,
    told_by = CASE WHEN excluded.at >= kept.at THEN excluded.told_by ELSE kept.told_by END, at = greatest(kept.at, excluded.at)

-- name: feedback
SELECT scope, record, used, ignored, corrected, at, told_by FROM feedback
WHERE $1::text IS NULL OR (scope >= $1 AND scope < $2)

-- name: feedback_on
SELECT scope, record, used, ignored, corrected, at, told_by FROM feedback WHERE scope = $1 AND record = ANY ($2::bytea[])

-- name: feedback_drop
DELETE FROM feedback WHERE scope >= $1 AND scope < $2 AND ($3::bytea[] IS NULL OR record = ANY ($3))
