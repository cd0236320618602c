-- Digests of parts of conversations, every version, and the records each was made from: it goes with any of them.
CREATE TABLE digest (
    scope bigint NOT NULL REFERENCES scope (no),
    id bigint GENERATED ALWAYS AS IDENTITY,
    conversation bytea NOT NULL, -- what the name is found by
    agent bytea NOT NULL,
    first integer NOT NULL, -- number of the first record of the part
    version integer NOT NULL,
    hash bytea NOT NULL,
    body bytea NOT NULL, -- JSON: the conversation's name, and all else
    PRIMARY KEY (scope, id)
);
CREATE UNIQUE INDEX digest_part ON digest (scope, conversation, agent, first, version);
CREATE TABLE digest_record (
    scope bigint NOT NULL,
    record integer NOT NULL,
    digest bigint NOT NULL,
    PRIMARY KEY (scope, record, digest),
    FOREIGN KEY (scope, record) REFERENCES record (scope, seq),
    FOREIGN KEY (scope, digest) REFERENCES digest (scope, id) ON DELETE CASCADE
);
CREATE INDEX digest_record_digest ON digest_record (scope, digest);
ALTER TABLE digest ALTER COLUMN conversation SET STATISTICS 0, ALTER COLUMN agent SET STATISTICS 0,
    ALTER COLUMN hash SET STATISTICS 0, ALTER COLUMN body SET STATISTICS 0;
DO $$
DECLARE walled text;
BEGIN
    FOREACH walled IN ARRAY ARRAY['digest', 'digest_record'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', walled);
        EXECUTE format(
            'CREATE POLICY reach ON %I USING ('
            '(SELECT current_setting(''muniment.below'', true) = ''*'') OR scope IN (SELECT no FROM reached))', walled
        );
    END LOOP;
END
$$;
