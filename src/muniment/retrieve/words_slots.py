"""Words by which questions ask for a slot of somebody's. Each attribute goes by its own name as well.

Rule of this file: words only.
"""

from __future__ import annotations

ASKED_BY: dict[str, str] = {
    "plan": "plan subscription tier package",
    "subscription_status": "subscription status account active cancelled",
    "lives_in": "live living lives reside home city town country based located moved move",
    "address": "address street",
    "works_at": "work working works employer company job workplace employed",
    "job": "job work role position title profession occupation career living",
    "employer_role": "role position title",
    "studies_at": "study studies school university college",
    "name": "name called",
    "birthday": "birthday born birth",
    "age": "age old",
    "email": "email mail address",
    "phone": "phone number telephone mobile",
    "diet": "diet eat vegetarian vegan food",
    "language": "language speak languages",
    "speaks": "language speak languages",
    "timezone": "timezone zone",
    "relationship": "relationship married single partner husband wife girlfriend boyfriend status",
    "status": "status state",
    "has_pet": "pet pets dog cat",
    "has_child": "child children kid kids son daughter",
    "allergic_to": "allergy allergies allergic",
    "plays": "play plays instrument sport",
    "owns": "own owns car house",
    "member_of": "member club group team",
    "works_on": "project projects working",
    "uses": "use uses using tool stack",
}

OF_ITS_TIME = """now current currently present presently today still nowadays moment latest new first originally initially
beginning start before previous previously former formerly earlier once used back since when exact exactly"""
"""Words by which a question says of which time it asks, and that no answer need repeat."""
