"""Confidence rises with what the records say of the question, and falls where somebody else said it."""

from hypothesis import given
from hypothesis import strategies as st

from muniment.retrieve.rules_confidence import confidence

share = st.floats(0, 2)
lead = st.floats(-2, 2)


@given(share, share, lead)
def test_more_of_the_question_is_never_less_confidence(one, other, ahead):
    low, high = sorted((one, other))
    assert 0 <= confidence(low, ahead) <= confidence(high, ahead) <= 1


@given(share, lead, lead)
def test_being_ahead_of_what_others_said_is_never_less_confidence(close, one, other):
    low, high = sorted((one, other))
    assert confidence(close, low) <= confidence(close, high)
