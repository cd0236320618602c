"""Token counters: exact ones agree with themselves however long the text, the estimate is close, fast in kind and never fails."""

# ruff: noqa: RUF001  texts in many scripts are the point

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import InputError, MissingExtra
from muniment.providers.tokens import BpeTokens, EstimatedTokens, _parts

LETTER = (
    "Dear Ms Okafor, thank you for the bread you left at our door on Tuesday. My brother finished it before I came home, so "
    "I know only from his face how good it was. We are moving to the blue house by the mill in March, and the oven there is "
    "larger than our whole kitchen here. Would you teach us? We can offer apples, a cello lesson, and a dog who listens. "
)
CODE = '''
def weigh(parcels: list[dict], limit_kg: float = 31.5) -> dict[str, float]:
    """Total weight per depot, refusing what a courier may not carry."""
    totals: dict[str, float] = {}
    for parcel in parcels:
        if parcel["kg"] > limit_kg:
            raise ValueError(f"parcel {parcel['id']} weighs {parcel['kg']} kg")
        totals[parcel["depot"]] = totals.get(parcel["depot"], 0.0) + parcel["kg"]
    return totals
'''
JSON = '{"order": {"id": "A-10442", "lines": [{"sku": "mug-blue", "n": 2, "price": 11.90}, {"sku": "tea-250"}], "paid": true}}'
OWN = {
    "letter": LETTER,
    "code": CODE,
    "json": JSON,
    "german": "Am Samstag fahren wir mit dem Rad zum See; wenn es regnet, bleiben wir zu Hause und backen einen Pflaumenkuchen.",
    "french": "Samedi, nous irons au lac à vélo ; s'il pleut, nous resterons à la maison et nous ferons une tarte aux prunes.",
    "spanish": "El sábado iremos al lago en bicicleta; si llueve, nos quedaremos en casa y haremos una tarta de ciruelas.",
    "russian": "В субботу мы поедем на велосипедах к озеру, а если пойдёт дождь, останемся дома и испечём пирог со сливами.",
    "greek": "Το Σάββατο θα πάμε στη λίμνη με το ποδήλατο· αν βρέξει, θα μείνουμε σπίτι και θα φτιάξουμε μια τάρτα.",
    "arabic": "يوم السبت سنذهب إلى البحيرة بالدراجة، وإذا هطل المطر فسنبقى في البيت ونخبز كعكة.",
    "hindi": "शनिवार को हम साइकिल से झील जाएँगे, और अगर बारिश हुई तो घर पर रहकर केक बनाएँगे।",
    "chinese": "星期六我们骑自行车去湖边，如果下雨就待在家里烤一个李子蛋糕。",
    "japanese": "土曜日は自転車で湖へ行きます。雨が降ったら家でプラムのケーキを焼きます。",
    "korean": "토요일에는 자전거를 타고 호수에 가고, 비가 오면 집에서 자두 케이크를 구울 거예요.",
}


@pytest.fixture(scope="module")
def exact():
    return BpeTokens()


@pytest.mark.parametrize("name", OWN)
def test_the_estimate_is_near_the_exact_count(exact, name):
    truth = exact.count(OWN[name])
    assert 0.8 * truth <= EstimatedTokens().count(OWN[name]) <= 1.4 * truth


def test_the_estimate_of_many_texts_together_is_nearer_still(exact):
    truth, estimate = (sum(counter.count(text) for text in OWN.values()) for counter in (exact, EstimatedTokens()))
    assert 0.9 * truth <= estimate <= 1.15 * truth


@given(st.text(st.characters(), max_size=300))
def test_counters_never_fail_and_never_give_nothing_for_something(text):
    for counter in (EstimatedTokens(), BpeTokens()):
        count = counter.count(text)
        assert count == counter.count(text)
        assert (count > 0) == bool(text)


@given(st.text(max_size=200), st.text(max_size=200))
def test_the_estimate_of_a_joined_text_is_near_the_sum_of_its_parts(left, right):
    counter = EstimatedTokens()
    assert abs(counter.count(left + right) - counter.count(left) - counter.count(right)) <= 3


def test_lone_surrogates_and_nul_are_counted():
    for text in ("\ud83d", "a\udc00b", "\ud83d" * 50, "a\0b"):
        assert EstimatedTokens().count(text) >= 1
        assert BpeTokens().count(text) >= 1


def test_known_exact_counts():
    assert BpeTokens("o200k_base").count("hello world") == 2
    assert BpeTokens("cl100k").count("hello world") == 2
    assert BpeTokens("cl100k").name == "cl100k_base"
    assert BpeTokens().count("") == 0


def test_special_tokens_count_as_the_text_they_are(exact):
    assert exact.count("<|endoftext|>") > 1


@pytest.mark.parametrize(
    "text", [LETTER * 40, CODE * 30, JSON * 40, "\n\n".join(OWN.values()) * 4], ids=["letter", "code", "json", "all"]
)
@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base"])
@pytest.mark.parametrize("most", [300, 1001, 2500])
def test_cutting_a_long_text_does_not_change_its_count(text, encoding, most):
    counter = BpeTokens(encoding)
    parts = list(_parts(text, most))
    assert "".join(parts) == text
    assert max(map(len, parts)) <= most
    assert sum(counter.count(part) for part in parts) == counter.count(text)


def test_texts_of_any_length_can_be_counted(exact):
    each = exact.count(LETTER * 3) - exact.count(LETTER * 2)
    assert exact.count(LETTER * 3000) == exact.count(LETTER) + 2999 * each
    assert exact.count("a" * 1_000_001) > 0


def test_an_unknown_encoding_is_refused_with_the_known_ones():
    with pytest.raises(InputError, match="o200k_base") as error:
        BpeTokens("p50k")
    assert error.value.reason == "tokens_unknown"


def test_a_missing_extra_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "bpe_openai", None)
    with pytest.raises(MissingExtra, match=r"pip install 'muniment\[tokens\]'"):
        BpeTokens()


def test_counters_say_what_they_are():
    assert (EstimatedTokens().name, EstimatedTokens().exact) == ("estimate", False)
    assert (BpeTokens().name, BpeTokens().exact) == ("o200k_base", True)


def test_counts_are_kept_within_bounds_and_stay_what_they_are():
    counter = BpeTokens(keep=2)
    texts = [LETTER, CODE, "a boat", "\ud800 half", ""]
    first = [counter.count(text) for text in texts]
    assert counter.kept <= 2
    assert [counter.count(text) for text in texts] == first == [BpeTokens().count(text) for text in texts]
    counter.count("a boat")
    assert counter.kept > 0
