-- What the file store says to SQLite about keys, and about how far scopes share.

-- name: access_key_add
INSERT INTO access_key (
    id, client, customer, user, permissions, digest, created_at, created_by, expires_at, revoked_at, revoked_by, note
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING

-- name: access_key_revoke
UPDATE access_key SET revoked_at = ?2, revoked_by = ?3 WHERE id = ?1 AND revoked_at IS NULL

-- name: access_key_of
SELECT id, client, customer, user, permissions, digest, created_at, created_by, expires_at, revoked_at, revoked_by, note
FROM access_key WHERE id = ?

-- name: access_keys_below
-- Ceilings that start with these rungs; only rungs below the last one given are free.
SELECT id, client, customer, user, permissions, digest, created_at, created_by, expires_at, revoked_at, revoked_by, note
FROM access_key
WHERE client = ?1 AND ((?2 = '' AND ?3 = '') OR customer = ?2) AND (?3 = '' OR user = ?3)

-- name: access_keys_all
SELECT id, client, customer, user, permissions, digest, created_at, created_by, expires_at, revoked_at, revoked_by, note
FROM access_key

-- name: access_keys_drop
DELETE FROM access_key
WHERE client = ?1 AND ((?2 = '' AND ?3 = '') OR customer = ?2) AND (?3 = '' OR user = ?3)

-- name: sharing_add
INSERT INTO sharing_change (client, customer, user, agent, kind, share, at, told_by, note)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING

-- name: sharing_below
SELECT client, customer, user, agent, kind, share, at, told_by, note FROM sharing_change
WHERE client = ?1 AND ((?2 = '' AND ?3 = '') OR customer = ?2) AND (?3 = '' OR user = ?3) ORDER BY at, id

-- name: sharing_all
SELECT client, customer, user, agent, kind, share, at, told_by, note FROM sharing_change ORDER BY at, id

-- name: sharing_drop
DELETE FROM sharing_change
WHERE client = ?1 AND ((?2 = '' AND ?3 = '') OR customer = ?2) AND (?3 = '' OR user = ?3)

-- name: feedback_add
INSERT INTO feedback (client, customer, user, record, used, ignored, corrected, at, told_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET used = used + excluded.used, ignored = ignored + excluded.ignored,
    corrected = corrected + excluded.corrected, told_by = iif(excluded.at >= at, excluded.told_by, told_by),
    at = max(at, excluded.at)

-- name: feedback_below
SELECT client, customer, user, record, used, ignored, corrected, at, told_by FROM feedback
WHERE client = ?1 AND ((?2 = '' AND ?3 = '') OR customer = ?2) AND (?3 = '' OR user = ?3)
ORDER BY client, customer, user, record

-- name: feedback_all
SELECT client, customer, user, record, used, ignored, corrected, at, told_by FROM feedback ORDER BY client, customer, user, record

-- name: feedback_on
SELECT client, customer, user, record, used, ignored, corrected, at, told_by FROM feedback
WHERE client = ? AND customer = ? AND user = ? AND record IN (SELECT value FROM json_each(?)) ORDER BY record

-- name: feedback_drop
DELETE FROM feedback
WHERE client = ?1 AND ((?2 = '' AND ?3 = '') OR customer = ?2) AND (?3 = '' OR user = ?3)

-- name: feedback_of_drop
DELETE FROM feedback
WHERE record = ?4 AND client = ?1 AND ((?2 = '' AND ?3 = '') OR customer = ?2) AND (?3 = '' OR user = ?3)
