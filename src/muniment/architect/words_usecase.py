"""Words that use cases are written with: headings of their parts, languages, and ways to ask for privacy.

Rule of this file: words only; rules_usecase.py and rules_wishes.py say what is done with them.
"""

from __future__ import annotations

from typing import Final

from muniment.text.languages import ENGLISH, FUNCTION_WORDS

HEADINGS: Final = {
    "objective": (
        "objective",
        "objectives",
        "goal",
        "goals",
        "purpose",
        "agent objective",
        "mission",
        "overview",
        "summary",
        "about",
    ),
    "users": ("users", "target users", "user", "audience", "customers", "who", "who uses it", "personas", "stakeholders"),
    "tasks": (
        "tasks",
        "task examples",
        "examples",
        "example tasks",
        "use cases",
        "jobs",
        "what it does",
        "capabilities",
        "features",
        "responsibilities",
        "in scope",
    ),
    "outside": (
        "out of scope",
        "not in scope",
        "outside",
        "non-goals",
        "non goals",
        "what it does not do",
        "what it must not do",
        "limits",
        "limitations",
        "exclusions",
        "excluded",
    ),
    "rules": (
        "rules",
        "guidelines",
        "behaviour",
        "behavior",
        "behavioural guidelines",
        "behavioral guidelines",
        "policy",
        "policies",
        "constraints",
        "privacy",
        "compliance",
        "memory",
        "retention",
        "tone",
    ),
}
"""Headings of the parts of a use case, in small letters."""

_EMPTY: Final = """
agent agents assistant assistants bot bots user users people person someone help helps helping assist assists ask asks asked need
needs want wants use uses used using remember remembers build builds building make makes work works working thing things over also
first new day days keep keeps know knows answer answers question questions get gets give gives like tell tells write writes run
runs before between after until while
"""
EMPTY: Final = frozenset(_EMPTY.split())
"""Words that say nothing about what an agent is for."""

NUMBERS: Final = {
    "a": "1",
    "an": "1",
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
    "twelve": "12",
    "eighteen": "18",
    "thirty": "30",
    "sixty": "60",
    "ninety": "90",
}
"""Numbers that lengths of time are told with."""

_PLAIN: Final = """
agent assistant bot system must should may shall need needs never always please automatically only longer no than never don t s
nobody one ever kept is be everywhere anywhere also again
"""
PLAIN: Final = FUNCTION_WORDS[ENGLISH] | frozenset(_PLAIN.split())
"""Words that name nothing a wish could be about."""

_GENERAL: Final = """
everything anything all nothing any every data information memory memories records content contents conversation conversations
history histories message messages chat chats transcripts what it them they thing things customer customers user users client
clients said told stored saved kept remembered personal else whatever
"""
GENERAL: Final = frozenset(_GENERAL.split())
"""Words for all that is remembered."""

REMEMBERED: Final = frozenset("everything all data information memory memories records history histories transcripts".split())  # noqa: SIM905  # a list of words reads best unbroken
"""Those of them that stand for nothing else."""

LANGUAGES: Final = {
    "arabic": "ar",
    "bengali": "bn",
    "bulgarian": "bg",
    "catalan": "ca",
    "chinese": "zh",
    "croatian": "hr",
    "czech": "cs",
    "danish": "da",
    "dutch": "nl",
    "english": "en",
    "estonian": "et",
    "finnish": "fi",
    "french": "fr",
    "german": "de",
    "greek": "el",
    "hebrew": "he",
    "hindi": "hi",
    "hungarian": "hu",
    "indonesian": "id",
    "italian": "it",
    "japanese": "ja",
    "korean": "ko",
    "latvian": "lv",
    "lithuanian": "lt",
    "norwegian": "no",
    "persian": "fa",
    "polish": "pl",
    "portuguese": "pt",
    "romanian": "ro",
    "russian": "ru",
    "serbian": "sr",
    "slovak": "sk",
    "slovenian": "sl",
    "spanish": "es",
    "swedish": "sv",
    "thai": "th",
    "turkish": "tr",
    "ukrainian": "uk",
    "urdu": "ur",
    "vietnamese": "vi",
}
"""Languages by their English names."""

PERSONAL: Final = {
    "secret": ("password", "passwords", "secret", "secrets", "credentials", "api key", "api keys", "tokens"),
    "card": (
        "card number",
        "card numbers",
        "credit card",
        "credit cards",
        "card data",
        "payment card",
        "payment cards",
        "card details",
    ),
    "iban": ("iban", "ibans", "account number", "account numbers", "bank details", "bank account", "bank accounts"),
    "national_id": (
        "passport number",
        "passport numbers",
        "social security",
        "national id",
        "national ids",
        "tax number",
        "tax numbers",
    ),
    "email": ("e-mail", "email", "e-mails", "emails", "e-mail addresses", "email addresses", "contact details"),
    "phone": ("phone", "phone number", "phone numbers", "telephone numbers", "contact details"),
    "ip": ("ip address", "ip addresses"),
    "birth_date": ("birth date", "birth dates", "date of birth", "dates of birth", "birthdays"),
    "address": ("home address", "postal address", "postal addresses", "street addresses", "addresses", "contact details"),
}
"""Ways to name a kind of personal data."""
