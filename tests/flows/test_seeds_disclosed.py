"""Skills from a folder to a prompt: cards in front stay byte-identical, and a question brings in the skill it needs."""

from __future__ import annotations

import pytest

from muniment import Band, Registry, compile  # noqa: A004  # the glossary's verb
from muniment.compile.gate import Gate
from muniment.compile.scorers import Lexical
from muniment.registry.seeds import Library, disclose
from muniment.seedfiles import read_seed_files
from muniment.testing import CountingTokens
from muniment.types import Fate

SKILLS = {
    "pdf": ("Fill in PDF forms.", "Open the form, list its fields, and fill in each field."),
    "brewing": ("Brew coffee and tea.", "Heat water below boiling, then pour it slowly over the coffee."),
    "sailing": ("Sail small boats.", "Hoist the mainsail first when the harbour lies to leeward."),
}


@pytest.fixture
def registry(tmp_path):
    for name, (about, steps) in SKILLS.items():
        (tmp_path / name / "references").mkdir(parents=True)
        (tmp_path / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: {about}\n---\n{steps}\n", encoding="utf-8")
        (tmp_path / name / "references" / "more.md").write_text(f"More about {name}: {steps}", encoding="utf-8")
    (tmp_path / "AGENTS.md").write_text("# House\n\nBe brief.\n", encoding="utf-8")
    library = Library.read(read_seed_files([tmp_path]))
    registry = Registry()
    registry.load(disclose(library, tokens=CountingTokens().count))
    return registry


def made(registry, task, budget=500):
    return compile(registry, budget=budget, tokens=CountingTokens(), task=task, gate=Gate(Lexical(), top=2))


def front(compilation):
    return [block.text for block in compilation.blocks if block.band < Band.VOLATILE]


def test_the_front_is_the_same_for_every_question_and_the_skill_follows_it(registry):
    coffee, sails = made(registry, "how do I pour coffee?"), made(registry, "when do I hoist the mainsail?")
    assert front(coffee) == front(sails)
    assert [block.name for block in coffee.blocks if block.band < Band.VOLATILE] == [
        "AGENTS",
        "brewing.card",
        "pdf.card",
        "sailing.card",
    ]
    assert {block.name for block in coffee.blocks if block.band is Band.VOLATILE} == {"brewing", "brewing/references/more.md"}
    assert {block.name for block in sails.blocks if block.band is Band.VOLATILE} == {"sailing", "sailing/references/more.md"}
    same = len("\n\n".join(front(coffee)))
    assert coffee.text[:same] == sails.text[:same]


def test_a_file_never_comes_without_its_skill(registry):
    body = registry.named("brewing")[0]
    tight = made(registry, "how do I pour coffee?", budget=sum(len(text.split()) for text in front(made(registry, "coffee"))) + 9)
    fates = {row.name: row.fate for row in tight.receipt}
    assert fates[body.name] is not Fate.INCLUDED
    assert fates["brewing/references/more.md"] is not Fate.INCLUDED
    assert fates["brewing.card"] is Fate.INCLUDED
