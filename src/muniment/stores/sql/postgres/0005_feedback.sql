-- What was told of recall, added up by scope and record. The scope is a path.
CREATE TABLE feedback (
    scope text COLLATE "C" NOT NULL,
    record bytea NOT NULL,
    used bigint NOT NULL,
    ignored bigint NOT NULL,
    corrected bigint NOT NULL,
    at bigint NOT NULL, -- microseconds since 1970, UTC
    told_by bytea NOT NULL,
    PRIMARY KEY (scope, record)
);
ALTER TABLE feedback ALTER COLUMN scope SET STATISTICS 0, ALTER COLUMN record SET STATISTICS 0, ALTER COLUMN told_by SET STATISTICS 0;
ALTER TABLE feedback ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY reach ON feedback USING (
    scope = ANY (string_to_array(current_setting('muniment.scopes', true), E'\n'))
    OR (scope >= nullif(current_setting('muniment.below', true), '') AND scope < left(current_setting('muniment.below', true), -1) || '0')
    OR current_setting('muniment.below', true) = '*'
);
