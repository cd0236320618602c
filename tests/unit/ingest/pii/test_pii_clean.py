"""What is found in a text, what is left alone, and what each policy does with it."""

# ruff: noqa: E501, RUF001  # texts stay whole, in their own script
from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.errors import InputError
from muniment.ingest.pii import DEFAULT_POLICY, KINDS, clean
from muniment.knowledge.architecture import Keep

MASK_ALL = dict.fromkeys(KINDS, Keep.MASK)


def token(kind, value):
    return f"t{sum(map(ord, value)) % 9973}"


def masked(text, **policy):
    return clean(text, policy=policy, token=token).text


def found(text):
    return [(f.kind, text[f.start : f.end]) for f in clean(text, policy={}, token=token).found]


def test_U01_a_password_and_a_key_in_one_sentence_become_placeholders():
    assert masked("remember: db password is hunter2, key sk-abc123def") == "remember: db password is [secret], key [secret]"
    assert masked("remember: db password is hunter2, key sk-abc123") == "remember: db password is [secret], key [secret]"


@pytest.mark.parametrize(
    "text",
    [
        "No Firebase API key in the build",
        "apiKey: import.meta.env.X",
        "apiKey: import.meta.env.VITE_FIREBASE_API_KEY,",
        "password = os.environ['PW']",
        "api_key=<your key>",
        "password: ********",
        "max_tokens: 4096",
        "the password is wrong",
        "reset my password to continue",
        "commit 3f2c1d4e5b6a7988c0d1e2f3a4b5c6d7e8f90123",
        "123e4567-e89b-12d3-a456-426614174000",
        "order 4539578763621486 was sent",
        "4111 1111 1111 1112",
        "ISBN 978-3-16-148410-0",
        "version 10.2.3.4",
        "37.7749, -122.4194",
        "at 1700000000000 it restarted",
        "password = get_password('db')",
    ],
)
def test_U03_harmless_texts_are_untouched(text):
    assert found(text) == []
    assert masked(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pwd: hunter2", "pwd: [secret]"),
        ("la contraseña es Tigre99", "la contraseña es [secret]"),
        ("mot de passe : Soleil2024", "mot de passe : [secret]"),
        ("das Passwort lautet Xaver77", "das Passwort lautet [secret]"),
        ("密码是abc12345", "密码是[secret]"),
        ("пароль: котик123", "пароль: [secret]"),
        ("creds: admin/hunter2", "creds: admin/[secret]"),
        ("I changed my password from hunter1 to hunter2", "I changed my password from [secret] to [secret]"),
        ("please set the password to moonbeam", "please set the password to [secret]"),
        ("Password is: Hunter2024", "Password is: [secret]"),
        ("login: bob, pw: hunter2", "login: bob, pw: [secret]"),
        ("my pin is 4921", "my pin is [secret]"),
        ("use tr0ub4dor as the password", "use [secret] as the password"),
        ("PASSWORD: 'correct horse battery'", "PASSWORD: '[secret]'"),
        ("postgres://app:hunter2@db.example.com/x", "postgres://app:[secret]@db.example.com/x"),
        ("curl -u admin:hunter2 https://x.example", "curl -u admin:[secret] https://x.example"),
        ("Authorization: Basic YWRtaW46aHVudGVyMg==", "Authorization: Basic [secret]"),
        ("-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIIGM1234567890\n-----END EC PRIVATE KEY-----\nbye", "[secret]\nbye"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1234567890\ncut off here", "[secret]\ncut off here"),
    ],
)
def test_secrets_are_masked_and_the_words_around_them_stay(text, expected):
    assert masked(text) == expected


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("card 4111 1111 1111 1111, exp 12/29", "card", "4111 1111 1111 1111"),
        ("pay with 378282246310005", "card", "378282246310005"),
        ("to DE89 3704 0044 0532 0130 00 please", "iban", "DE89 3704 0044 0532 0130 00"),
        ("ssn 536-22-1234", "national_id", "536-22-1234"),
        ("NINO: AB 36 56 76 D", "national_id", "AB 36 56 76 D"),
        ("DNI 12345678Z", "national_id", "12345678Z"),
        ("CPF 111.444.777-35", "national_id", "111.444.777-35"),
        ("NRIC S1234567D", "national_id", "S1234567D"),
        ("mail ana.b+x@example.org.", "email", "ana.b+x@example.org"),
        ("call (415) 555-2671 now", "phone", "(415) 555-2671"),
        ("ring +49 30 1234567", "phone", "+49 30 1234567"),
        ("from 8.8.8.8", "ip", "8.8.8.8"),
        ("born on 12 May 1984 in Porto", "birth_date", "12 May 1984"),
        ("12 rue de la Paix, 75002 Paris", "address", "12 rue de la Paix, 75002 Paris"),
        ("卡号 ４１１１ １１１１ １１１１ １１１１", "card", "４１１１ １１１１ １１１１ １１１１"),
        ("بطاقة ٤١١١ ١١١١ ١١١١ ١١١١", "card", "٤١١١ ١١١١ ١١١١ ١١١١"),
    ],
)
def test_each_kind_is_found_with_its_exact_span(text, kind, value):
    assert (kind, value) in found(text)


def test_a_placeholder_has_one_form_per_kind_and_is_not_found_again():
    once = masked("card 4111111111111111 and 5500005555555559", card=Keep.MASK)
    assert once == "card [card] and [card]"
    assert masked(once) == once


def test_what_stands_beside_a_typed_placeholder_does_not_escape():
    assert masked("password=[secret]hunter2") == "password=[secret][secret]"


def test_personal_data_stays_by_default_and_is_still_reported():
    cleaned = clean("write to ana@example.org", policy={}, token=token)
    assert cleaned.text == "write to ana@example.org"
    assert [(f.kind, f.action) for f in cleaned.found] == [("email", Keep.KEEP)]
    assert DEFAULT_POLICY["secret"] is Keep.MASK


def test_a_tokenised_value_is_sealed_under_the_token_in_its_place():
    cleaned = clean(
        "write to ana@example.org or ana@example.org", policy={"email": Keep.TOKENISE}, token=lambda kind, value: "k3f9"
    )
    assert cleaned.text == "write to [email:k3f9] or [email:k3f9]"
    assert [(s.token, s.kind, s.value) for s in cleaned.sealed] == [("[email:k3f9]", "email", "ana@example.org")]


def test_a_kind_to_refuse_refuses_the_whole_text():
    cleaned = clean("my card is 4111111111111111", policy={"card": Keep.REFUSE}, token=token)
    assert (cleaned.text, cleaned.refused) == ("", "pii:card")


def test_a_token_that_could_not_be_read_back_is_an_error():
    with pytest.raises(InputError, match="cannot stand for a value"):
        clean("my card is 4111111111111111", policy={"card": Keep.TOKENISE}, token=lambda kind, value: "]")


ODD = "\x00aA1 9@.:-_/+=[](){}\"'`\n\tßİé４٤。：’“密码是はパス"
PIECES = st.sampled_from(
    ["password is ", "pwd=", "api_key: ", "hunter2", "sk-abc123def", "4111 1111 1111 1111", "DE89 3704 0044 0532 0130 00", "[secret]",
     "[card:ab]", "ana@example.org", "+49 30 1234567", "536-22-1234", "token ", '"', "'", "\n", ", ", " ", "://u:", "@", "born on 1.2.1990",
     "-----BEGIN PRIVATE KEY-----", "passphrase is ", "seed phrase: ", "abandon ability able about ", "| password |\n|---|\n|", "4111.1111.", "Password?\n"]
) | st.text(ODD, max_size=8)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=10).map("".join))
def test_cleaning_twice_is_cleaning_once(text):
    once = clean(text, policy=MASK_ALL, token=token).text
    assert clean(once, policy=MASK_ALL, token=token).text == once


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=10).map("".join))
def test_spans_are_in_order_do_not_overlap_and_give_the_text_back(text):
    cleaned = clean(text, policy=MASK_ALL, token=token)
    parts, at = [], 0
    for find in cleaned.found:
        assert at <= find.start < find.end <= len(text)
        parts += [text[at : find.start], f"[{find.kind}]"]
        at = find.end
    assert "".join([*parts, text[at:]]) == cleaned.text


@pytest.mark.parametrize(
    "char",
    ["a", "1", "-", "@", " ", "password ", "4 ", "key=", "-----BEGIN PRIVATE KEY-----", "a@", "://a:", "１", "[", "+1", "é"],
)  # one full-width digit
def test_a_long_row_of_one_thing_takes_no_longer_than_its_length(char):
    text = char * (100_000 // len(char))
    assert isinstance(clean(text, policy=MASK_ALL, token=token).text, str)


@pytest.mark.parametrize("text", ["", "\x00", "\ud800 password is hunter2", "👩‍👩‍👧 pwd: hunter2", "\u202epwd: hunter2"])
def test_odd_texts_are_cleaned_without_a_fault(text):
    assert "hunter2" not in masked(text)


COMMON_FORMS = [
    "card 4111  1111  1111  1111",
    "card 4111.1111.1111.1111",
    "it is 4111.1111.1111.1111.",
    "exp 12/27 cvv 991",
    "cvc: 991",
    "| user | password |\n| --- | --- |\n| ana | Trombone77kite |",
    "user | Passwort\n:--|--:\nana | `Trombone77kite` | x",
    "| service | api key |\n|---|---|\n| maps | AbC123dEf456GhI789 |",
    "Password?\nTrombone77kite",
    "my passphrase is correct horse battery staple",
    'passphrase "correct horse battery staple"',
    "seed phrase: abandon ability able about above absent absorb abstract",
    "recovery phrase:\n1. abandon 2. ability 3. able 4. about 5. above 6. absent 7. absorb 8. abstract 9. absurd",
    "my mnemonic is legal winner thank year wave sausage worth useful legal winner thank yellow",
    "Your verification code is 493021",
    "OTP: 493 021",
    "G-493021 is your verification code",
    "hunter2 is my password",
]
HARMLESS_FORMS = [
    "pi is 3.1415926535897932 or so",
    "build 1.2.3.4111.1111.1111.1111",
    "Password?\nYes please",
    "Password?\nThanks",
    "| Field | Password |\n|:--|--:|\n| Type | string |\n| min | 8 |",
    "| name | required |\n|---|---|\n| password | yes |",
    "| service | api key |\n|---|---|\n| maps | none |",
    "The passphrase is stored encrypted inside vault",
    'the passphrase "must be set" error',
    "Your seed phrase: never share it with anyone, keep it in safe place",
    "my recovery phrase is on paper at home",
    "the mnemonic: every good boy does fine",
    "a verification code was sent at 1030",
    "GitHub is our password manager",
    "Step2 is the password field",
]


@pytest.mark.parametrize("text", COMMON_FORMS)
def test_secrets_in_their_common_forms_are_masked_by_default(text):
    left = clean(text, policy={}, token=token)
    assert [find.kind for find in left.found] in (["secret"], ["card"])
    assert all(word not in left.text for word in ("4111", "991", "Trombone", "AbC1", "horse", "absorb", "wave", "493", "hunter"))


@pytest.mark.parametrize("text", HARMLESS_FORMS)
def test_what_only_looks_like_such_a_form_stays(text):
    assert clean(text, policy={}, token=token).text == text


@pytest.mark.parametrize(
    "piece",
    ["seed phrase ", "seed phrase: abandon ", "passphrase: ", 'passphrase "', "| password |\n|---|\n", "|-", "|", "password is my ",
     "1.", "4111.", "Password?\n"],
)  # fmt: skip
def test_a_long_row_of_such_forms_takes_no_longer_than_its_length(piece):
    text = piece * (100_000 // len(piece))
    assert isinstance(clean(text, policy=MASK_ALL, token=token).text, str)
