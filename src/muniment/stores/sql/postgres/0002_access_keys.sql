-- Keys: what each lets its holder do. An empty ceiling is the whole store; else it is a path like that of a scope.
CREATE TABLE access_key (
    id bytea PRIMARY KEY,
    ceiling text COLLATE "C" NOT NULL,
    permissions text NOT NULL, -- names, with spaces between
    digest bytea NOT NULL,
    created_at bigint,
    created_by bytea NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    revoked_by bytea NOT NULL,
    note bytea NOT NULL
);
CREATE INDEX access_key_ceiling ON access_key (ceiling);
