"""What a caller may give by mistake is told with a next step, and never ends in an error of Python."""

from __future__ import annotations

from dataclasses import replace

import pytest

from muniment.errors import InputError
from muniment.providers.tokens import EstimatedTokens
from muniment.registry.seeds import PARSERS, Library, Resource, Seed, SeedFile, disclose, parse, render, tool

SEED = Seed(name="one", text="x", namespace="a")
LIBRARY = Library((SEED,))
SKILL = SeedFile(
    "pdf/SKILL.md",
    "---\nname: pdf\ndescription: d\n---\nbody",
    resources=(Resource(path="notes/skill.txt", size=1, text="x"), Resource(path="a.md", size=1, text="y")),
)
CYCLE: dict = {"name": "a", "inputSchema": {"type": "object"}}
CYCLE["inputSchema"]["properties"] = {"b": CYCLE}


@pytest.mark.parametrize(
    ("do", "code"),
    [
        (lambda: parse("x.md"), "type"),
        (lambda: SeedFile("x", b""), "type"),
        (lambda: Library.read(["path"]), "type"),
        (lambda: Library.read("path"), "type"),
        (lambda: Library.read(SKILL), "type"),
        (lambda: Library("ab"), "type"),
        (lambda: Library(SEED), "type"),
        (lambda: LIBRARY.get(None), "type"),
        (lambda: LIBRARY.get([]), "type"),
        (lambda: LIBRARY.pull("one"), "type"),
        (lambda: LIBRARY.pull(None), "type"),
        (lambda: LIBRARY.pull([None]), "type"),
        (lambda: Library((SEED,), reserved="one"), "type"),
        (lambda: Library((SEED,), override="a.one"), "type"),
        (lambda: Library((SEED,), override=["a.none"]), "unknown_seed"),
        (lambda: disclose(SEED), "type"),
        (lambda: render(SEED), "type"),
        (lambda: render([1]), "type"),
        (lambda: disclose([SEED], tokens=3), "type"),
        (lambda: disclose([SEED], tokens="cl100k"), "type"),
        (lambda: disclose([SEED], tokens=EstimatedTokens), "type"),
        (lambda: replace(SEED, priority=5), "range"),
        (lambda: replace(SEED, priority=True), "range"),
        (lambda: replace(SEED, priority=float("nan")), "range"),
        (lambda: replace(SEED, text=None), "type"),
        (lambda: replace(SEED, tags="abc"), "type"),
        (lambda: replace(SEED, requires=[1]), "type"),
        (lambda: replace(SEED, band="stable"), "type"),
        (lambda: parse(SeedFile("a.x", ""), parsers=PARSERS.adding(".x", lambda _: None)), "parser_invalid"),
        (lambda: parse(SeedFile("a.x", ""), parsers=PARSERS.adding(".x", lambda _: [1])), "parser_invalid"),
        (lambda: tool(CYCLE), "tool_invalid"),
        (lambda: tool({"name": "a", "parameters": {"default": {1}}}), "tool_invalid"),
    ],
)
def test_misuse_is_refused_with_a_next_step(do, code):
    with pytest.raises(InputError) as caught:
        do()
    assert caught.value.code == code
    assert caught.value.hint


def test_what_a_path_was_given_for_names_the_way_to_read_it():
    with pytest.raises(InputError, match="read_seed_files"):
        Library.read(["path"])


def test_a_counter_will_do_for_its_function():
    counter = EstimatedTokens()
    assert disclose(parse(SKILL), tokens=counter) == disclose(parse(SKILL), tokens=counter.count)


def test_disclosing_twice_is_disclosing_once():
    once = disclose(parse(SKILL))
    assert [seed.name for seed in once] == ["pdf.card", "pdf", "pdf/notes/skill.txt", "pdf/a.md"]
    assert disclose(once) == once
