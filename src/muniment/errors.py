"""The one error tree. Every message says what happened; every hint says what to do next.

MunimentError
├── InputError              the caller gave something that cannot be used; nothing was written
│   ├── ScopeError          a rung is missing or is not a usable id
│   ├── FormatError         a file or payload is none of the known formats, or is damaged
│   ├── QueryError          a query, limit, cursor or filter is out of range
│   ├── BudgetError         a token budget cannot be met
│   ├── BlockError          a registry call names an unknown block or breaks a rule of order or ownership
│   └── SeedError           a seed file cannot be read as blocks
├── AccessError             no key that holds, or a credential that does not allow this
├── ToolRefused             a model called a tool that was not offered to it
├── NotFound                no such thing in this scope (a foreign id is the same answer)
├── StoreError              the store cannot do it
│   ├── StoreUnusable       missing, unreadable, corrupt, from a newer version, or closed
│   ├── StoreReadOnly       the file or its disk refuses writes; reads go on
│   ├── StoreFull           the disk is full; nothing of this write was kept
│   ├── StoreBusy           another process held the store for longer than the wait
│   └── OutcomeUnknown      the disk failed during commit; ask again with the same key
└── ProviderError           something outside the store failed
    ├── EmbedderError       the embedder failed, or answered with unusable vectors
    ├── EmbedderMismatch    the store's vectors belong to another model
    └── MissingExtra        an optional part is not installed
"""

from __future__ import annotations

from typing import Final

MOST_SHOWN: Final = 80
"""Characters of the caller's input that a message repeats at most."""


def shown(value: object) -> str:
    """`value` as a message may repeat it: spelled out, and cut after `MOST_SHOWN` characters."""
    spelled = repr(value[: MOST_SHOWN + 1] if isinstance(value, str) else value)
    return spelled if len(spelled) <= MOST_SHOWN else f"{spelled[: MOST_SHOWN - 1]}…"


def install(extra: str) -> str:
    """The command that installs an extra, for a hint: from the registry, and in a clone."""
    return f"pip install 'muniment[{extra}]' (in a clone: pip install '.[{extra}]')"


class MunimentError(Exception):
    """Root of everything this package raises on purpose.

    `code` is stable and machine-readable: the one a docstring names, else that of the class. `place` names the offending
    field, line or file, and `hint` is the next step. `reason` is another name of `code`.
    """

    code: str = "error"

    def __init__(self, message: str, *, hint: str = "", place: str = "", code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.place = place
        self.code = self.reason = code or type(self).code

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        then = f" {self.hint}" if self.hint else ""
        return f"{where}{self.message}{then}"


class InputError(MunimentError):
    """The caller gave something that cannot be used; nothing was written."""

    code = "invalid_input"


class ScopeError(InputError):
    """A rung of the scope is missing, or is not a usable id."""

    code = "scope_invalid"


class FormatError(InputError):
    """A file or payload is none of the known formats, or is damaged."""

    code = "format_unknown"


class QueryError(InputError):
    """A query, limit, cursor or filter is out of range."""

    code = "query_invalid"


class BudgetError(InputError):
    """A token budget is out of range, or smaller than what must be in the prompt."""

    code = "budget_invalid"


class BlockError(InputError):
    """A registry call names an unknown block or breaks a rule of order or ownership."""

    code = "block_invalid"


class SeedError(InputError):
    """A seed file cannot be read as blocks; `place` is the file and line."""

    code = "seed_invalid"


class ToolRefused(MunimentError):
    """A model called a tool that its prompt did not offer. Nothing was run."""

    code = "unknown_tool"


class AccessError(MunimentError):
    """The credential does not allow this (`not_allowed`), or is of no key that holds (`key_refused`). Nothing was done."""

    code = "not_allowed"


class NotFound(MunimentError):
    """No such thing in this scope. A foreign id and an absent id get this same answer."""

    code = "not_found"

    @classmethod
    def record(cls, asked: object) -> NotFound:
        """For a record that is absent or foreign: the same words for both."""
        return cls(f"there is no record {shown(asked)} in this scope.", hint="Look at the ids that retrieve and list show.")


class StoreError(MunimentError):
    """The store cannot do what was asked."""

    code = "store_error"


class StoreUnusable(StoreError):
    """The store is missing, unreadable, corrupt, from a newer version, or closed."""

    code = "store_unusable"


class StoreReadOnly(StoreError):
    """The file or its disk refuses writes; reads go on."""

    code = "store_read_only"


class StoreFull(StoreError):
    """The disk is full; nothing of this write was kept."""

    code = "store_full"


class StoreBusy(StoreError):
    """Another process held the store for longer than the wait."""

    code = "store_busy"


class OutcomeUnknown(StoreError):
    """The disk failed during a commit: the write may or may not be there. Ask again with the same key or words."""

    code = "outcome_unknown"


class ProviderError(MunimentError):
    """Something outside the store failed."""

    code = "provider_error"


class EmbedderError(ProviderError):
    """The embedder failed, or answered with vectors that cannot be used."""

    code = "embedder_failed"


class EmbedderMismatch(ProviderError):
    """The store's vectors belong to another model than the one configured."""

    code = "embedder_mismatch"


class MissingExtra(ProviderError):
    """An optional part of Muniment is not installed."""

    code = "missing_extra"
