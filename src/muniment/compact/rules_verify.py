"""What became of each claim in a digest, and what the digest says that no record does.

Rule of this file: pure; never optional. Nothing is taken on trust: a line is read anew, whoever wrote it.
"""

from __future__ import annotations

from collections.abc import Sequence

from muniment.compact.rules_claims import Made
from muniment.compact.rules_compare import Fault, Source, faults, same
from muniment.compact.rules_stated import AtomKind, Clause
from muniment.knowledge.digests import CheckedClaim, ClaimFate, Invention, Verification

_Where = tuple[Clause, AtomKind | None]
_SAYS = 0.5
"""Share of a clause that a line must say to be what became of it."""


def verified(made: Sequence[Made], source: Sequence[Clause], lines: Sequence[Sequence[Clause]]) -> Verification:
    """Every claim with its fate in these lines, each given as what it states; `source` is what the records state."""
    held = Source(source)
    told: dict[Clause, int] = {}
    found: list[tuple[int, Fault]] = []
    for number, clauses in enumerate(lines):
        told |= dict.fromkeys(clauses, number)
        found += [(number, fault) for fault in faults(clauses, held)]
    inventions = tuple(Invention(line=number, text=f.clause.text, why=f.why) for number, f in found if f.kind == "invented")
    altered = {
        (f.source, f.atom.kind if f.atom else None): (number, f) for number, f in found if f.kind == "altered" and f.source
    }
    digest = Source([clause for clauses in lines for clause in clauses])
    checked = tuple(_checked(one, digest, told, altered) for one in made)
    whole = sum(one.claim.weight for one in checked)
    kept = sum(one.claim.weight for one in checked if one.fate is ClaimFate.KEPT)
    return Verification(claims=checked, inventions=inventions, score=kept / whole if whole else 1.0)


def _checked(made: Made, digest: Source, told: dict[Clause, int], altered: dict[_Where, tuple[int, Fault]]) -> CheckedClaim:
    near = digest.near(made.clause)
    for clause in near:
        if made.atom is None:
            keeps = clause.negations == made.clause.negations and made.clause.limits <= clause.limits
            keeps = keeps and digest.likeness(made.clause, clause) > _SAYS
        else:
            keeps = any(same(made.atom, atom) for atom in clause.atoms)
        if keeps:
            return CheckedClaim(claim=made.claim, fate=ClaimFate.KEPT, line=told[clause])
    fault = altered.get((made.clause, made.atom.kind if made.atom else None))
    if fault is not None:
        return CheckedClaim(claim=made.claim, fate=ClaimFate.ALTERED, line=fault[0], why=fault[1].why)
    return CheckedClaim(claim=made.claim, fate=ClaimFate.LOST)
