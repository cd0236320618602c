"""What is plausibly given by mistake is refused with a hint that says what to give instead, and nothing is counted as shown."""

from __future__ import annotations

import pytest

from muniment.compile import Gate, openai_tools, to_anthropic, to_openai, to_text
from muniment.compile import compile as compile_blocks
from muniment.compile.scorers import Dense, Fused, Lexical
from muniment.errors import BlockError, BudgetError, InputError
from muniment.registry import Principal, Registry, Right
from muniment.testing import CountingTokens
from muniment.types import Band, Prices


class Nameless:
    exact = True

    def count(self, text):
        return len(text)


@pytest.fixture
def registry():
    made = Registry()
    made.write("Be brief.", name="rule")
    return made


def refused(act, *given, **more):
    with pytest.raises(InputError) as error:
        act(*given, **more)
    assert error.value.hint
    return error.value


@pytest.mark.parametrize("tokens", [len, None, Nameless(), CountingTokens, "gpt-4", 7])
def test_what_is_no_counter_is_refused_with_what_one_needs(registry, tokens):
    error = refused(compile_blocks, registry, budget=100, tokens=tokens)
    assert (error.place, error.reason) == ("tokens", "type")
    assert "name" in error.hint
    assert "count(text)" in error.hint


CHOICES = [
    {"gate": Lexical(), "task": "x"},
    {"gate": "lexical", "task": "x"},
    {"task": 7},
    {"salt": None},
    {"salt": b"salt"},
    {"packing": "skip"},
    {"prices": (1, 2, 3)},
    {"since": "before"},
    {"dry": "yes"},
    {"reserve": None},
]


@pytest.mark.parametrize("choice", CHOICES, ids=" ".join)
def test_a_choice_of_another_type_is_refused_and_leaves_no_trace(registry, choice):
    good = compile_blocks(registry, budget=100, tokens=CountingTokens())
    error = refused(compile_blocks, registry, budget=100, tokens=CountingTokens(), **choice)
    assert error.place == next(iter(choice))
    assert registry.accesses(registry.blocks[0].id) == 1
    assert compile_blocks(registry, budget=100, tokens=CountingTokens()) == good


def test_a_scorer_in_place_of_a_gate_is_told_how_to_become_one(registry):
    assert "Gate(Lexical(), top=" in refused(compile_blocks, registry, budget=9, tokens=CountingTokens(), gate=Lexical()).hint


@pytest.mark.parametrize(
    "given", [{"budgt": 1}, {"budget": 100, "tokns": 7}, {"budget": 100, "tokens": CountingTokens(), "bands": 1}]
)
def test_an_unknown_argument_is_an_error_of_compile_by_name(registry, given):
    with pytest.raises(TypeError, match=r"^compile\(\)"):
        compile_blocks(registry, **given)


@pytest.mark.parametrize("blocks", [None, 7, "text", [7], ["block"], {"a": 1}, lambda: None])
def test_what_holds_no_blocks_is_refused(blocks):
    assert refused(compile_blocks, blocks, budget=100, tokens=CountingTokens()).reason == "not_a_block"


def test_a_guests_handle_is_refused_and_its_blocks_are_not(registry):
    desk = Principal("guest").accept(registry.invite(Right.READ))
    assert "handle" in str(refused(compile_blocks, desk, budget=100, tokens=CountingTokens()))
    assert compile_blocks(desk.blocks, budget=100, tokens=CountingTokens()).names == ("rule",)


def test_a_view_compiles_as_its_registry_and_counts_nothing():
    registry = Registry(banded=False)
    for name, band in (("a", Band.VOLATILE), ("b", Band.STABLE), ("c", Band.STABLE)):
        registry.write(name, name=name, band=band)
    gate = Gate(lambda task, blocks: [float(block.name == "b") for block in blocks], top=1)
    for view in (registry.view(), Registry().view()):
        made = compile_blocks(view, budget=100, tokens=CountingTokens(), task="x", gate=gate)
        assert made.names == (("b",) if view.blocks else ())
    assert registry.accesses(registry.blocks[0].id) == 0
    assert compile_blocks(registry, budget=100, tokens=CountingTokens(), task="x", gate=gate).names == ("b",)


@pytest.mark.parametrize("shape", [to_openai, to_anthropic, to_text, openai_tools])
@pytest.mark.parametrize("given", [None, "text", Registry()])
def test_only_a_compilation_has_a_shape(shape, given):
    error = refused(shape, given)
    assert (error.reason, error.place) == ("type", "compilation")


@pytest.mark.parametrize(
    "make", [lambda: Dense(None), lambda: Dense("model"), lambda: Dense(len, embed_query=5), lambda: Fused(5)]
)
def test_a_scorer_made_of_what_is_no_function_is_refused_at_once(make):
    assert isinstance(refused(make), BlockError)


@pytest.mark.parametrize("price", [-1, float("nan"), float("inf"), "3", None, True])
@pytest.mark.parametrize("place", ["fresh", "cached", "written"])
def test_prices_are_finite_numbers_of_0_or_more(price, place):
    assert refused(Prices, **{"fresh": 3, "cached": 0.3, "written": 0, place: price}).place == place


def test_sizes_are_told_with_names_spelled_out_and_never_as_an_empty_list():
    registry = Registry()
    registry.write("word " * 50, name="bell\x1b[2J\u202e", required=True)
    with pytest.raises(BudgetError) as error:
        compile_blocks(registry, budget=10, tokens=CountingTokens())
    assert r" bell\x1b[2J\u202e 50." in str(error.value)

    class Flat(CountingTokens):
        def count(self, text):
            return 40

    for blocks in ([], registry.blocks):
        with pytest.raises(BudgetError) as error:
            compile_blocks([block for block in blocks if not block.required], budget=10, tokens=Flat())
        assert str(error.value).startswith("budget: an empty prompt takes 40 tokens by this counter, and 10 are there.")
