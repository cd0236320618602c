"""Progressive disclosure: cards in front that never change, texts and files behind the gate; and block files written back."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import SeedError
from muniment.registry import Registry
from muniment.registry.seeds import Resource, Seed, SeedFile, disclose, parse, render, tool
from muniment.types import Band, Trust

SKILLS = Path(os.environ.get("MUNIMENT_DATA", "/nowhere")) / "skills"
HEAD = """---
name: pdf
description: Fill PDF forms. Use it for every form, and for nothing else.
priority: 0.7
tags: office
---
"""
FILES = (
    Resource(path="LICENSE.txt", size=9, text="Licence."),
    Resource(path="assets/logo.png", size=500),
    Resource(path="references/forms.md", size=12, text="\nAll forms.\n"),
    Resource(path="scripts/empty.py", size=0, text=""),
)


def skill(trust=Trust.TRUSTED):
    return parse(SeedFile("skills/pdf/SKILL.md", HEAD + "# PDF\n\nSteps.", trust=trust, resources=FILES))


def test_a_skill_becomes_a_card_a_body_and_its_text_files():
    card, body, forms = disclose(skill())
    assert (card.key, card.band, card.gated, card.priority, card.tags) == ("pdf.pdf.card", Band.STABLE, False, 0.7, ("office",))
    assert card.text.splitlines() == [
        "Skill pdf (13 characters): Fill PDF forms. Use it for every form, and for nothing else.",
        "Files: references/forms.md (12).",
    ]
    assert card.short == "Skill pdf: Fill PDF forms. Use it for every form, and for nothing else."
    assert (body.name, body.text, body.band, body.gated) == ("pdf", "# PDF\n\nSteps.", Band.VOLATILE, True)
    assert body.description.startswith("Fill PDF forms.")
    assert (forms.name, forms.text, forms.band, forms.gated) == ("pdf/references/forms.md", "All forms.", Band.VOLATILE, True)
    assert (forms.requires, forms.description) == (("pdf",), "references/forms.md of the skill pdf")
    assert (forms.path, forms.line) == ("skills/pdf/references/forms.md", 1)


def test_sizes_are_tokens_where_a_counter_is_given():
    card = disclose(skill(), tokens=lambda text: len(text.split()))[0]
    assert "Skill pdf (3 tokens)" in card.text
    assert "references/forms.md (2)" in card.text


def test_a_card_names_few_files_and_sums_up_the_rest():
    many = tuple(Resource(path=f"r/{n:02}.md", size=3, text="abc") for n in range(20))
    card = disclose([replace(skill()[0], resources=many)])[0]
    assert card.text.endswith("r/05.md (3), 14 more (42).")


def test_the_short_form_is_whole_sentences_or_whole_words():
    assert disclose([replace(skill()[0], description="One two three four five six seven eight. " * 9)])[0].short.endswith(
        "eight."
    )
    assert disclose([replace(skill()[0], description="word " * 60)])[0].short.endswith(" word…")


def test_an_untrusted_skill_is_never_in_front():
    assert [(seed.band, seed.trust) for seed in disclose(skill(Trust.UNTRUSTED))] == [
        (Band.SESSION, Trust.UNTRUSTED),
        (Band.VOLATILE, Trust.UNTRUSTED),
        (Band.VOLATILE, Trust.UNTRUSTED),
    ]


def test_what_is_no_skill_stays_as_it_is():
    seeds = (*parse(SeedFile("rules.md", "Be brief.")), *parse(SeedFile("SKILL.md", "no head")))
    assert disclose(seeds) == seeds


def test_a_disclosed_skill_loads_in_an_order_in_which_files_follow_their_body():
    registry = Registry()
    registry.load(disclose(skill()))
    assert [block.name for block in registry.blocks] == ["pdf.card", "pdf", "pdf/references/forms.md"]


@pytest.mark.data
@pytest.mark.skipif(not SKILLS.is_dir(), reason="MUNIMENT_DATA does not name a folder with skills")
def test_public_skills_are_read_unchanged_and_written_back():
    paths = sorted(SKILLS.glob("*/SKILL.md"))
    assert len(paths) == 12
    for path in paths:
        text = path.read_text(encoding="utf-8")
        body = text.split("\n---\n", 1)[1]
        (seed,) = parse(SeedFile(f"skills/{path.parent.name}/SKILL.md", text))
        assert seed.text == body.strip("\n")
        assert seed.name == path.parent.name
        assert {notice.code for notice in seed.warnings} <= {"skill_description", "skill_length"}
        assert [again.text for again in parse(SeedFile("a.md", render([seed])))] == [seed.text]
        split = parse(SeedFile("AGENTS.md", body))
        assert "".join("".join(part.text for part in split).split()) == "".join(body.split())


def said(seed):
    return (seed.name, seed.text, seed.description, seed.short, seed.priority, seed.tags, seed.band, seed.requires)


def again(seeds):
    return parse(SeedFile("again.md", render(seeds)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain",
        "above\n\n---\n\nbelow",
        "---\nname: b\n---\nexample",
        "```\nnever closed",
        "<!-- never closed\n---\n",
        "\n\nblank lines around\n\n",
        "  \n",
        "---",
        "---\nname: [\n---",
        "windows\r\nends\r\n",
        "\ufeffmark",
        "a\u2028b\x0cc\x85d\re",
    ],
)
def test_a_block_file_reads_back_as_the_same_seeds(text):
    seeds = [Seed(name="a", text=text), Seed(name="z", text="last")]
    assert [said(seed) for seed in again(seeds)] == [said(seed) for seed in seeds]
    assert render(again(seeds)) == render(seeds)


def test_what_a_markdown_file_cannot_say_is_refused():
    for seed in (Seed(name="a", text="", tool=tool({"name": "a", "parameters": {}})), Seed(name="a", text="", band=Band.PINNED)):
        with pytest.raises(SeedError) as caught:
            render([seed])
        assert caught.value.reason == "not_markdown"


def test_an_untrusted_seed_is_written_without_rank():
    written = render([Seed(name="a", text="x", priority=0.5, band=Band.SESSION, trust=Trust.UNTRUSTED, tags=("t",))])
    assert written == '---\nname: "a"\ntags: ["t"]\n---\nx\n'


line = st.sampled_from(
    ["---", "name: x", "text", "", "```", "~~~", "<!--", "-->", "# A", "    ---", "--- ", "\ttab", "é\r", " \u2028", "lines: 2"]
)
bodies = st.lists(line, max_size=10).map("\n".join) | st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=30
)
word = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp", "Zs")), min_size=1, max_size=8)
prose = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=30).map(str.strip)
seeds_to_write = st.builds(
    Seed,
    name=word,
    text=bodies,
    description=prose,
    short=prose,
    priority=st.floats(0, 1).map(abs),
    tags=st.lists(word, max_size=3, unique=True).map(tuple),
    requires=st.lists(word, max_size=2, unique=True).map(tuple),
    band=st.sampled_from([Band.STABLE, Band.SESSION, Band.VOLATILE]),
)


@given(st.lists(seeds_to_write, min_size=1, max_size=5, unique_by=lambda seed: seed.name.casefold()))
def test_whatever_is_written_is_read_back(seeds):
    assert [said(seed) for seed in again(seeds)] == [said(seed) for seed in seeds]
