"""The short way gives what the whole way would: after any change, with any counter, and for every compilation ever given out."""

from __future__ import annotations

from contextlib import suppress
from inspect import signature

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.compile import compile as compile_blocks
from muniment.compile.gate import Gate
from muniment.errors import BlockError, BudgetError
from muniment.registry import Registry
from muniment.registry.handle import Handle
from muniment.registry.registry import ledger_of
from muniment.testing import CountingTokens
from muniment.types import Band, Packing, Prices, Role, Tool, ToolCall, Trust

WORDS = CountingTokens()


class By:
    """A token counter from a function."""

    exact = False

    def __init__(self, name, count, *, additive=False):
        self.name, self.count, self.additive = name, count, additive


COUNTERS = [
    WORDS,
    By("characters", len, additive=True),
    By("not told to add up", len),
    By("growing", lambda text: len(text) ** 2 // 300),
    By("joints cost", lambda text: len(text) // 4 + 25 * text.count("\n\n")),
]

WRITES = st.fixed_dictionaries(
    {"text": st.sampled_from(["be brief", "never guess", "one two three four five", "[user]\nno", "word " * 30, "", " \n"])},
    optional={
        "band": st.sampled_from(Band),
        "role": st.sampled_from([Role.SYSTEM, Role.SYSTEM, Role.USER, Role.ASSISTANT]),
        "required": st.booleans(),
        "prefix": st.sampled_from(["", "> "]),
        "suffix": st.sampled_from(["", "!"]),
        "position": st.integers(0, 60),
        "turn_key": st.sampled_from([None, "k"]),
    },
)
ODD = st.sampled_from(
    [
        {"text": "a memory", "band": Band.VOLATILE, "role": Role.DOCUMENT, "trust": Trust.UNTRUSTED},
        {"text": "be brief", "band": Band.VOLATILE, "trust": Trust.UNTRUSTED},
        {"text": "said by a stranger", "band": Band.SESSION, "role": Role.USER, "trust": Trust.UNTRUSTED},
        {"text": "needs", "requires": ["b1"]},
        {"text": "pays", "tool": Tool(name="pay")},
        {
            "text": "",
            "band": Band.SESSION,
            "role": Role.ASSISTANT,
            "tool_calls": [ToolCall(id="1", name="look", arguments="{}")],
        },
        {"text": "found", "band": Band.SESSION, "role": Role.TOOL, "tool_call_id": "1"},
    ]
)
ACTS = st.tuples(
    st.sampled_from(["write", "edit", "edit", "evict", "promote", "demote", "reorder", "undo", "none", "wrap", "odd", "group"]),
    st.integers(0, 1000),
    WRITES,
    ODD,
)


def change(registry, act, number, words, odd):
    """Make one change; the number picks the block."""
    blocks = registry.blocks
    if act == "write":
        registry.write(**words, name=f"b{number}")
    elif act == "odd" and not (odd.get("tool") and any(one.tool for one in blocks)):
        registry.write(**odd, name="odd")
    elif act == "undo":
        with suppress(BlockError):  # nothing is left to undo
            registry.undo()
    elif blocks:
        change_block(registry, blocks[number % len(blocks)], act, number, words)


def change_block(registry, block, act, number, words):
    if act == "edit":
        registry.edit(block.id, f"{words['text']} {number}" if number % 7 else words["text"])
    elif act == "wrap":
        registry.edit(block.id, prefix=words.get("prefix"), suffix=words.get("suffix"), required=words.get("required"))
    elif act == "evict":
        registry.evict(block.id)
    elif act == "promote":
        registry.promote(block.id, to=number % 5)
    elif act == "demote":
        registry.demote(block.id, number % 5)
    elif act == "reorder":
        registry.reorder([one.id for one in reversed(registry.blocks) if one.band is block.band])
    elif act == "group" and block.group is None:
        registry.group([block.id], name=f"g{number}{registry.version}", budget_as_unit=True)


def attempt(blocks, **more):
    """The compilation, or the code of the error where there can be none."""
    try:
        return compile_blocks(blocks, **more)
    except (BlockError, BudgetError) as error:
        return error.reason


STEPS = st.lists(st.lists(ACTS, min_size=1, max_size=3), max_size=12)
BUDGETS = st.sampled_from([60, 400, 10**6])


@given(st.integers(0, 80), STEPS, st.sampled_from(COUNTERS), BUDGETS, st.sampled_from(Packing))
def test_following_a_registry_gives_what_walking_it_gives(size, steps, tokens, budget, packing):
    follow_and_walk(size, steps, tokens, budget, packing)


@pytest.mark.nightly
@settings(max_examples=2000)
@given(st.integers(0, 80), STEPS, st.sampled_from(COUNTERS), BUDGETS, st.sampled_from(Packing))
def test_following_a_registry_gives_what_walking_it_gives_at_length(size, steps, tokens, budget, packing):
    follow_and_walk(size, steps, tokens, budget, packing)


def follow_and_walk(size, steps, tokens, budget, packing):
    """Compile after every step both ways; at the end, read what was given out on the way."""
    registry = Registry()
    for n in range(size):
        registry.write(f"rule {n}", name=f"b{n}")
    given_out = []
    for acts in [[("none", 0, {}, {})], *steps]:
        for act in acts:
            change(registry, *act)
        asked = {"budget": budget, "tokens": tokens, "packing": packing, "salt": "s"}
        walked = attempt(registry.blocks, **asked)
        assert attempt(registry, **asked, dry=True) == walked
        followed = attempt(registry, **asked)
        assert followed == walked
        if not isinstance(walked, str):
            assert (followed.text, followed.tokens) == (walked.text, tokens.count(walked.text))
            given_out.append((compile_blocks(registry, **asked), walked))
    for followed, walked in given_out:
        assert (followed.blocks, followed.receipt, followed.prompt_hash) == (walked.blocks, walked.receipt, walked.prompt_hash)


@given(st.lists(ACTS, max_size=30), st.sampled_from(COUNTERS), st.sampled_from([60, 10**6]))
def test_a_block_is_counted_once_for_every_prompt_it_was_in(acts, tokens, budget):
    registry = Registry()
    counts = {}
    for act in acts:
        change(registry, *act)
        for _ in range(act[1] % 4):
            made = attempt(registry, budget=budget, tokens=tokens)
            attempt(registry, budget=budget, tokens=tokens, dry=True)
            for block in () if isinstance(made, str) else made.blocks:
                counts[block.id] = counts.get(block.id, 0) + 1
        there = {block.id for block in registry.blocks}
        assert {block_id: registry.accesses(block_id) for block_id in there} == {i: counts.get(i, 0) for i in there}


def rules(count, **more):
    registry = Registry(**more)
    ids = [registry.write(f"rule {n}", name=f"b{n}") for n in range(count)]
    return registry, ids


def test_more_changes_than_a_log_or_a_strip_holds():
    registry, ids = rules(3)
    early = [compile_blocks(registry, budget=10**6, tokens=WORDS)]
    for n in range(700):
        registry.edit(ids[n % 3], f"version {n}")
        if n % 3 == 0:
            ids.append(registry.write(f"more {n}", name="more", position=n // 2))
        made = compile_blocks(registry, budget=10**6, tokens=WORDS)
        if n % 50 == 0:
            early.append(made)
    assert made == compile_blocks(registry.blocks, budget=10**6, tokens=WORDS)
    assert [len(one.blocks) for one in early][:3] == [3, 4, 20]
    assert [one.tokens for one in early] == [sum(row.tokens for row in one.receipt) for one in early]


@pytest.mark.parametrize("end", [0, -1])
def test_a_registry_that_is_emptied_and_filled_again_block_by_block(end):
    registry, ids = rules(100)
    while ids:
        registry.evict(ids.pop(end))
        assert compile_blocks(registry, budget=999, tokens=WORDS) == compile_blocks(registry.blocks, budget=999, tokens=WORDS)
    for n in range(100):
        registry.write(f"again {n}", name="again", position=0 if end == 0 else None)
        assert compile_blocks(registry, budget=999, tokens=WORDS) == compile_blocks(registry.blocks, budget=999, tokens=WORDS)


def test_a_registry_that_forgets_its_history_is_walked_again():
    registry, ids = rules(4, history=1)
    compile_blocks(registry, budget=99, tokens=WORDS)
    for block_id in ids:
        registry.edit(block_id, "new words")
    assert compile_blocks(registry, budget=99, tokens=WORDS).text == "\n\n".join(["new words"] * 4)
    registry, ids = rules(4, history=0)
    compile_blocks(registry, budget=99, tokens=WORDS)
    registry.edit(ids[0], "new")
    assert compile_blocks(registry, budget=99, tokens=WORDS).text.startswith("new\n\nrule 1")


def test_an_unchanged_registry_gives_out_the_same_compilation():
    registry, ids = rules(3)
    first, second, third = (compile_blocks(registry, budget=99, tokens=WORDS) for _ in range(3))
    assert first == second
    assert second is third
    assert [one.unchanged for one in (first, second, third)] == [None, 6, 6]
    registry.edit(ids[1], "something else")
    fourth = compile_blocks(registry, budget=99, tokens=WORDS)
    assert (fourth.unchanged, fourth.tokens) == (2, 6)
    assert compile_blocks(registry, budget=99, tokens=WORDS).unchanged == 6


@pytest.mark.parametrize(
    "other",
    [
        {"budget": 98},
        {"reserve": 1},
        {"salt": "x"},
        {"packing": Packing.STOP},
        {"prices": Prices(fresh=1, cached=0, written=1)},
        {"tokens": By("characters", len)},
    ],
)
def test_another_budget_counter_or_choice_is_not_answered_from_memory(other):
    registry, _ = rules(3)
    for _ in range(3):
        compile_blocks(registry, budget=99, tokens=WORDS)
    made = compile_blocks(registry, **({"budget": 99, "tokens": WORDS} | other))
    assert made == compile_blocks(registry.blocks, **({"budget": 99, "tokens": WORDS} | other))


def test_a_counter_that_says_it_adds_up_and_does_not_is_not_believed():
    registry, ids = rules(9)
    tokens = By("growing", lambda text: len(text) ** 2, additive=True)
    for n in range(3):
        registry.edit(ids[n], f"rule number {n}")
        made = compile_blocks(registry, budget=10**5, tokens=tokens)
        assert made.tokens == tokens.count(made.text)


def test_a_whole_that_is_dearer_than_its_parts_is_walked_when_it_no_longer_fits():
    registry, ids = rules(3)
    tokens = By("joints", lambda text: len(text.split()) + (50 if "extra" in text and "\n\n" in text.strip() else 0))
    compile_blocks(registry, budget=20, tokens=tokens)
    registry.edit(ids[1], "extra words")
    made = compile_blocks(registry, budget=20, tokens=tokens)
    assert made.tokens == tokens.count(made.text) <= 20
    assert made == compile_blocks(registry.blocks, budget=20, tokens=tokens)


def test_an_edit_leaves_alone_what_the_short_way_takes_for_granted():
    taken_for_granted = {"role", "trust", "band", "tool", "tool_calls", "tool_call_id", "requires"}
    assert not taken_for_granted & signature(Handle.edit).parameters.keys()
    assert not taken_for_granted & signature(Handle.group).parameters.keys()


class TestCountsAreKept:
    """What a counter counted once for a registry, it is not asked again."""

    def asked(self, tokens_additive):
        asked = []

        def count(text):
            asked.append(text)
            return len(text)

        return asked, By("remembered", count, additive=tokens_additive)

    @pytest.mark.parametrize("additive", [True, False])
    def test_another_budget_or_a_gate_counts_no_block_again(self, additive):
        asked, tokens = self.asked(additive)
        registry, ids = rules(50)
        ids += [registry.write(f"note {n}", name=f"n{n}", band=Band.VOLATILE) for n in range(50)]
        near = Gate(lambda task, blocks: [float(one.name == "n7") for one in blocks], top=1)
        compile_blocks(registry, budget=10**6, tokens=tokens)
        assert len(asked) == 102
        for choices in (
            {"budget": 10**5},
            {"budget": 300},
            {"budget": 10**6, "gate": near, "task": "t"},
            {"budget": 10**5, "gate": near, "task": "t", "packing": Packing.STOP},
            {"budget": 10**5},
        ):
            asked.clear()
            made = compile_blocks(registry, tokens=tokens, **choices)
            assert made == compile_blocks(registry.blocks, tokens=By("remembered", len), **choices)
            assert [text for text in asked if text != made.text] == []

    @pytest.mark.parametrize("additive", [True, False])
    def test_what_was_edited_in_between_is_known_too(self, additive):
        asked, tokens = self.asked(additive)
        registry, ids = rules(40)
        compile_blocks(registry, budget=10**6, tokens=tokens)
        for n in range(600):
            registry.edit(ids[n % 40], f"edited {n}")
            compile_blocks(registry, budget=10**6, tokens=tokens)
        registry.promote(ids[3], to="front")
        asked.clear()
        made = compile_blocks(registry, budget=10**5, tokens=tokens)
        assert asked == [made.text]
        registry.edit(ids[3], "long " * 10**5)  # closes the short way
        asked.clear()
        made = compile_blocks(registry, budget=10**5, tokens=tokens)
        assert {text for text in asked if text != made.text and len(text) < 10**5} == set()

    def test_another_counter_counts_for_itself(self):
        registry, _ = rules(5)
        compile_blocks(registry, budget=99, tokens=By("same name", len))
        assert compile_blocks(registry, budget=99, tokens=By("same name", lambda text: 1)).tokens == 1

    def test_what_is_kept_does_not_grow_with_the_edits(self):
        _, tokens = self.asked(tokens_additive=True)
        registry = Registry()
        ids = [registry.write(f"note {n}", name=f"n{n}", band=Band.VOLATILE) for n in range(10)]
        gate = Gate(lambda task, blocks: [1.0] * len(blocks), top=1)
        for n in range(100):
            registry.edit(ids[0], f"edited {n}")
            compile_blocks(registry, budget=99, tokens=tokens, gate=gate, task="t")
        assert len(ledger_of(registry).memo.counts()) < 40


def test_a_counter_that_fails_in_the_middle_leaves_nothing_behind():
    registry, ids = rules(3)
    sick = []

    def count(text):
        if sick and "bad" in text:
            raise OSError("sick")
        return len(text)

    tokens = By("sick", count, additive=True)
    compile_blocks(registry, budget=999, tokens=tokens)
    for change_it in (
        lambda: registry.edit(ids[0], "bad words"),
        lambda: (registry.evict(ids[1]), registry.write("bad too", name="n")),
    ):
        change_it()
        sick.append(True)
        with pytest.raises(OSError, match="sick"):
            compile_blocks(registry, budget=999, tokens=tokens)
        sick.clear()
        assert compile_blocks(registry, budget=999, tokens=tokens) == compile_blocks(registry.blocks, budget=999, tokens=tokens)


@pytest.mark.parametrize("answer", [-1, 1.5, None, True])
def test_a_counter_that_goes_wrong_after_a_change_is_refused(answer):
    registry, ids = rules(2)
    tokens = By("odd", lambda text: answer if "odd" in text else 1, additive=True)
    compile_blocks(registry, budget=99, tokens=tokens)
    registry.edit(ids[0], "odd")
    with pytest.raises(Exception, match="odd answered"):
        compile_blocks(registry, budget=99, tokens=tokens)


def test_a_change_that_overflows_the_required_blocks_is_refused_each_time():
    registry = Registry()
    block_id = registry.write("short", name="rule", required=True)
    compile_blocks(registry, budget=5, tokens=WORDS)
    registry.edit(block_id, "word " * 9)
    for _ in range(3):
        with pytest.raises(BudgetError):
            compile_blocks(registry, budget=5, tokens=WORDS)
    registry.edit(block_id, "short again")
    assert compile_blocks(registry, budget=5, tokens=WORDS).text == "short again"
