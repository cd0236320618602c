"""A dry compile chooses what a compile would and leaves no trace; a compile counts what it shows, across threads too."""

from __future__ import annotations

from threading import Barrier, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.compile import compile as compile_blocks
from muniment.compile.gate import Gate
from muniment.errors import BudgetError
from muniment.registry import Registry
from muniment.registry.registry import ledger_of
from muniment.testing import CountingTokens
from muniment.types import Band, Packing, Role, Trust

WORDS = CountingTokens()


def state(registry):
    ledger = ledger_of(registry)
    counts = [registry.accesses(block.id) for block in registry.blocks]
    return registry.version, registry.blocks, counts, registry.journal.to_dicts(), ledger.memo


def filled(sizes):
    registry = Registry()
    for n, (size, band, required) in enumerate(sizes):
        registry.write("word " * size, name=f"b{n}", band=band, required=required)
    return registry


SIZES = st.lists(st.tuples(st.integers(0, 9), st.sampled_from(Band), st.booleans()), max_size=12)


@given(SIZES, st.integers(1, 60), st.sampled_from(Packing), st.booleans())
def test_a_dry_compile_chooses_the_same_and_changes_nothing_at_all(sizes, budget, packing, gated):
    registry = filled(sizes)
    gate = Gate(lambda task, blocks: [float(len(block.text)) for block in blocks], top=2)
    more = {"gate": gate, "task": "t"} if gated else {}
    before = state(registry)
    try:
        dry = compile_blocks(registry, budget=budget, tokens=WORDS, packing=packing, dry=True, **more)
    except BudgetError:
        assert state(registry) == before
        with pytest.raises(BudgetError):
            compile_blocks(registry, budget=budget, tokens=WORDS, packing=packing, **more)
        assert state(registry) == before
        return
    assert state(registry) == before
    made = compile_blocks(registry, budget=budget, tokens=WORDS, packing=packing, **more)
    assert made == dry
    assert registry.blocks == before[1]
    assert [registry.accesses(b.id) for b in registry.blocks] == [int(b in made.blocks) for b in registry.blocks]


def test_only_blocks_that_reached_the_prompt_are_counted():
    registry = Registry()
    ids = [registry.write(text, name=text[:3], band=Band.VOLATILE) for text in ("one", "two words", "three words here", "four")]
    gate = Gate(lambda task, blocks: [1.0, 1.0, 1.0, 0.0], threshold=0.5)
    for _ in range(3):
        compile_blocks(registry, budget=6, tokens=WORDS, gate=gate, task="t")
    assert [registry.accesses(block_id) for block_id in ids] == [3, 3, 0, 0]
    compile_blocks(registry, budget=50, tokens=WORDS)
    compile_blocks(registry.blocks, budget=50, tokens=WORDS)
    assert [registry.accesses(block_id) for block_id in ids] == [4, 4, 1, 1]


def test_a_block_written_while_its_registry_is_compiled_is_not_counted():
    registry = Registry()
    first = registry.write("there before", name="a")
    late = []

    class Slow:
        name, exact = "slow", True

        def count(self, text):
            if not late:
                late.append(registry.write("came later", name="b"))
            return len(text)

    assert compile_blocks(registry, budget=99, tokens=Slow()).names == ("a",)
    assert [registry.accesses(block_id) for block_id in (first, late[0])] == [1, 0]
    assert compile_blocks(registry, budget=99, tokens=Slow()).names == ("a", "b")


def test_what_a_handle_shows_is_compiled_without_a_trace():
    registry = Registry()
    registry.write("rule", name="a")
    before = state(registry)
    assert compile_blocks(list(registry), budget=9, tokens=WORDS).names == ("a",)
    assert state(registry) == before


def test_compiles_in_several_threads_are_each_of_one_moment_and_all_counted():
    registry = Registry()
    pairs = [registry.write("pair 0", name="pair") for _ in range(2)]
    fixed = registry.write("fixed", name="fixed", band=Band.PINNED)
    torn, done, start = [], [], Barrier(5)

    def write():
        start.wait()
        for n in range(300):
            registry.write(f"note {n}", name="note", band=Band.SESSION)
            registry.reorder(pairs[:: 1 if n % 2 else -1])
            if n % 5 == 0:
                data = registry.write(f"data {n}", name="m", band=Band.VOLATILE, trust=Trust.UNTRUSTED, role=Role.DOCUMENT)
                registry.evict(data)
            registry.evict(registry.named("note")[0].id)

    def read():
        start.wait()
        for n in range(300):
            made = compile_blocks(registry, budget=10_000 + n % 2, tokens=WORDS)
            done.append(made)
            text = made.text
            if text.count("pair") != 2 or not text.startswith("fixed") or made.tokens != WORDS.count(text):
                torn.append(text)
            if "\n\n".join(block.text for block in made.blocks if block.band < Band.SESSION) not in text:
                torn.append(text)

    threads = [Thread(target=write), *(Thread(target=read) for _ in range(4))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert torn == []
    assert len(done) == registry.accesses(fixed) == registry.accesses(pairs[0]) == 1200
