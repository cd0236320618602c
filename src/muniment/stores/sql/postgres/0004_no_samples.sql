-- The planner's statistics would keep samples of words, such as names and subjects, after they are erased. Each lookup by words goes
-- through a scope's own index, which is taken without them.
DO $$
DECLARE
    words record;
BEGIN
    FOR words IN
        SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = 'muniment'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
            AND (a.atttypid = 'bytea'::regtype OR (c.relname, a.attname) IN (('scope', 'path'), ('access_key', 'ceiling'), ('sharing_change', 'scope')))
    LOOP
        EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET STATISTICS 0', words.relname, words.attname);
    END LOOP;
END
$$;
-- What belongs to a scope by its path stands behind the wall too.
ALTER TABLE access_key ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY reach ON access_key USING (
    ceiling = ANY (string_to_array(current_setting('muniment.scopes', true), E'\n'))
    OR (ceiling >= nullif(current_setting('muniment.below', true), '') AND ceiling < left(current_setting('muniment.below', true), -1) || '0')
    OR current_setting('muniment.below', true) = '*'
);
ALTER TABLE sharing_change ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY reach ON sharing_change USING (
    scope = ANY (string_to_array(current_setting('muniment.scopes', true), E'\n'))
    OR (scope >= nullif(current_setting('muniment.below', true), '') AND scope < left(current_setting('muniment.below', true), -1) || '0')
    OR current_setting('muniment.below', true) = '*'
);
