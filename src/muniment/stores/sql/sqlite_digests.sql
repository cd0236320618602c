-- name: digest_last
SELECT max(version) FROM digest WHERE scope = ? AND conversation = ? AND agent = ? AND first = ?

-- name: digest_add
INSERT INTO digest (scope, conversation, agent, first, version, hash, body) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id

-- name: digest_record_add
INSERT INTO digest_record (record, digest) VALUES (?, ?)

-- name: digests_of
SELECT version, hash, CAST(body AS BLOB) FROM digest d
WHERE scope = ?1 AND conversation = ?2 AND agent = ?3 AND (?4 OR version = (
    SELECT max(version) FROM digest n
    WHERE n.scope = d.scope AND n.conversation = d.conversation AND n.agent = d.agent AND n.first = d.first
)) ORDER BY first DESC, version DESC LIMIT ?5

-- name: digests_of_record
SELECT digest FROM digest_record WHERE record = ?

-- name: digest_records_drop
DELETE FROM digest_record WHERE digest = ?

-- name: digest_drop
DELETE FROM digest WHERE id = ?

-- name: digests_of_scope
SELECT id FROM digest WHERE scope = ?

-- name: digests_after
SELECT d.id, (SELECT count(*) FROM digest_record r WHERE r.digest = d.id), d.conversation, d.version, d.hash, CAST(d.body AS BLOB),
    s.client, s.customer, s.user
FROM digest d JOIN scope s ON s.no = d.scope WHERE d.id > ? ORDER BY d.id LIMIT ?
