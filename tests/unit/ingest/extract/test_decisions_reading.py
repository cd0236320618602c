"""What is read as a decision, a commitment or an outcome, with which pieces, and what is not."""

# ruff: noqa: RUF001  signs of other scripts

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.architect import default_architecture
from muniment.ingest.extract.rules_decisions import read
from muniment.ingest.extract.rules_sentence import Context, Function, Sentence
from muniment.knowledge.decisions import hinted
from muniment.knowledge.values import Act, Modality
from muniment.testing.samples import sample_record
from muniment.text.sentences import sentences
from muniment.types import RecordId, Role, Scope, Trust

ANA = Scope(user="ana")


def candidates(text, *, before=(), speaker="user", subject=lambda _pronoun, _place: "", function=Function.STATEMENT, **changes):
    record = sample_record(ANA, text, speaker=speaker, **changes)
    context = Context(record=record, before=before, architecture=default_architecture(), mentions=(), timed=(), subject=subject)
    out = []
    for start, end in sentences(text):
        out += read(Sentence(text=text[start:end], start=start, end=end, function=function, speaker=speaker), context)
    return [found for found in out if not hinted(found)]


def one(text, **changes):
    found = candidates(text, **changes)
    assert len(found) == 1, [c.text for c in found]
    return found[0]


def test_a_decision_has_who_what_why_and_instead_of_what():
    found = one("We decided to use Postgres instead of MySQL because the JSON support is better.")
    assert (found.kind, found.act, found.subject, found.value) == ("decision", Act.STATE, "user", "Postgres")
    assert found.text == "user and others decided to use Postgres rather than MySQL because the JSON support is better"
    assert found.parts == {"rationale": ("the JSON support is better",), "alternatives": ("MySQL",)}


@pytest.mark.parametrize(
    ("text", "value", "why", "instead"),
    [
        ("After weighing Redis and Kafka, we went with NATS because it is simple.", "NATS", "it is simple", ("Redis", "Kafka")),
        ("I finally settled on the blue couch since it matches the rug.", "the blue couch", "it matches the rug", ()),
        ("Because the vendor was late, we opted for Acme over Borealis.", "Acme", "the vendor was late", ("Borealis",)),
        ("We considered Rome and Oslo. We picked Bern. The main reason was the lake.", "Bern", "the lake", ("Rome", "Oslo")),
        ("Decision: ship weekly. Why: small changes are easy to undo. Rejected: daily releases.", "ship weekly",
         "small changes are easy to undo", ("daily releases",)),
        ("The reason we chose Oslo is that rents are lower.", "Oslo", "rents are lower", ()),
        ("The old car kept breaking down. So I decided to buy a bike.", "buy a bike", "The old car kept breaking down", ()),
        ("Vendor B was chosen over vendor A for its support.", "Vendor B", "its support", ("vendor A",)),
        ("We scrapped the app in favour of a web page due to the cost.", "a web page", "the cost", ("the app",)),
        ("We were torn between a dog and a cat. A cat won because we travel.", "A cat", "we travel", ("a dog",)),
        ("I chose the early train. Why? It is never crowded.", "the early train", "It is never crowded", ()),
        ("We decided on slate for the roof; the price made the difference.", "slate for the roof", "the price", ()),
    ],
)  # fmt: skip
def test_reasons_and_alternatives_are_found_where_they_stand(text, value, why, instead):
    found = candidates(text)[0]
    assert found.value == value
    assert found.parts.get("rationale", ())[:1] == (why,)
    assert found.parts.get("alternatives", ()) == instead


@pytest.mark.parametrize(
    "text",
    [
        "Should we go with Redis or Kafka?",
        "Maybe we should go with Redis.",
        "We haven't decided yet.",
        "If we decided to use Redis, it would be cheaper.",
        "I can't decide between the red and the blue one.",
        "I would have chosen the red one.",
        "People decide to move for many reasons.",
        "I usually decide on Fridays what to cook.",
        "I picked up the kids and went for a run.",
        "I went with my sister to the market.",
        "I wish we had decided on the other house.",
        "It will rain tomorrow.",
        "I'll be thirty next year.",
        "I'll probably send it tomorrow.",
        "I'm going to the park tomorrow.",
        "That worked great.",
        "He might go with Pulsar.",
    ],
)
def test_suggestions_questions_habits_and_wishes_are_no_decisions(text):
    assert candidates(text) == []


def test_what_a_decision_hangs_on_is_kept():
    assert one("We'll go with Stripe if the fees stay low.").parts == {"depends_on": ("the fees stay low",)}
    both = one("We agreed to move the date. It all depends on the permit.")
    assert both.parts == {"depends_on": ("the permit",)}


def test_a_decision_against_something_says_so():
    found = one("We decided against hiring an agency because of the cost.")
    assert (found.negated, found.value) == (True, "against hiring an agency")
    assert found.parts["alternatives"] == ("hiring an agency",)


def test_a_reversal_corrects_what_was_decided_before():
    found = candidates("Scratch that, not oak after all. We decided on granite instead, because oak stains.")[0]
    assert (found.act, found.targets, found.value) == (Act.CORRECT, ("oak",), "granite")


def test_who_decides_is_the_speaker_a_name_or_whom_a_pronoun_stands_for():
    assert one("I decided to stay.", speaker="Caroline").text == "Caroline decided to stay"
    assert one("Ben decided to leave because he was tired.").subject == "Ben"
    assert one("She decided to stay in Oslo.", subject=lambda _p, _at: "Maren").subject == "Maren"
    assert candidates("She decided to stay in Oslo.") == []
    assert one("You decided on the Pro plan.", role=Role.ASSISTANT, speaker="assistant").subject == "user"


def test_first_persons_become_third():
    text = one("I've decided that I'm taking my mother along because we both need it.", speaker="Ana").text
    assert text == "Ana decided that they are taking their mother along because they both need it"


def test_what_an_earlier_record_weighed_is_named_by_its_id_and_not_copied():
    asked = sample_record(ANA, "Should we use Redis or Kafka for the jobs?", role=Role.ASSISTANT, speaker="assistant")
    found = one("We decided to use Kafka.", before=(asked,))
    assert found.parts == {"considered_in": (asked.id,)}
    assert "Redis" not in found.text
    untrusted = replace(asked, role=Role.TOOL, trust=Trust.UNTRUSTED, id=RecordId("tool"))
    assert one("We decided to use Kafka.", before=(untrusted,)).parts == {}


def test_a_commitment_has_an_owner_a_deed_and_a_deadline():
    found = one("I'll send the report by Friday.", speaker="Ana")
    assert (found.kind, found.modality, found.value) == ("commitment", Modality.PLANNED, "send the report by Friday")
    assert found.parts == {"owner": ("Ana",), "deadline": ("by Friday",)}
    assert one("Ben will review the contract tomorrow.").parts == {"owner": ("Ben",), "deadline": ("tomorrow",)}
    assert one("Action item: Sarah to draft the contract by Monday.").subject == "Sarah"
    assert one("I'll email you the invoice.", role=Role.ASSISTANT, speaker="assistant").parts["owner"] == ("assistant",)
    assert one("Let's meet on Tuesday at 3pm.").kind == "commitment"


def test_an_outcome_points_at_what_it_is_about():
    found = one("The migration to Postgres cut latency by half.")
    assert found.act is Act.OUTCOME
    assert "Postgres" in found.targets
    assert found.parts == {"outcome": ("The migration to Postgres cut latency by half",)}


def test_an_outcome_that_names_nothing_is_about_the_decision_before_it():
    decided = sample_record(ANA, "We decided to rent the smaller hall.")
    found = one("That worked out well.", before=(decided,))
    assert found.act is Act.OUTCOME
    assert {"smaller", "hall"} <= set(found.targets)


@pytest.mark.parametrize(
    ("text", "value", "why"),
    [
        ("我们最终决定用Postgres而不是MySQL，因为它更稳定。", "Postgres", "它更稳定"),
        ("Wir haben uns für Lissabon entschieden, weil das Wetter besser ist.", "Lissabon", "das Wetter besser ist"),
        ("Nous avons décidé de rester au lieu de partir parce que c'est plus sûr.", "rester", "c'est plus sûr"),
        ("Decidimos usar Postgres en lugar de MySQL porque es más estable.", "usar Postgres", "es más estable"),
        ("Decidimos usar Postgres em vez de MySQL porque é mais estável.", "usar Postgres", "é mais estável"),
        ("安定しているので、Postgresを採用しました。", "Postgres", "安定している"),
    ],
)  # fmt: skip
def test_plain_decisions_in_other_languages(text, value, why):
    found = one(text)
    assert (found.kind, found.value) == ("decision", value)
    assert found.parts["rationale"] == (why,)


def test_G04_a_chinese_decision_is_captured_without_a_model():
    found = one("我决定下周改用 PostgreSQL")
    assert (found.kind, found.subject, found.value) == ("decision", "user", "下周改用 PostgreSQL")


def test_words_of_tools_stay_untrusted():
    found = one("We decided to use Postgres.", role=Role.TOOL, trust=Trust.UNTRUSTED)
    assert found.trust is Trust.UNTRUSTED


def test_refused_sentences_give_nothing():
    text = "We decided to use Postgres."
    record = sample_record(ANA, text)
    context = Context(
        record=record, before=(), architecture=default_architecture(), mentions=(), timed=(), subject=lambda _p, _a: ""
    )
    sentence = Sentence(text=text, start=0, end=len(text), function=Function.DECISION, speaker="user", refusal="recalled")
    assert read(sentence, context) == ()


@given(st.text(max_size=300))
def test_no_text_is_an_error_and_evidence_lies_in_it(text):
    for found in candidates(f"We decided {text} because {text}"):
        assert 0 <= found.evidence.start < found.evidence.end <= len(text) * 2 + 20


@pytest.mark.parametrize("piece", ["a", "we ", "and ", "because ", ", ", "X or ", "decided on ", "’", "决定", "-", "I'll ", "("])
def test_a_hundred_thousand_of_anything_are_read(piece):
    text = "We decided on " + piece * (100_000 // len(piece))
    record = sample_record(ANA, text)
    context = Context(
        record=record, before=(record,), architecture=default_architecture(), mentions=(), timed=(), subject=lambda _p, _a: ""
    )
    read(Sentence(text=text, start=0, end=len(text), function=Function.STATEMENT, speaker="user"), context)


@pytest.mark.parametrize(
    "text",
    [
        "My sister Ana broke her arm because she fell.",
        "We went to Rome instead of Paris last summer.",
        "We took the train instead of the bus yesterday.",
        "Mara chose she rather than he in that sentence.",
        "My brother dropped his phone instead of his keys.",
        "Ben adopted a dog because he was lonely.",
        "She picked flowers rather than berries.",
        "I kept my promise because of her.",
    ],
)
def test_what_is_told_of_the_day_is_no_decision(text):
    assert not candidates(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("For billing we go with Postgres.", "Postgres for billing"),
        ("For the queue, we're going with Kafka because it scales.", "Kafka for the queue"),
        ("For storage, the team settled on S3.", "S3 for storage"),
    ],
)
def test_what_a_choice_is_for_may_stand_in_front(text, value):
    assert one(text).value == value


@pytest.mark.parametrize("text", ["For breakfast I go with oats.", "For years we go with the flow.", "For now I run."])
def test_a_habit_or_a_time_in_front_is_no_purpose(text):
    assert not candidates(text)


@pytest.mark.parametrize(
    "text",
    [
        "We'll keep pushing each other.",
        "Let's keep smiling together.",
        "We'll take a break and go for a swim because it is hot.",
        "I took my rabbits out for some air because they were restless.",
        "I love how quiet it is.",
        "I picked this colour because it is bold.",
        "I kept stumbling because of the ice.",
    ],
)
def test_cheering_idioms_and_what_is_only_pointed_at_are_no_decisions(text):
    assert not [c for c in candidates(text) if c.kind == "decision"]


@pytest.mark.parametrize(
    ("text", "value"), [("We'll keep using Postgres because it works.", "Postgres"), ("Let's keep the old logo.", "the old logo")]
)
def test_to_keep_something_is_a_decision(text, value):
    assert one(text).value == value


@pytest.mark.parametrize("text", ["I'll let you know.", "We will make a difference.", "I'll keep going.", "I'll check it out."])
def test_courtesy_and_cheer_promise_nothing(text):
    assert not candidates(text)


def test_you_is_whoever_was_spoken_to_by_name():
    before = [sample_record(ANA, "Which one is it?", speaker="Ben")]
    assert one("You chose the red tiles over the blue ones.", before=before, speaker="Ana").subject == "Ben"
