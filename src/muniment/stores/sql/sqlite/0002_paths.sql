-- Paths to what was found by reading through: a conversation in its scope, and scopes by customer or user alone.

CREATE INDEX record_conversation ON record (scope, conversation);
CREATE INDEX scope_customer ON scope (customer);
CREATE INDEX scope_user ON scope (user);
