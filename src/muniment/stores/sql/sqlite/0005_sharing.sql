-- How far customers let kinds of memories go up: every change, by whom and when. A rung that is not given is ''.
CREATE TABLE sharing_change (
    id INTEGER PRIMARY KEY,
    client TEXT NOT NULL,
    customer TEXT NOT NULL,
    user TEXT NOT NULL,
    agent TEXT NOT NULL,
    kind TEXT NOT NULL,
    share TEXT NOT NULL,
    at INTEGER NOT NULL, -- microseconds since 1970, UTC
    told_by TEXT NOT NULL,
    note TEXT NOT NULL,
    UNIQUE (client, customer, user, at, agent, kind, share, told_by, note)
) STRICT;
