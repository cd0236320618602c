-- A path to a conversation in its scope, which was found by reading through the scope before.

CREATE INDEX record_conversation ON record (scope, conversation);
