"""Proposals: archetypes are chosen by their words and merged, out of scope counts against, and every choice is told."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.architect import archetypes, check, default_architecture, propose, propose_with, read_architecture
from muniment.architect.rules_merge import granted
from muniment.architect.rules_usecase import MOST, read_use_case
from muniment.architect.rules_wishes import wishes
from muniment.errors import InputError
from muniment.knowledge.architecture import Keep

MIXED = """# Night desk

Our agent answers callers of the hotline of a hospital: patients describe their symptoms and the medication they take before a
visit, and a nurse reads the summary.

It also answers questions of customers about billing, refunds and late invoices, and opens tickets for the support team.
"""


def chosen(use_case):
    return [fit.archetype.name for fit in propose(use_case).fits if fit.chosen]


@pytest.mark.parametrize("archetype", archetypes(), ids=lambda one: one.name)
def test_an_archetype_is_chosen_alone_by_its_own_description_and_by_its_examples(archetype):
    assert chosen(archetype.description) == [archetype.name]
    assert chosen("\n".join(archetype.examples))[0] == archetype.name


@pytest.mark.parametrize(
    ("use_case", "name"),
    [
        ("We want a bot for subscribers whose parcel is late or who want their money back: refunds and returns.", "support"),
        ("Reads a stack trace, finds the bug in our repository and writes tests until the build is green.", "coding"),
        ("Keeps notes on prospects and deals for our account executives, with pricing and competitors.", "sales"),
        ("Plans my week, reminds me of birthdays and books a restaurant that fits my diet.", "assistant"),
        ("Helps pupils with homework in algebra and prepares them for exams.", "tutor"),
        ("Reads papers and writes a literature review with citations.", "research"),
        ("Is on call at night: looks at alerts, follows the runbook, writes the postmortem of the incident.", "operations"),
        ("Asks patients about pain and allergies before they see the doctor.", "health"),
        ("Reviews contracts for attorneys and watches court deadlines.", "legal"),
    ],
)
def test_a_use_case_in_other_words_finds_its_archetype(use_case, name):
    assert chosen(use_case)[0] == name


def test_two_paragraphs_of_two_sorts_are_merged_with_the_stricter_rules():
    proposed = propose(MIXED)
    assert {"health", "support"} == {fit.archetype.name for fit in proposed.fits if fit.chosen}
    architecture = proposed.architecture
    assert {"condition", "medication", "issue", "fact"} <= {rule.name for rule in architecture.kinds}
    assert architecture.agent == "night-desk"
    assert set(architecture.archetypes) == {"health", "support"}
    assert architecture.pii["card"] is Keep.MASK
    assert architecture.private_conversations
    assert architecture.admission.confidence == 0.75
    fact = architecture.kind("fact")
    assert fact
    assert fact.keep == timedelta(days=3650)  # health must keep records: the longer of 10 and 3 years
    assert {"insurance", "plan", "lives_in"} <= set(fact.functional)
    assert "# from support, health; of 10 years and 3 years the longer, since records must be kept" in proposed.text


def test_the_shorter_retention_holds_where_nothing_must_be_kept():
    text = (
        "Fixes bugs in our repository and opens pull requests with tests.\n\nAnswers customers about refunds, tickets, billing."
    )
    proposed = propose(text)
    assert {fit.archetype.name for fit in proposed.fits if fit.chosen} == {"coding", "support"}
    commitment = proposed.architecture.kind("commitment")
    assert commitment
    assert commitment.keep == timedelta(days=180)


def test_out_of_scope_speaks_against():
    inside = "# Desk\n\n## Tasks\n- Qualify leads\n- Answer customers about refunds and tickets\n"
    outside = (
        "# Desk\n\n## Tasks\n- Qualify leads and prospects for our sales reps\n\n"
        "## Out of scope\n- Refunds and tickets of customers\n"
    )
    assert "support" in chosen(inside)
    assert chosen(outside) == ["sales"]
    assert "Not taken: support, which is out of scope by:" in "\n".join(propose(outside).notes)


def test_every_choice_is_explained_with_score_and_words():
    proposed = propose(MIXED)
    for fit in proposed.fits:
        if fit.chosen:
            told = f"{fit.archetype.name} (score {fit.score:.2f})"
            assert f"# {told}" in proposed.text
            assert fit.words[0] in proposed.text


def test_what_is_asked_for_outright_is_granted_and_told_by_its_line():
    text = (
        "Answers customers about orders and refunds.\n"
        "Customers write in German or Portuguese.\n"
        "Never store passwords or phone numbers.\n"
        "Delete everything after 90 days.\n"
        "Our office is in Europe/Lisbon, not in Mars/Base.\n"
        "Conversations are private.\n"
    )
    proposed = propose(text)
    architecture = proposed.architecture
    assert architecture.languages == ("de", "pt")
    assert architecture.pii["phone"] is architecture.pii["secret"] is Keep.MASK
    assert all(rule.keep and rule.keep <= timedelta(days=90) for rule in architecture.kinds)
    assert architecture.timezone == "Europe/Lisbon"
    assert architecture.private_conversations
    for line in (2, 3, 4, 5, 6):
        assert f"Line {line}: " in "\n".join(proposed.notes)


RULES = next(one.architecture for one in archetypes() if one.name == "operations")


def wished(text):
    """What a line changes in the rules of an agent on call, and whether a part of it is said not to be understood."""
    asked = wishes(read_use_case(text), kinds=[rule.name for rule in RULES.kinds], is_zone=lambda _: True)
    now = granted(RULES, asked)
    changed: dict[str, object] = {name: keep for name, keep in now.pii.items() if keep is not RULES.pii.get(name, Keep.KEEP)}
    for old, new in zip(RULES.kinds, now.kinds, strict=True):
        changed |= {f"{new.name}.keep": new.keep.days} if new.keep != old.keep and new.keep else {}
        changed |= {f"{new.name}.unused": new.forget_unused.days} if new.forget_unused != old.forget_unused else {}
        changed |= {f"{new.name}.off": True} if not new.enabled else {}
    told = [one for one in asked.told if one.line == 1]
    return changed, any(one.what.startswith("not understood: ") for one in told)


@pytest.mark.parametrize(
    ("text", "changed", "unclear"),
    [
        ("Refuse card numbers.", {"card": Keep.REFUSE}, False),
        ("Messages with card numbers are rejected.", {"card": Keep.REFUSE}, False),
        ("Mask phone numbers and IP addresses.", {"phone": Keep.MASK, "ip": Keep.MASK}, False),
        ("E-mail addresses are masked.", {"email": Keep.MASK}, False),
        ("Tokenise e-mail addresses and card numbers.", {"email": Keep.TOKENISE}, False),
        ("Phone numbers must never be stored in the logs.", {"phone": Keep.MASK}, False),
        ("Don\u2019t keep email addresses.", {"email": Keep.MASK}, False),
        ("Never store medical details or phone numbers.", {"phone": Keep.MASK}, True),
        ("Never store phone numbers unless asked.", {"phone": Keep.MASK}, True),
        ("Never mask phone numbers.", {}, True),
        ("Delete passwords.", {}, True),
        ("Never store medical details.", {}, True),
        ("Comply with GDPR.", {}, True),
        ("Refuse refunds above 50 euros.", {}, False),
        ("Never ask for card numbers.", {}, False),
        ("Don't remember decisions.", {"decision.off": True}, False),
        ("Do not store facts about other customers.", {}, True),
        ("Keep decisions for 5 years.", {"decision.keep": 5 * 365}, False),
        ("Facts are deleted after 30 days.", {"fact.keep": 30}, False),
        ("Keep incidents for 2 years.", {}, True),
        ("Incidents are kept for 2 years.", {}, True),
        ("Keep facts and incidents for a week.", {"fact.keep": 7}, True),
        ("Keep records for at least 7 years.", {}, True),
        ("After 90 days, delete everything.", {}, True),
        ("Forget decisions nobody asked for in 6 months.", {"decision.unused": 180}, False),
    ],
)
def test_a_wish_is_granted_as_far_as_it_is_understood_and_the_rest_is_named(text, changed, unclear):
    assert wished(text) == (changed, unclear)


@pytest.mark.parametrize(
    "text",
    [
        "Wipe all data on request.",
        "Be discreet about salaries.",
        "Never share anything between customers.",
        "What a patient says is confidential.",
    ],
)
def test_a_rule_about_privacy_that_no_key_can_hold_is_named(text):
    [told] = wishes(read_use_case(f"# Desk\n\n## Rules\n- {text}\n"), kinds=["fact"], is_zone=lambda _: True).told
    assert told.what == f"not understood: “{text[:-1]}”"
    assert told.line == 4


@pytest.mark.parametrize("text", ["Forget what is not used for 90 days.", "Delete unused memories after ninety days."])
def test_what_is_not_used_is_forgotten_and_what_is_used_keeps_its_time(text):
    changed, unclear = wished(text)
    assert changed == {f"{rule.name}.unused": 90 for rule in RULES.kinds}
    assert not unclear


@pytest.mark.parametrize(
    "text", ["Delete data after 24 hours.", "Nothing is kept for longer than one day.", "We keep customer data for 1 day."]
)
def test_a_span_without_a_kind_bounds_every_kind(text):
    changed, unclear = wished(text)
    assert changed == {f"{rule.name}.keep": 1 for rule in RULES.kinds}
    assert not unclear


def test_storing_that_is_out_of_scope_is_never_done():
    proposed = propose("# Desk\n\n## Out of scope\n- Storing phone numbers\n\n## Rules\n- Handle personal data with care.\n")
    assert proposed.architecture.pii["phone"] is Keep.MASK
    assert "Line 7: not understood: “Handle personal data with care”." in proposed.notes


@pytest.mark.parametrize(
    "text",
    ["Ein Agent, der bei Bestellungen hilft.", "注文について答えるエージェント", "xyzzy plugh", "🦀🦀🦀", "A bot.", "سلام دنیا"],
)
def test_words_that_no_archetype_knows_give_the_default_rules_and_say_so(text):
    proposed = propose(text)
    assert proposed.architecture.kinds == default_architecture().kinds
    assert proposed.notes[0].startswith("No archetype fits")
    assert "English" in proposed.text


@pytest.mark.parametrize(
    ("text", "code"), [("", "empty"), (" \n\t\u200b", "empty"), ("a\0b", "not_text"), ("x" * (MOST + 1), "too_large")]
)
def test_what_is_no_use_case_is_refused(text, code):
    with pytest.raises(InputError) as raised:
        propose(text, place="use.md")
    assert (raised.value.reason, raised.value.place) == (code, "use.md")
    assert raised.value.hint


@settings(deadline=None)
@given(st.text(min_size=1))
def test_any_words_give_a_file_that_reads_back_as_what_is_proposed(text):
    try:
        proposed = propose(text)
    except InputError:
        return
    assert read_architecture(proposed.text) == proposed.architecture
    assert propose(text) == proposed


@pytest.mark.parametrize(
    "char", ["a", " ", "#", "-", "keep ", "never ", "in German and ", "a:", "*", "\n", "/A", "é", "字", "private "]
)
def test_a_long_run_of_one_thing_is_read(char):
    text = f"x {char * (100_000 // len(char))}"
    assert check(propose(text).text).architecture


async def answer_with(text, use_case=MIXED):
    draft = propose(use_case)

    async def ask(orders, question):
        assert "one YAML document" in orders
        assert use_case in question
        return text(draft) if callable(text) else text

    return draft, await propose_with(ask, use_case, draft, model="scripted")


async def test_a_models_proposal_is_taken_when_it_passes_the_checks():
    _, taken = await answer_with(
        lambda draft: f"```yaml\n{draft.text}\n```".replace("  issue:", "  dispute:\n    keep: 1 year\n  issue:")
    )
    assert taken.by == "scripted"
    assert not taken.faults
    assert taken.architecture.kind("dispute")
    assert read_architecture(taken.text) == taken.architecture
    assert "Proposed by scripted" in taken.text


@pytest.mark.parametrize(
    ("edit", "path"),
    [
        (("card: mask", "card: keep"), "pii.card"),
        (("private_conversations: true", "private_conversations: false"), "private_conversations"),
        (("agent: night-desk", "agent: other"), "agent"),
        (("mode: rules", "mode: model\n  model: openai:m"), "extraction"),
        (("  issue:", "  dispute:\n    share: client\n  issue:"), "kinds.dispute.share"),
        (("keep: 10 years", "keep: forever"), "kinds.fact.keep"),
        (("kinds:", "kindz:"), "kindz"),
    ],
)
async def test_a_models_proposal_that_loosens_or_breaks_rules_is_refused_and_the_draft_kept(edit, path):
    draft, kept = await answer_with(lambda draft: draft.text.replace(*edit))
    assert path in [fault.path for fault in kept.faults]
    assert kept.text == draft.text
    assert kept.by == "rules"


@pytest.mark.parametrize("text", ["", "I cannot help with that.", "\0", "kinds:\n  fact: {share: client}"])
async def test_an_answer_that_is_no_architecture_keeps_the_draft(text):
    draft, kept = await answer_with(text)
    assert kept.faults
    assert kept.text == draft.text
