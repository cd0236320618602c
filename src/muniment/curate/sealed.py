"""What is kept apart from records: sealed values by their tokens, and the whole of what was too large by its digest.

Rule of this file: what one scope keeps is given to it and to those below it; to all others it is as if it had never been.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from muniment.curate.rules_asked import check_asked, check_ids, check_scope
from muniment.errors import NotFound, QueryError, shown
from muniment.knowledge.values import Blob, Sealed
from muniment.ports import Shelved
from muniment.types import Scope

MOST_TOKENS = 1000


@dataclass(frozen=True, slots=True)
class SealedValues:
    """The sealed values and blobs of one store (`engine.sealed`)."""

    store: Shelved

    async def reveal(self, scope: Scope, tokens: Sequence[str] | str) -> tuple[Sealed, ...]:
        """The values these tokens stand for in `scope` or its ancestors, in the order asked; others are left out, known or not.

        A token is given as it stands in the text, such as "[email:k3f9]". Raises QueryError for more than 1,000.
        """
        check_scope(scope)
        asked = (tokens,) if isinstance(tokens, str) else check_ids("tokens", tokens)
        if len(asked) > MOST_TOKENS:
            hint = f"Give up to {MOST_TOKENS} tokens as they stand in the text, for example '[email:k3f9]'."
            raise QueryError("these tokens cannot be asked for.", place="tokens", code="range", hint=hint)
        return tuple(await self.store.reveal(scope, asked))

    async def blob(self, scope: Scope, digest: str) -> Blob:
        """The bytes that a record of `scope` or its ancestors is an excerpt of (`record.metadata["blob"]`). Raises NotFound."""
        check_asked(scope, digest=digest)
        found = await self.store.blob(scope, digest)
        if found is None:
            hint = 'Look at the metadata "blob" of the record that is its excerpt.'
            raise NotFound(f"there is no blob {shown(digest)} in this scope.", hint=hint)
        return found
