-- Keys: what each lets its holder do. A rung that is not given is ''; without any the ceiling is the whole store.
CREATE TABLE access_key (
    id TEXT PRIMARY KEY,
    client TEXT NOT NULL,
    customer TEXT NOT NULL,
    user TEXT NOT NULL,
    permissions TEXT NOT NULL, -- names, with spaces between
    digest BLOB NOT NULL,
    created_at INTEGER, -- microseconds since 1970, UTC
    created_by TEXT NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    revoked_by TEXT NOT NULL,
    note TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX access_key_ceiling ON access_key (client, customer, user);
