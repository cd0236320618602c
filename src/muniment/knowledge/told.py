"""What a person states beside the words of a statement: whom it is about, and what fills which slot.

Rule of this file: values only, so that who states and who cleans and keeps mean the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What is stated beside the words of a statement, as text. Empty parts are not told."""

    subject: str = ""
    attribute: str = ""
    value: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
