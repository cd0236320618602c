"""Reports: counts that add up, names in order, one line per fact, and never an id."""

from __future__ import annotations

from muniment.registry import Principal, Registry, Right
from muniment.registry.registry import ledger_of
from muniment.registry.reports import provenance, summary
from muniment.types import Band


class Letters:
    name, exact = "letters", True

    def count(self, text):
        return len(text)


def mixed():
    registry = Registry()
    ids = [
        registry.write("rules", name="rules", priority=1.0, tags=["safety", "core"], prefix="<", suffix=">"),
        registry.write("more", name="more", tags=["core"], run="r1"),
        registry.write("note", name="note", band=Band.VOLATILE, priority=0.0, run="r2"),
    ]
    guest = Principal("guest").accept(registry.invite(Right.READ, Right.WRITE))
    ids.append(guest.write("hello", name="hello", band=Band.SESSION, run="r1"))
    registry.group(ids[:2], name="pair")
    return registry, guest, ids


class TestSummary:
    def test_it_counts_what_is_there(self):
        registry, guest, _ = mixed()
        made = summary(ledger_of(registry), counter=Letters())
        assert made.count == 4
        assert made.bands == {"stable": 2, "session": 1, "volatile": 1}
        assert made.sources == {"agent": 4}
        assert made.tags == {"safety": 1, "core": 2}
        assert made.authors == {registry.author: 3, guest.author: 1}
        assert made.groups == {"pair": 2}
        assert made.characters == made.tokens == 7 + 4 + 5 + 4
        assert made.mean_priority == 0.5
        assert made.first == "rules"

    def test_accesses_are_those_of_all_blocks_together(self):
        registry, _, ids = mixed()
        ledger_of(registry).shown([])
        ledger_of(registry).shown(ids[:1])
        assert summary(ledger_of(registry)).accesses == 7

    def test_an_empty_registry_has_no_mean_and_no_first(self):
        made = summary(ledger_of(Registry()))
        assert (made.count, made.mean_priority, made.first, made.tokens) == (0, None, None, None)
        assert str(made) == "0 blocks, 0 characters\nshown 0 times"

    def test_it_prints_one_fact_per_line(self):
        registry, _, _ = mixed()
        assert str(summary(ledger_of(registry), counter=Letters())).splitlines() == [
            "4 blocks, 20 characters, 20 tokens",
            "shown 0 times, mean priority 0.50",
            "bands: stable 2, session 1, volatile 1",
            "sources: agent 4",
            "tags: safety 1, core 2",
            "groups: pair 2",
            "authors: 2",
            "first: rules",
        ]

    def test_names_that_would_break_a_line_are_spelled_out(self):
        registry = Registry()
        registry.write("x", name="a\nb\x1b[31m")
        assert summary(ledger_of(registry)).lines()[-1] == r"first: 'a\nb\x1b[31m'"
        assert r"'a\nb\x1b[31m'" in str(provenance(registry))


class TestProvenance:
    def test_names_stand_by_source_run_and_author_in_order(self):
        registry, guest, _ = mixed()
        made = provenance(registry)
        assert [(o.source, o.run, o.author == guest.author, o.names) for o in made.origins] == [
            ("agent", None, False, ("rules",)),
            ("agent", "r1", False, ("more",)),
            ("agent", "r1", True, ("hello",)),
            ("agent", "r2", False, ("note",)),
        ]
        assert made.count == 4

    def test_it_can_be_narrowed_to_a_run_or_an_author(self):
        registry, guest, _ = mixed()
        assert [o.names for o in provenance(registry, run="r1").origins] == [("more",), ("hello",)]
        assert [o.names for o in provenance(registry, author=guest.author).origins] == [("hello",)]
        assert provenance(registry, run="r2", author=guest.author).origins == ()

    def test_it_prints_one_line_each(self):
        registry, guest, _ = mixed()
        assert provenance(registry, author=guest.author).lines() == (f"agent of run r1 by {guest.author[:8]}: 1 (hello)",)


def test_no_report_holds_an_id():
    registry, _, ids = mixed()
    for report in (summary(ledger_of(registry)), provenance(registry)):
        assert not any(block_id in repr(report) + str(report) for block_id in ids)
