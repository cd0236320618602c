"""Confidence rises with what the records say of the question, and falls where somebody else said it or nobody did."""

from hypothesis import given
from hypothesis import strategies as st

import muniment
from muniment import Scope
from muniment.retrieve.rules_confidence import confidence

share = st.floats(0, 2)
lead = st.floats(-2, 2)
part = st.floats(0, 1)


@given(share, share, lead, part)
def test_more_of_the_question_is_never_less_confidence(one, other, ahead, unheld):
    low, high = sorted((one, other))
    assert 0 <= confidence(low, ahead, unheld) <= confidence(high, ahead, unheld) <= 1


@given(share, lead, lead, part)
def test_being_ahead_of_what_others_said_is_never_less_confidence(close, one, other, unheld):
    low, high = sorted((one, other))
    assert confidence(close, low, unheld) <= confidence(close, high, unheld)


@given(share, lead, part, part)
def test_words_that_no_record_holds_are_never_more_confidence(close, ahead, one, other):
    low, high = sorted((one, other))
    assert confidence(close, ahead, high) <= confidence(close, ahead, low)


def test_a_question_with_a_word_that_nobody_said_is_less_sure():
    scope = Scope(user="ana")
    with muniment.sync.open("memory://", embedder=None) as engine:
        engine.ingest(scope, ["The red boat lies in the harbour.", "The harbour is deep."])
        sure, less = (engine.retrieve(scope, q).confidence for q in ("Where is the red boat?", "Where is the red violin?"))
        assert less < sure
