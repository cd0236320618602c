"""Parsers by extension, and the library: keys, bare names, clashes, pulls."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import SeedError
from muniment.registry import Registry
from muniment.registry.seeds import PARSERS, Library, Seed, SeedFile, namespace_of, parse
from muniment.types import Band, Source, Trust


def file(path, *names, **how):
    return SeedFile(path, "".join(f"---\nname: {name}\ntags: {name[0]}\n---\ntext of {name}\n" for name in names), **how)


def skill(path, name, **how):
    return SeedFile(path, f"---\nname: {name}\ndescription: d\n---\nbody of {path}\n", **how)


def refusal(do):
    with pytest.raises(SeedError) as caught:
        do()
    assert caught.value.hint
    return caught.value


def test_extensions_are_read_in_any_case_and_unknown_ones_are_named():
    assert parse(file("A.MD", "x"))[0].name == "x"
    error = refusal(lambda: parse(SeedFile("notes.docx", "")))
    assert (error.reason, error.place) == ("unknown_extension", "notes.docx")
    assert ".docx" in error.message
    assert ".json, .markdown, .md, .txt, .yaml, .yml" in error.hint
    for path in ("Makefile", ".md", "a/.hidden"):
        assert refusal(lambda path=path: parse(SeedFile(path, ""))).reason == "unknown_extension"


def test_a_parser_can_be_added_without_changing_the_known_ones():
    def lines(given):
        return [Seed(name=line, text=line, trust=Trust.TRUSTED, band=Band.PINNED) for line in given.text.splitlines()]

    mine = PARSERS.adding(".Lines", lines)
    seeds = parse(SeedFile("a/words.LINES", "one\ntwo", trust=Trust.UNTRUSTED), parsers=mine)
    assert [(seed.key, seed.path, seed.trust, seed.band) for seed in seeds] == [
        ("words.one", "a/words.LINES", Trust.UNTRUSTED, Band.SESSION),
        ("words.two", "a/words.LINES", Trust.UNTRUSTED, Band.SESSION),
    ]
    assert refusal(lambda: parse(SeedFile("a.lines", ""))).reason == "unknown_extension"
    assert refusal(lambda: PARSERS.adding("lines", lines)).reason == "unknown_extension"


@pytest.mark.parametrize(
    ("given", "namespace"),
    [
        (file("a/b/rules.md", "x"), "rules"),
        (file("a/b/rules.md", "x", root="a"), "b.rules"),
        (file("a/b/c/rules.v2.md", "x", root="a"), "b.c.rules.v2"),
        (file("a/.claude/rules.md", "x", root="a"), "claude.rules"),
        (file("a/b/rules.md", "x", root="a", namespace="mine"), "mine"),
        (skill("a/pdf/SKILL.md", "other"), "pdf"),
        (skill("a/office/pdf/SKILL.md", "other", root="a"), "office.pdf"),
        (skill("a/pdf/SKILL.md", "other", root="a/pdf"), "pdf"),
        (skill("SKILL.md", "other"), "other"),
        (skill("./SKILL.md", "other", root="."), "other"),
    ],
)
def test_a_namespace_follows_from_the_loader_the_path_or_the_name(given, namespace):
    assert parse(given)[0].namespace == namespace
    assert namespace_of(given, parse(given)) == namespace


@pytest.mark.parametrize(
    ("path", "text", "code", "line"),
    [
        ("a.md", "x" * ((1 << 20) + 1), "too_large", ""),
        ("a.md", "é" * (1 << 19) + "x", "too_large", ""),
        ("a.yaml", "x" * ((1 << 20) + 1), "too_large", ""),
        ("a.json", "x" * ((16 << 20) + 1), "too_large", ""),
        ("a.md", "one\ntwo\0", "nul_not_allowed", ":2"),
        ("a.md", "one\n\ntwo\udc80", "invalid_unicode", ":3"),
    ],
)
def test_texts_that_no_block_can_hold_are_refused(path, text, code, line):
    error = refusal(lambda: parse(SeedFile(path, text)))
    assert (error.reason, error.place) == (code, path + line)


def test_seeds_are_found_by_key_and_by_bare_name_where_it_is_unique():
    library = Library.read([file("a.md", "one", "two"), file("b.md", "two", "three")])
    assert library.names() == ("a.one", "a.two", "b.two", "b.three")
    assert library.get("a.two").text == "text of two"
    assert library.get("three").key == "b.three"
    assert [name in library for name in ("one", "a.two", "two", "none", 3)] == [True, True, False, False, False]
    assert (len(library), [seed.key for seed in library]) == (4, list(library.names()))


def test_an_ambiguous_name_is_not_a_missing_one():
    library = Library.read([file("a.md", "two"), file("b.md", "two")])
    ambiguous, missing = refusal(lambda: library.get("two")), refusal(lambda: library.get("tow"))
    assert (ambiguous.reason, missing.reason) == ("ambiguous", "unknown_seed")
    assert "a.two, b.two" in ambiguous.hint
    assert "two" in missing.hint


def test_names_can_be_asked_for_by_any_of_some_tags():
    library = Library.read([file("a.md", "one", "two", "six")])
    assert library.names(tags=["t", "s", "z"]) == ("a.two", "a.six")
    assert library.names(tags=["z"]) == ()
    assert library.names(tags=[]) == ()


def test_a_pull_gives_every_name_once_in_the_order_asked_for_or_nothing():
    library = Library.read([file("a.md", "one", "two"), file("b.md", "two", "three")])
    assert [seed.key for seed in library.pull(["three", "a.two", "b.three", "one", "three"])] == ["b.three", "a.two", "a.one"]
    assert library.pull([]) == ()
    assert refusal(lambda: library.pull(["one", "none"])).reason == "unknown_seed"
    assert [seed.key for seed in library.pull(["none", "one"], strict=False)] == ["a.one"]
    assert refusal(lambda: library.pull(["one", "two"], strict=False)).reason == "ambiguous"


def test_what_is_pulled_is_copied_into_a_registry():
    library = Library.read([file("a.md", "one", "two")])
    first, second = Registry(), Registry()
    ids = first.load(library.pull(["two", "one"]))
    assert [block.name for block in first.blocks] == ["two", "one"]
    assert not {*ids} & {*second.load(library.pull(["one"]))}
    block = first.get(ids[0])
    assert (block.source, block.removable, block.author) == (Source.SEED, False, first.get(ids[1]).author)
    assert second.blocks[0].author != block.author
    assert library.get("one").text == "text of one"


def test_a_library_is_frozen_to_the_bottom():
    library = Library.read([file("a.md", "one")])
    with pytest.raises(FrozenInstanceError):
        library.seeds = ()
    with pytest.raises(FrozenInstanceError):
        library.get("one").text = "changed"
    hash(library.get("one"))
    assert library == Library.read([file("a.md", "one")])


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ([file("a.md", "x"), file("b/A.md", "X")], "duplicate_name"),
        ([file("a.md", "x"), file("b/a.md", "y")], "duplicate_namespace"),
        ([file("a.md", "x"), file("b/A.md", "y")], "duplicate_namespace"),
        ([file("a.md", "é"), file("b/a.md", "e\u0301")], "duplicate_name"),
        ([skill("a/SKILL.md", "pdf"), skill("b/SKILL.md", "pdf")], "duplicate_name"),
        ([skill("a/SKILL.md", "pdf"), skill("b/SKILL.md", "PDF")], "duplicate_name"),
        ([file("a.md", "b.c"), file("a.b.md", "c")], "duplicate_name"),
        ([file("a.md", "b.x"), file("b.md", "x")], "duplicate_name"),
        ([file("b.md", "x"), file("a.md", "b.x")], "duplicate_name"),
    ],
)
def test_nothing_shadows_anything(files, code):
    error = refusal(lambda: Library.read(files))
    assert error.reason == code
    assert error.place.startswith(tuple(given.path for given in files))


def test_the_same_file_twice_is_there_once_and_a_changed_one_is_refused():
    once = Library.read([file("a.md", "x", "y")])
    assert Library.read([file("a.md", "x", "y")] * 2) == once
    assert refusal(
        lambda: Library.read([file("a.md", "x"), replace(file("a.md", "x"), text="---\nname: x\n---\nother")])
    ).reason == ("duplicate_name")


def test_names_of_the_host_are_kept_unless_overridden():
    seeds = parse(file("a.md", "Instructions", "x"))
    assert refusal(lambda: Library(seeds, reserved=["instructions"])).reason == "duplicate_name"
    assert len(Library(seeds, reserved=["instructions"], override=["a.instructions"])) == 2


def test_an_override_says_what_it_replaced():
    old, new = skill("a/SKILL.md", "pdf"), skill("b/SKILL.md", "PDF")
    library = Library.read([old, new, file("c.md", "x")], override=["pdf"])
    assert library.names() == ("b.PDF", "c.x")
    assert [seed.key for seed in library.replaced] == ["a.pdf"]
    assert library.get("PDF").text == "body of b/SKILL.md"
    assert "pdf" not in library


names = st.text(st.sampled_from("aAbé.é_ "), min_size=1, max_size=4).map(lambda name: f"n{name}n")


@given(st.lists(st.tuples(names, names), max_size=12))
def test_every_key_of_a_library_finds_its_seed_and_no_two_are_alike(pairs):
    seeds = [Seed(name=name, text=str(n), namespace=space, path=space) for n, (space, name) in enumerate(pairs)]
    try:
        library = Library(tuple(seeds))
    except SeedError as error:
        assert error.reason.startswith("duplicate")  # noqa: PT017  # either outcome is right; each is checked
        return
    assert [library.get(key) for key in library.names()] == list(library.seeds) == seeds
    assert len({key.casefold() for key in library.names()}) == len(seeds)
    for seed in seeds:
        if seed.name in library:
            assert library.get(seed.name) is seed
