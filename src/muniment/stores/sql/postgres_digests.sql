-- name: digest_add
-- Under the lock of its scope.
INSERT INTO digest (scope, conversation, agent, first, version, hash, body) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id

-- name: digest_last
SELECT max(version) FROM digest WHERE scope = $1 AND conversation = $2 AND agent = $3 AND first = $4

-- name: digest_records_add
INSERT INTO digest_record (scope, record, digest) SELECT $1, unnest($2::integer[]), $3

-- name: digests_of
SELECT version, hash, body FROM digest d
WHERE scope = $1 AND conversation = $2 AND agent = $3 AND ($4::boolean OR version = (
    SELECT max(version) FROM digest n
    WHERE n.scope = d.scope AND n.conversation = d.conversation AND n.agent = d.agent AND n.first = d.first
)) ORDER BY first DESC, version DESC LIMIT $5

-- name: digests_drop
-- Of some records, or all of the scope. The rows that name its records go with each.
DELETE FROM digest WHERE scope = $1 AND ($2::integer[] IS NULL OR id IN (
    SELECT digest FROM digest_record WHERE scope = $1 AND record = ANY ($2)
))

-- name: digests_after
SELECT d.scope, d.id, (SELECT count(*) FROM digest_record r WHERE r.scope = d.scope AND r.digest = d.id) AS linked,
    d.conversation, d.version, d.hash, d.body, s.path
FROM digest d JOIN scope s ON s.no = d.scope WHERE (d.scope, d.id) > ($1, $2) ORDER BY d.scope, d.id LIMIT $3
