"""The plain frames of other languages."""

from __future__ import annotations

import pytest
from tests.unit.ingest.extract.facts_read import read, slots


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("Ich heiße Jonas.", "name", "Jonas"),
        ("Ich wohne in Berlin.", "lives_in", "Berlin"),
        ("Ich arbeite bei Siemens.", "works_at", "Siemens"),
        ("J'habite à Paris.", "lives_in", "Paris"),
        ("Je m\u2019appelle Claire.", "name", "Claire"),
        ("J'aime le vin rouge.", "likes:le vin rouge", "likes"),
        ("Vivo en Madrid.", "lives_in", "Madrid"),
        ("Me llamo Lucía.", "name", "Lucía"),
        ("Moro em Lisboa.", "lives_in", "Lisboa"),
        ("Trabalho na Petrobras.", "works_at", "Petrobras"),
        ("Mi chiamo Marco.", "name", "Marco"),
        ("Abito a Roma.", "lives_in", "Roma"),
        ("我住在上海。", "lives_in", "上海"),
        ("我叫王伟。", "name", "王伟"),
        ("私は東京に住んでいます。", "lives_in", "東京"),
        ("저는 서울에 살고 있어요.", "lives_in", "서울"),
        ("Меня зовут Анна.", "name", "Анна"),
        ("Я живу в Москве.", "lives_in", "Москве"),
    ],
)
def test_a_plain_statement_of_another_language_fills_its_slot(said, attribute, value):
    assert (attribute, value) in slots(said)


def test_no_longer_ends_the_slot_in_other_languages():
    (home,) = read("Ich wohne nicht mehr in Berlin.")
    assert home.ends
