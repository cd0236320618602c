-- How far customers let kinds of memories go up: every change, by whom and when. The scope is a path.
CREATE TABLE sharing_change (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    scope text COLLATE "C" NOT NULL,
    agent bytea NOT NULL,
    kind bytea NOT NULL,
    share text NOT NULL,
    at bigint NOT NULL, -- microseconds since 1970, UTC
    told_by bytea NOT NULL,
    note bytea NOT NULL,
    digest bytea NOT NULL UNIQUE -- of all of it: an index entry has a limit
);
CREATE INDEX sharing_change_scope ON sharing_change (scope);
