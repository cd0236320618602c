"""The keys that tool results use: which name a thing or a person, which fill a slot, and which say nothing worth keeping.

Rule of this file: words only, in snake case and lower case; what is done with them stands in rules_results.
"""

# ruff: noqa: SIM905  # lists of words read best as words

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

NAME_KEYS: Final = ("full_name", "fullname", "customer_name", "user_name", "display_name", "name")
FIRST_NAME, LAST_NAME = ("first_name", "firstname", "given_name"), ("last_name", "lastname", "family_name", "surname")
PERSON_IDS: Final = frozenset(
    "email email_address e_mail username login user_id customer_id member_id patient_id employee_id contact_id account_id".split()
)
"""Keys whose value names a person or their account."""
PERSONS: Final = frozenset(
    "user customer person profile contact member patient employee passenger traveler client owner requester caller guest".split()
)
"""Keys of objects that are persons."""

SLOTS: Final[Mapping[str, str]] = {
    "plan": "plan", "plan_name": "plan", "tier": "plan", "subscription_plan": "plan", "current_plan": "plan",
    "subscription_status": "subscription_status", "status": "status", "state_name": "status",
}  # fmt: skip
"""Slots that anything may fill."""
PERSON_SLOTS: Final[Mapping[str, str]] = {
    "email": "email", "email_address": "email", "e_mail": "email", "phone": "phone", "phone_number": "phone", "mobile": "phone",
    "city": "lives_in", "company": "works_at", "employer": "works_at", "organization": "works_at", "organisation": "works_at",
    "job": "job", "job_title": "job", "occupation": "job", "age": "age", "birthday": "birthday", "date_of_birth": "birthday",
    "dob": "birthday", "birth_date": "birthday", "language": "language", "preferred_language": "language", "timezone": "timezone",
    "time_zone": "timezone", "diet": "diet", "relationship": "relationship", "name": "name", "full_name": "name",
}  # fmt: skip
"""Slots that only persons fill."""

EMPTY_KEYS: Final = frozenset(
    "id uuid guid key hash sha sha1 sha256 md5 etag checksum signature digest token secret session cursor url uri href link html"
    " css image img avatar icon thumbnail logo lat lon lng latitude longitude version revision page per_page limit offset total"
    " count size bytes index seq sku timestamp time created updated modified at ts ok success error errors code http latency ms"
    " object first_name last_name firstname lastname given_name family_name surname middle_name".split()
)
"""Last words of keys whose value is for machines."""
EMPTY_VALUES: Final = frozenset(
    [
        "",
        "0",
        "-",
        "--",
        "?",
        "n/a",
        "na",
        "nil",
        "none",
        "null",
        "undefined",
        "unknown",
        "not set",
        "not available",
        "tbd",
        "true",
        "false",
    ]
)
