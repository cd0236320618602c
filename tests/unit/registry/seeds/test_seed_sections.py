"""CLAUDE.md and AGENTS.md by their headings, and SKILL.md as it is specified: nothing lost, nothing split that is code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import SeedError
from muniment.registry.seeds import SeedFile, parse
from muniment.types import Trust


def read(text, path="AGENTS.md", **how):
    return parse(SeedFile(path, text, **how))


def texts(text, path="AGENTS.md", **how):
    return {seed.name: seed.text for seed in read(text, path, **how)}


def codes(seed):
    return [notice.code for notice in seed.warnings]


PAGE = """# Harbour

Text above the first section.

## Build & test

make

### Slow tests ##

make slow

## Build & test
again
"""


def test_headings_begin_blocks_and_the_text_before_them_is_one_too():
    assert texts(PAGE) == {
        "AGENTS": "# Harbour\n\nText above the first section.",
        "build_test": "## Build & test\n\nmake",
        "slow_tests": "### Slow tests ##\n\nmake slow",
        "build_test_2": "## Build & test\nagain",
    }
    assert [(seed.key, seed.line, seed.priority) for seed in read(PAGE)][:2] == [
        ("AGENTS.AGENTS", 1, 0.9),
        ("AGENTS.build_test", 5, 0.9),
    ]


@pytest.mark.parametrize("path", ["CLAUDE.md", "claude.md", "a/b/AGENTS.md", "CLAUDE.local.md", "AGENTS.override.MD"])
def test_context_files_are_known_by_name_in_any_case(path):
    assert len(read(PAGE, path)) == 4
    assert len(read(PAGE, path, split=False)) == 1


def test_other_files_are_split_when_the_loader_asks():
    assert len(read(PAGE, "notes.md")) == 1
    assert list(texts(PAGE, "notes.md", split=True)) == ["notes", "build_test", "slow_tests", "build_test_2"]


def test_several_level_1_headings_are_sections():
    assert list(texts("# One\na\n# Two\nb\n")) == ["one", "two"]
    assert list(texts("## Early\na\n# Late\nb\n")) == ["early", "late"]
    assert list(texts("# Only a title\n")) == ["AGENTS"]


@pytest.mark.parametrize(
    "hidden",
    [
        "```\n## no\n```",
        "~~~~\n## no\n~~~\n## no\n~~~~",
        "```md\n~~~\n## no\n~~~\n```",
        "  ```\n  ## no\n  ```",
        "- item\n   ```\n## no\n     ```",
        "```\n## no\n``` no end\n```",
        "<!--\n## no\n-->",
        "<!-- ## no -->",
        "<PRE>\n## no\n</PRE>",
        "    ## no",
        "#no",
        "####### no",
        "> ## no",
        "- ## no",
        "\\## no",
        "two lines\nof text\n---",
        "- item\n---",
        "> quote\n---",
        "***\n---",
        "\n---",
        "| a |\n---",
        "text\n-",
        "text ## no",
        "```inline``` code",
        "<script>let a = `\n## no\n`</script>",
    ],
)
def test_what_is_no_heading_is_not_split(hidden):
    assert texts(f"## One\n\n{hidden}\n\n## Two\n\nx") == {"one": f"## One\n\n{hidden}", "two": "## Two\n\nx"}


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("## Two words", "two_words"),
        ("##\tTab", "tab"),
        ("   ### Indented", "indented"),
        ("## `code` & **bold**, _soft_", "code_bold_soft"),
        ("## [Link](http://example.org/a_b) here", "link_here"),
        ("## Größe der Häuser", "größe_der_häuser"),
        ("## हिन्दी", "हिन्दी"),
        ("## 2. Second", "2_second"),
        ("## ⚠️", "section"),
        ("##", "section"),
        ("## [optional] thing [a=b]", "optional_thing_a_b"),
        ("Underlined\n---", "underlined"),
        ("**Bold** one\n ===  ", "bold_one"),
        ("## " + "long " * 50, "long_long_long_long_long_long_long_long_long_long_long_long"),
    ],
)
def test_a_heading_names_its_block(heading, name):
    assert list(texts(f"## First\n\n{heading}\n\ntext\n")) == ["first", name]


def test_hints_behind_a_heading_are_read_and_taken_out():
    first, second = read("## Build  [priority=0.7 tags=ci,fast] ##\nmake\n\nTests [tags=ci]\n-----\nrun\n")
    assert (first.name, first.priority, first.tags, first.text) == ("build", 0.7, ("ci", "fast"), "## Build ##\nmake")
    assert (second.name, second.priority, second.tags, second.text) == ("tests", 0.9, ("ci",), "Tests\n-----\nrun")


@pytest.mark.parametrize(
    "hint", ["priority=2", "priority=", "priority=high", "priority=0.5 x", "tags=,", "priority=1 priority=0"]
)
def test_a_hint_that_cannot_be_read_stays_in_its_heading_and_is_told(hint):
    (seed,) = read(f"# T\n\n## A [{hint}]\n")[1:]
    assert (seed.text, seed.priority, seed.tags) == (f"## A [{hint}]", 0.9, ())
    assert [(notice.code, notice.line) for notice in seed.warnings] == [("hint_invalid", 3)]


def test_hints_of_an_untrusted_file_do_not_rank():
    (seed,) = read("## A [priority=1 tags=x]\n", trust=Trust.UNTRUSTED)
    assert (seed.priority, seed.tags, codes(seed)) == (0.5, ("x",), ["untrusted_rank"])


def test_a_page_of_too_many_headings_is_refused():
    with pytest.raises(SeedError) as caught:
        read("# a\n" * 10_001)
    assert caught.value.reason == "too_many_blocks"


def test_numbers_behind_names_never_meet_a_heading_of_that_name():
    assert list(texts("## A\n## A 2\n## A\n## A 2\n## a\n")) == ["a", "a_2", "a_3", "a_2_2", "a_4"]


def test_a_context_file_may_begin_with_a_rule_or_with_keys():
    assert texts("---\n\nprose: not yaml: at all\n\n---\n\n## A\nx") == {
        "AGENTS": "---\n\nprose: not yaml: at all\n\n---",
        "a": "## A\nx",
    }
    assert texts("---\nno end\n") == {"AGENTS": "---\nno end"}
    told = read("---\nname: no end\n")[0]
    assert codes(told) == ["unread_head"]
    keyed = read("---\ndescription: d\ntags: t\npriority: 0.2\n---\nabove\n## A [priority=1]\nx\n")
    assert [(seed.name, seed.description, seed.tags, seed.priority) for seed in keyed] == [
        ("AGENTS", "d", ("t",), 0.2),
        ("a", "d", ("t",), 1.0),
    ]


def test_a_context_file_with_a_hostile_head_is_refused_like_any_other():
    with pytest.raises(SeedError) as caught:
        read("---\na: &x [1]\nb: *x\n---\n")
    assert caught.value.reason == "yaml_feature"


SKILL = "---\nname: {name}\ndescription: {about}\n---\n{body}"


def test_a_sound_skill_has_nothing_to_be_told():
    (seed,) = read(
        SKILL.format(name="pdf-forms", about="Fill forms.", body="# PDF\n\n## Steps\n\n---\n\nx"), "skills/pdf-forms/SKILL.md"
    )
    assert (seed.key, seed.text, seed.priority, seed.warnings) == (
        "pdf-forms.pdf-forms",
        "# PDF\n\n## Steps\n\n---\n\nx",
        0.9,
        (),
    )
    assert seed.is_skill


@pytest.mark.parametrize(
    ("path", "name", "about", "body", "code"),
    [
        ("x/SKILL.md", "Pdf", "d", "", ["skill_name", "skill_folder"]),
        ("a--b/SKILL.md", "a--b", "d", "", ["skill_name"]),
        ("-a/SKILL.md", "-a", "d", "", ["skill_name"]),
        (f"{'a' * 65}/SKILL.md", "a" * 65, "d", "", ["skill_name"]),
        ("x/SKILL.md", "y", "d", "", ["skill_folder"]),
        ("x/SKILL.md", "x", "", "", ["skill_description"]),
        ("x/SKILL.md", "x", "d" * 1025, "", ["skill_description"]),
        ("x/SKILL.md", "x", "d\ncompatibility: " + "c" * 501, "", ["skill_compatibility"]),
        ("x/SKILL.md", "x", "d", "l\n" * 501, ["skill_length"]),
        ("SKILL.md", "x", "d", "", []),
        ("./SKILL.md", "x", "d", "", []),
    ],
)
def test_what_breaks_the_specification_is_told_and_read_all_the_same(path, name, about, body, code):
    (seed,) = read(SKILL.format(name=name, about=about, body=body), path)
    assert codes(seed) == code


@pytest.mark.parametrize("name", ["version: 1", "name:", "name: [a]", f"name: {'n' * 201}"])
def test_a_skill_without_a_usable_name_bears_that_of_its_folder(name):
    (seed,) = read(f"---\n{name}\ndescription: d\n---\n# Title\n\n## Steps\n", "skills/pdf/SKILL.md")
    assert (seed.key, seed.text, seed.is_skill) == ("pdf.pdf", "# Title\n\n## Steps", True)
    assert "skill_name" in codes(seed)


def test_a_skill_is_read_as_far_as_it_can_be():
    head = "name: My: Skill\ndescription: Use it: now\npriority: 99\ntags: [a] b\nband: [x]\nlines: many"
    (seed,) = read(f"---\n{head}\n---\nbody", "x/SKILL.md")
    assert (seed.name, seed.description, seed.priority) == ("My: Skill", "Use it: now", 0.9)
    assert codes(seed).count("head_repaired") == 3
    assert codes(seed).count("value_ignored") == 3


def test_a_skill_without_a_head_is_split_and_told():
    seeds = read("# Title\n\n## Steps\n\nx", "pdf/SKILL.md")
    assert [(seed.key, seed.priority) for seed in seeds] == [("pdf.SKILL", 0.9), ("pdf.steps", 0.9)]
    assert codes(seeds[0]) == ["skill_head"]
    assert not seeds[0].is_skill


@pytest.mark.parametrize(("said", "kept"), [("no", "no"), ("1.10", "1.10"), ("2024-02-30", "2024-02-30"), ("null", "null")])
def test_words_that_yaml_would_change_stay_names(said, kept):
    assert read(SKILL.format(name=said, about=said, body=""), "SKILL.md")[0].name == kept


pieces = st.sampled_from(
    [
        "## A",
        "### B",
        "# C",
        "text",
        "",
        "```",
        "~~~",
        "---",
        "===",
        "<!--",
        "-->",
        "- item",
        "    code",
        "\ttab  ",
        "> q",
        "name: x",
        "\r",
        "é",
    ]
)


@given(st.lists(pieces, max_size=25), st.sampled_from(["\n", "\r\n"]))
def test_sections_put_together_are_the_file_again(lines, end):
    text = end.join(lines)
    found = read(text)
    words = "".join(seed.text for seed in found)
    assert "".join(words.split()) == "".join(text.split())
    assert all(seed.text in text for seed in found)
    assert len({seed.name.casefold() for seed in found}) == len(found)
