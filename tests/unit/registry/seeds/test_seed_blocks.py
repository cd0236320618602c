"""Block files: heads and bodies, what is a delimiter and what is a rule, and which line is to blame."""

from __future__ import annotations

import pytest

from muniment.errors import SeedError
from muniment.registry.seeds import SeedFile, parse
from muniment.types import Band, Trust


def read(text, path="rules.md", **how):
    return parse(SeedFile(path, text, **how))


def refusal(text, path="rules.md", **how):
    with pytest.raises(SeedError) as caught:
        read(text, path, **how)
    return caught.value


def texts(text, path="rules.md", **how):
    return {seed.name: seed.text for seed in read(text, path, **how)}


def codes(seed):
    return [notice.code for notice in seed.warnings]


TWO = """---
name: tone
priority: 0.8
tags: [style, voice]
description: How to sound.
---

Be brief.

---
name: safety
band: session
requires: tone
short: Never guess.
---
Never guess a name.
"""


def test_a_file_holds_several_named_blocks():
    tone, safety = read(TWO)
    assert (tone.key, tone.text, tone.priority, tone.tags, tone.description) == (
        "rules.tone",
        "Be brief.",
        0.8,
        ("style", "voice"),
        "How to sound.",
    )
    assert (safety.text, safety.band, safety.requires, safety.short) == (
        "Never guess a name.",
        Band.SESSION,
        ("tone",),
        "Never guess.",
    )
    assert (tone.line, safety.line, safety.priority, tone.band) == (8, 16, 0.5, Band.STABLE)
    assert not tone.warnings
    assert not safety.warnings


def test_line_ends_of_windows_and_a_byte_order_mark_are_read():
    assert texts("\ufeff" + TWO.replace("\n", "\r\n")) == texts(TWO)
    assert texts("\r\n\r\n---\r\nname: a\r\n---\r\none\r\ntwo") == {"a": "one\r\ntwo"}


@pytest.mark.parametrize(
    "body",
    [
        "above\n\n---\n\nbelow",
        "Title\n---\ntext",
        "```\n---\nname: not_me\n---\n```",
        "~~~md\n---\nname: not_me\n---\n~~~",
        "````\n```\n---\nname: not_me\n---\n```\n````",
        "   ```\n---\nname: not_me\n---\n   ```",
        "<!--\n---\nname: not_me\n---\nswitched off\n-->",
        "<pre>\n---\nname: not_me\n---\n</pre>",
        "    ---\n    name: not_me\n    ---",
        " ---\nname: not_me\n ---",
        "----\nname: not_me\n----",
        "---\ntitle: no name here\n---",
        "---\n- a\n- list\n---",
        "---\nprose, and\nmore prose\n---",
        "a\u2028---\u2028b\x0c---\x85c",
        "\tindented\n\n  twice  ",
    ],
)
def test_a_body_survives_byte_for_byte(body):
    assert texts(f"---\nname: a\n---\n{body}\n---\nname: b\n---\nend\n") == {"a": body, "b": "end"}


def test_blank_lines_at_the_ends_of_a_body_are_not_part_of_it():
    assert texts("---\nname: a\n---\n\n  \n    code\n\t\n\n") == {"a": "    code"}
    assert texts("---\nname: a\n---") == {"a": ""}
    assert texts("---\nname: a\n---\n---\nname: b\n---\n") == {"a": "", "b": ""}


def test_a_loader_can_ask_for_one_block():
    (seed,) = read(TWO, several=False)
    assert seed.text.startswith("Be brief.\n\n---\nname: safety\n")
    assert seed.text.endswith("Never guess a name.")


def test_a_skill_is_one_block_whatever_its_body_shows():
    (seed,) = read("---\nname: x\ndescription: d\n---\nLike this:\n\n---\nname: y\n---\nend", "x/SKILL.md")
    assert seed.text == "Like this:\n\n---\nname: y\n---\nend"
    assert len(read("---\nname: x\ndescription: d\n---\na\n---\nname: y\n---\nb", "x/SKILL.md", several=True)) == 2


@pytest.mark.parametrize("inside", ["name: [\n", "name: b\nname: c\n", "name:\n", "name: &a b\n", 'name: "x\n'])
def test_what_looks_like_a_head_and_is_none_stays_text_with_a_notice(inside):
    (seed,) = read(f"---\nname: a\n---\ntext\n\n---\n{inside}---\nmore\n")
    assert seed.text == f"text\n\n---\n{inside}---\nmore"
    assert [(notice.code, notice.line) for notice in seed.warnings] == [("unread_head", 6)]


def test_a_head_without_an_end_at_the_end_of_the_file_stays_text_with_a_notice():
    (seed,) = read("---\nname: a\n---\ntext\n---\nname: b\nmore\n")
    assert seed.text == "text\n---\nname: b\nmore"
    assert codes(seed) == ["unread_head"]


@pytest.mark.parametrize("head", ["name: a", "name: a\npriority: 99"])
def test_a_head_behind_other_text_is_told(head):
    (seed,) = read(f"# Title\n\n---\nplain\n---\n{head}\n---\ntext\n---\nname: b\n---\n")
    assert [(notice.code, notice.line) for notice in seed.warnings] == [("late_head", 5)]
    assert read("# Title\n\n```\n---\nname: a\n---\n```\n")[0].warnings == ()
    assert read("# Title\n\n---\nname: a\n---\n", "AGENTS.md")[0].warnings[0].code == "late_head"


def test_code_that_never_ends_is_told():
    (seed,) = read("---\nname: a\n---\n```\n---\nname: b\n---\n")
    assert [(notice.code, notice.line) for notice in seed.warnings] == [("never_closed", 4)]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("---\nname: a\nno end\n", "unclosed_head", 1),
        ("\n\n---\nname: a\n", "unclosed_head", 3),
        ("---\npriority: 0.5\nname:\n---\n", "name_invalid", 3),
        ('---\nname: "a\\nb"\n---\n', "name_invalid", 2),
        (f"---\nname: {'n' * 201}\n---\n", "name_invalid", 2),
        ("---\nname: [a]\n---\n", "type", 2),
        ("---\nname: a: b\n---\n", "malformed", 2),
        ("---\nname: a\n\tb: c\n---\n", "malformed", 3),
        ("---\nname: a\npriority: high\n---\n", "range", 3),
        ("---\nname: a\npriority: true\n---\n", "range", 3),
        ("---\nname: a\npriority: 99\n---\n", "range", 3),
        ("---\nname: a\npriority: -0.1\n---\n", "range", 3),
        ("---\nname: a\npriority: nan\n---\n", "range", 3),
        ("---\nname: a\npriority: [1]\n---\n", "range", 3),
        ("---\nname: a\ntags: {b: c}\n---\n", "type", 3),
        ("---\nname: a\ntags: [[b]]\n---\n", "type", 3),
        ("---\nname: a\ntags: ['']\n---\n", "word_invalid", 3),
        ("---\nname: a\nband: pinned\n---\n", "range", 3),
        ("---\nname: a\nband: front\n---\n", "range", 3),
        ("---\nname: a\ndescription: [b]\n---\n", "type", 3),
        ("---\nname: a\nlines: -1\n---\n", "type", 3),
        ("---\nname: a\nlines: 3\n---\none\n", "lines_mismatch", 5),
        ("---\nname: a\nlines: 1\n---\none\ntwo\n", "lines_mismatch", 5),
        ("---\nname: a\n---\nx\n---\nname: b\npriority: 7\n---\n", "range", 7),
        ("---\nname: a\n---\nx\n---\nname: A\n---\ny\n", "duplicate_name", 8),
    ],
)
def test_a_bad_head_is_refused_by_its_line(text, code, line):
    error = refusal(text)
    assert (error.reason, error.place) == (code, f"rules.md:{line}")
    assert error.hint


@pytest.mark.parametrize(
    ("said", "priority"), [("0", 0.0), ("1", 1.0), ("0.25", 0.25), ("'0.25'", 0.25), (".5", 0.5), ("1e-1", 0.1), ("+1.", 1.0)]
)
def test_priorities_are_numbers_from_0_to_1(said, priority):
    assert read(f"---\nname: a\npriority: {said}\n---\n")[0].priority == priority


@pytest.mark.parametrize("said", ["[a, b c]", "\n  - a\n  - b c\n  - a", '["a", " b c "]'])
def test_tags_are_a_list(said):
    assert read(f"---\nname: x\ntags: {said}\n---\n")[0].tags == ("a", "b c")


@pytest.mark.parametrize("said", ["a b", "a, b", "a,b , a", "'a b'"])
def test_tags_in_one_text_are_split_at_spaces_and_commas(said):
    assert read(f"---\nname: x\ntags: {said}\n---\n")[0].tags == ("a", "b")


def test_keys_of_the_loader_are_ignored_with_a_notice_and_those_of_other_tools_without():
    ours = "author: system\nsource: seed\nremovable: false\nrequired: true\nrun: r\n"
    theirs = "license: MIT\nmetadata: {a: b}\nallowed-tools: Read\nversion: 1.10\ncompatibility: any\n"
    head = f"{ours}{theirs}foo: bar\n"
    (seed,) = read(f"---\nname: a\n{head}---\n")
    assert codes(seed) == ["loaders_key"] * 5 + ["unknown_key"]
    assert "line 3: author is ignored" in str(seed.warnings[0])


def test_an_untrusted_file_does_not_rank_its_own_blocks():
    (seed,) = read("---\nname: a\npriority: 99\nband: pinned\nrequires: b\ntags: t\n---\nx", "SKILL.md", trust=Trust.UNTRUSTED)
    assert (seed.priority, seed.band, seed.requires, seed.tags, seed.trust) == (0.5, Band.SESSION, (), ("t",), Trust.UNTRUSTED)
    assert codes(seed)[:3] == ["untrusted_rank"] * 3


def test_a_file_without_a_head_is_one_block_named_after_it():
    (seed,) = read("Be brief.\n\n## Not split\n", "folder/my - house\trules.md")
    assert (seed.name, seed.text, seed.priority) == ("my_house_rules", "Be brief.\n\n## Not split", 0.5)


def test_an_empty_file_is_one_empty_block():
    (seed,) = read("", "empty.md")
    assert (seed.key, seed.text) == ("empty.empty", "")


def test_a_text_that_could_be_taken_for_blocks_can_be_counted_in_lines():
    assert texts("---\nname: a\nlines: 3\n---\n---\nname: b\n---\n\n---\nname: c\nlines: 0\n---\n") == {
        "a": "---\nname: b\n---",
        "c": "",
    }


def test_a_file_of_too_many_blocks_or_broken_heads_is_refused():
    assert refusal("".join(f"---\nname: n{n}\n---\n" for n in range(10_002))).reason == "too_many_blocks"
    assert refusal("---\nname: a\n---\n" + "---\nname: [\n---\n\n" * 200).reason == "head_invalid"


FOREIGN = {
    "jekyll": ("title: 'A page'\nlayout: post\ntags: [[x]]\npriority: high\nlines: 7\nband: Kyuss", "", ["value_ignored"] * 3),
    "command": ("description: Say it", "Say it", []),
    "copilot": ("applyTo: '**'", "", []),
    "cursor": ("description: Rules\nglobs: *.ts, **/*.tsx\nalwaysApply: false", "Rules", ["head_repaired"]),
    "hint": ("argument-hint: [a] [b]\ndescription: [WIP] foo", "[WIP] foo", ["head_repaired"] * 2),
    "colon": ("description: Use it: when you can", "Use it: when you can", ["head_repaired"]),
    "several lines": ("title: x\ndescription: Use it: when\n  you can", "Use it: when you can", ["head_repaired"]),
    "empty": ("# nothing", "", []),
}


@pytest.mark.parametrize(("head", "description", "told"), FOREIGN.values(), ids=FOREIGN)
def test_a_head_that_another_tool_wrote_leaves_one_block_named_after_its_file(head, description, told):
    (seed,) = read(f"---\n{head}\n---\nBody.\n\n---\n\nMore.\n", "docs/my page.md")
    assert (seed.name, seed.text, seed.description) == ("my_page", "Body.\n\n---\n\nMore.", description)
    assert [code for code in codes(seed) if code != "unknown_key"] == ["head_repaired"] * told.count("head_repaired") + [
        "head_unnamed"
    ] + ["value_ignored"] * told.count("value_ignored")


def test_what_was_guessed_in_a_head_is_told_by_its_line():
    (seed,) = read("---\nname: a\ntitle: b\ndescription: c: d\nname2:\tx\n---\n")
    assert (seed.name, seed.description) == ("a", "c: d")
    assert [(notice.code, notice.line) for notice in seed.warnings] == [("head_repaired", 4), ("unknown_key", 5)]


def test_a_tab_may_stand_before_a_value():
    (seed,) = read("---\nname:\ta\npriority:\t0.7\n---\n")
    assert (seed.name, seed.priority, seed.warnings) == ("a", 0.7, ())


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("x: &a b", "yaml_feature"),
        ("x: *a", "yaml_feature"),
        ("x: !!str b", "yaml_feature"),
        ("<<: {a: b}", "yaml_feature"),
        ("title: c", "duplicate_key"),
        ("x: " + "[" * 40 + "]" * 40, "too_deep"),
    ],
)
@pytest.mark.parametrize("before", ["", "y: a: b\n"])
def test_a_head_that_has_to_be_mended_is_no_way_around_what_yaml_may_do(line, code, before):
    assert refusal(f"---\ntitle: t\n{before}{line}\n---\nbody\n").reason == code


@pytest.mark.parametrize("key", ["priority", "tags", "band", "requires", "lines"])
def test_keys_that_place_a_block_are_never_guessed(key):
    assert refusal(f"---\nname: a\n{key}: [a] b\n---\n").reason == "malformed"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("---\n\nJust: words.\n\n---\n\nMore.", []),
        ("---\n\n![a](b) or: c: d\n\n---\n\nMore.", []),
        ("---\n- a\n---", ["unread_head"]),
        ("---\njust words\n---", ["unread_head"]),
        ("---\ntitle: no end\n\nBody.\n\nname: x", ["unread_head"]),
        ("---\nA rule, and no head.", []),
        ("---", []),
    ],
)
def test_a_page_that_begins_with_a_rule_is_text(text, told):
    (seed,) = read(text + "\n", "page.md")
    assert (seed.name, seed.text) == ("page", text)
    assert codes(seed) == told


def test_blocks_below_a_head_without_a_name_are_told():
    (seed,) = read("---\ndescription: d\n---\ntext\n\n---\nname: b\n---\nmore\n")
    assert seed.text == "text\n\n---\nname: b\n---\nmore"
    assert [(notice.code, notice.line) for notice in seed.warnings] == [("head_unnamed", 1), ("late_head", 6)]
