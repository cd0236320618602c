"""The same in other words, in talk of many kinds: nothing is told."""

from __future__ import annotations

import pytest

from muniment.compact.rules_verify import verify
from muniment.ingest.extract.rules_names import mentions

REWORDED = [
    ("The order has 1.2k items.", "The order has 1,200 items."),
    ("The invoice is 1,200.00 EUR.", "The invoice is €1200."),
    ("The fund fell by 50 %.", "The fund fell by 50 percent."),
    ("Half of the tickets are open.", "50% of the tickets are open."),
    ("A dozen users were affected.", "12 users were affected."),
    ("The limit is two and a half hours.", "The limit is 2.5 hours."),
    ("The trip takes 3\u20135 days.", "The trip takes 3 to 5 days."),
    ("The trip takes three to five days.", "The trip takes 3-5 days."),
    ("She finished in second place.", "She finished in 2nd place."),
    ("The low was -4 degrees.", "The low was minus 4 degrees."),
    ("Revenue was $4.2 million.", "Revenue was $4.2M."),
    ("The account holds 12,500 dollars.", "The account holds $12.5k."),
    ("Call +49 30 901820 before noon.", "Call +49-30-901820 before noon."),
    ("The dose is 5 mg.", "The dose is 5 milligrams."),
    ("The hearing is on 12 March 2026.", "The hearing is on 2026-03-12."),
    ("The hearing is on March 12th, 2026.", "The hearing is on 12/3/2026."),
    ("The hearing is on 2/5/2026.", "The hearing is on 2 May 2026."),
    ("The hearing is on 2/5/2026.", "The hearing is on February 5, 2026."),
    ("The flight leaves at 3pm.", "The flight leaves at 15:00."),
    ("The flight leaves at 3 p.m.", "The flight leaves at 3:00 PM."),
    ("The report is due by Friday.", "The report is due no later than Friday."),
    ("Smoking isn't allowed on the balcony.", "Smoking is forbidden on the balcony."),
    ("Smoking is not allowed on the balcony.", "Smoking isn't permitted on the balcony."),
    ("Nobody approved the merge.", "The merge was approved by nobody."),
    ("The merge was not approved by anybody.", "Nobody approved the merge."),
    ("Neither Ana nor Ben signed the lease.", "The lease was signed by neither Ana nor Ben."),
    ("He is not unhappy with the result.", "He isn't unhappy with the result."),
    ("I don't eat meat and I'm allergic to nuts.", "I am allergic to nuts and do not eat meat."),
    ("Ana: I don't eat meat.", "Ana doesn't eat meat."),
    ("Ana: I will send the draft on Monday.\nBen: I will check the figures.", "Ana will send the draft on Monday."),
    (
        "Ana: I will send the draft on Monday.\nBen: I will check the figures.",
        "Ana will send the draft on Monday, Ben will check the figures.",
    ),
    ("Ana: My sister Carla lives in Lyon.", "Ana's sister Carla lives in Lyon."),
    ("user: I want a window seat.\nassistant: Seat 12A is booked.", "The user wants a window seat. Seat 12A is booked."),
    ("Ana met Carla in Lyon. She moved there in May.", "Carla moved there in May."),
    ("Ben bought a car. He paid 9,000 euros.", "Ben bought a car. Ben paid 9000 euros."),
    ("Ben bought a car. He paid 9,000 euros.", "Ben bought a car and paid 9,000 euros."),
    ("Ben bought a car and he sold a boat.", "Ben bought a car. He sold a boat."),
    ("The parcel was signed for by Ana on 3 May.", "Ana signed for the parcel on 3 May."),
    ("Ana reviewed the contract.", "The contract was reviewed by Ana."),
    ("Ana reviewed the contract.", "The contract was reviewed."),
    ("Dr. Weber, who runs the clinic, prescribed Ramipril.", "Doctor Weber runs the clinic. Dr. Weber prescribed Ramipril."),
    ("The buyer, Marta Silva, paid in cash.", "Marta Silva, the buyer, paid in cash."),
    ("The buyer, Marta Silva, paid in cash.", "Silva paid in cash."),
    ("Texts must not exceed 200 words.", "Texts must have at most 200 words."),
    ("Spend at most 300 euros.", "Spend no more than 300 euros."),
    ("Spend at most 300 euros.", "Spend up to €300."),
    ("Employees are required to wear helmets.", "Employees must wear helmets."),
    ("You have to give notice.", "You need to give notice."),
    ("Never delete files without asking me.", "Do not ever delete files without asking me."),
    ("The dept. manager approved it in Sept.", "The department manager approved it in September."),
    ("It's approx. 40 km away.", "It is approximately 40 kilometres away."),
    ("The meeting with Ana, Ben and Carla is on Monday.", "The meeting is on Monday with Carla, Ana and Ben."),
    ("We can't ship to Norway.", "We cannot ship to Norway."),
    ("We are unable to ship to Norway.", "We cannot ship to Norway."),
    ("The shop sells apples, pears and plums.", "The shop sells plums, apples and pears."),
    ("Because the cache was cold, the API was slow.", "The API was slow because the cache was cold."),
    ("The fix was merged on Monday; the release is on Friday.", "The fix was merged on Monday. The release is on Friday."),
    ("Ticket #4821 is open. It was filed by Ana.", "Ticket #4821, filed by Ana, is open."),
    ("Upgrade to version 1.10 of the parser.", "Upgrade to v1.10 of the parser."),
    ("Der Termin ist am 12.03.2026 um 15:00 Uhr.", "Der Termin ist am 12. März 2026 um 15 Uhr."),
    ("Die Miete beträgt 850 Euro.", "Die Miete beträgt 850 €."),
    ("Le loyer est de 1.200 euros.", "Le loyer est de 1200 euros."),
    ("La reunión es el 5 de mayo con Carmen.", "Con Carmen la reunión es el 5 de mayo."),
    ("会議は2026年5月12日です。", "会議は2026年5月12日です。"),
    ("gonna pay u back 20 bucks on fri", "gonna pay u back $20 on Friday"),
    ("All payments are final.", "Every payment is final."),
    ("It costs over 50 dollars.", "It costs more than $50."),
    ("Ana said that Ben sold the car.", "Ben sold the car, Ana said."),
    ("Ana told Ben that the lease ends in June.", "Ben was told by Ana that the lease ends in June."),
    ("The train from Oslo to Bergen leaves at 8:05.", "The train to Bergen from Oslo leaves at 08:05."),
    ("Please tell the following: 1. The date. 2. The cabin.", "Please tell the following: 2. The cabin."),
    ("I'd like two coffees, please.", "I would like 2 coffees please."),
    ("Refunds take 5 business days.", "Refunds take five business days."),
]


@pytest.mark.parametrize(("source", "digest"), REWORDED)
def test_the_same_in_other_words_is_let_through(source, digest):
    checked = verify(source, digest, names=mentions)
    assert [told.why for told in (*checked.alterations, *checked.inventions)] == []


@pytest.mark.parametrize("text", sorted({text for pair in REWORDED for text in pair}))
def test_a_text_is_true_to_itself(text):
    checked = verify(text, text, names=mentions)
    assert not checked.flagged
    assert checked.score == 1
