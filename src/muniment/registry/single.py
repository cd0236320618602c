"""What there is only once: rights and identities. Rule of this file: a copy is the thing itself; none leaves its process."""

from __future__ import annotations

from typing import NoReturn, Self

from muniment.errors import BlockError


class Single:
    """A base of what must not be doubled: a copy would have a quota of its own, or outlive what revokes it."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> NoReturn:
        raise BlockError(
            f"this {type(self).__name__} cannot be pickled: rights and secrets stay in their process.",
            code="not_allowed",
            hint="Keep a principal's secret and make it anew: Principal(secret=…); of blocks, keep snapshot().to_json(…).",
        )
