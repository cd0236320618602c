-- What was told of recall, added up by scope and record. A rung that is not given is ''.
CREATE TABLE feedback (
    client TEXT NOT NULL,
    customer TEXT NOT NULL,
    user TEXT NOT NULL,
    record TEXT NOT NULL,
    used INTEGER NOT NULL,
    ignored INTEGER NOT NULL,
    corrected INTEGER NOT NULL,
    at INTEGER NOT NULL, -- microseconds since 1970, UTC
    told_by TEXT NOT NULL,
    PRIMARY KEY (client, customer, user, record)
) STRICT, WITHOUT ROWID;
CREATE INDEX feedback_record ON feedback (record); -- erasing a record finds what was told of it, wherever below
