-- name: digest_add
-- Under the lock of its scope.
INSERT INTO digest (scope, conversation, agent, first, version, records, hash, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)

-- name: digest_last
SELECT max(version) FROM digest WHERE scope = $1 AND conversation = $2 AND agent = $3 AND first = $4

-- name: digests_of
SELECT version, hash, body FROM digest d
WHERE scope = $1 AND conversation = $2 AND agent = $3 AND ($4::boolean OR version = (
    SELECT max(version) FROM digest n
    WHERE n.scope = d.scope AND n.conversation = d.conversation AND n.agent = d.agent AND n.first = d.first
)) ORDER BY first DESC, version DESC LIMIT $5

-- name: digests_drop
-- Of some records, or all of the scope.
DELETE FROM digest WHERE scope = $1 AND ($2::integer[] IS NULL OR records && $2)

-- name: digests_after
SELECT d.scope, d.conversation, d.agent, d.first, d.version, d.records, d.hash, d.body, s.path
FROM digest d JOIN scope s ON s.no = d.scope
WHERE (d.scope, d.conversation, d.agent, d.first, d.version) > ($1, $2, $3, $4, $5)
ORDER BY d.scope, d.conversation, d.agent, d.first, d.version LIMIT $6
