"""The names of months in German, French, Spanish, Portuguese and Italian, for dates told with a day.

Rule of this file: names alone, in small letters, with and without their marks; those that are spelled as in English are left out.
"""

from __future__ import annotations

_NAMES = (
    "januar jänner janvier enero janeiro gennaio",
    "februar feber février fevrier febrero fevereiro febbraio",
    "märz maerz mars marzo março marco",
    "avril abril aprile",
    "mai mayo maio maggio",
    "juni juin junio junho giugno",
    "juli juillet julio julho luglio",
    "août aout agosto",
    "septembre septiembre setiembre setembro settembre",
    "oktober octobre octubre outubro ottobre",
    "novembre noviembre novembro",
    "dezember décembre decembre diciembre dezembro dicembre",
)
MONTHS_ABROAD = {name: n for n, names in enumerate(_NAMES, 1) for name in names.split()}
"""Each name with the number of its month."""
