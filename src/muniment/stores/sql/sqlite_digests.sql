-- name: digest_last
SELECT max(version) FROM digest WHERE scope = ? AND conversation = ? AND agent = ? AND first = ?

-- name: digest_add
INSERT INTO digest (scope, conversation, agent, first, version, records, hash, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)

-- name: digests_of
SELECT version, hash, CAST(body AS BLOB) FROM digest d
WHERE scope = ?1 AND conversation = ?2 AND agent = ?3 AND (?4 OR version = (
    SELECT max(version) FROM digest n
    WHERE n.scope = d.scope AND n.conversation = d.conversation AND n.agent = d.agent AND n.first = d.first
)) ORDER BY first DESC, version DESC LIMIT ?5

-- name: digests_of_records_drop
-- ?2 are numbers of records as JSON.
DELETE FROM digest WHERE scope = ?1 AND EXISTS (
    SELECT 1 FROM json_each(records) r WHERE r.value IN (SELECT value FROM json_each(?2))
)

-- name: digests_drop
DELETE FROM digest WHERE scope = ?

-- name: digests_after
SELECT d.id, d.conversation, d.agent, d.first, d.records, d.scope, d.version, d.hash, CAST(d.body AS BLOB),
    s.client, s.customer, s.user
FROM digest d JOIN scope s ON s.no = d.scope WHERE d.id > ? ORDER BY d.id LIMIT ?
