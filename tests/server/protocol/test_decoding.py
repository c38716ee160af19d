"""Messages are decoded strictly, and every language can say what is wrong with them."""

import json

import pytest

from deadwood.narration import narrate
from deadwood.server.protocol.commands import Ping
from deadwood.server.protocol.decoding import decode_command, decode_hello, decode_new_table
from deadwood.server.protocol.refusals import ServerRefused

TOKEN = "0123456789abcdef" * 4
WRONG = {
    '{"type": "ping"}': "The field 'id' is missing at $.",
    '{"type": "ping", "id": "a", "more": 1}': "There is no field 'more' at $.",
    '{"type": "undo", "id": "a", "seq": "1"}': "At $.seq, int was expected, not str.",
    '{"type": "undo", "id": "a", "seq": -1}': "At $.seq, int >= 0 was expected.",
    '{"type": "ping", "id": "' + "a" * 65 + '"}': "At $.id, a length of at most 64 is allowed.",
    '{"type": "dance", "id": "a"}': "The value 'dance' at $.type is not allowed.",
    "{": "It is not valid JSON.",
    '{"x": ' + "[" * 4000: "It is nested too deeply.",
    b'{"type": "ping", "id": "\xff"}': "It is not UTF-8 text.",
}


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_errors_say_what_is_wrong(text):
    with pytest.raises(ServerRefused) as refused:
        decode_command(text)
    assert narrate(refused.value) == f"This message cannot be read. {WRONG[text]}"


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_no_english_is_left_in_german(text):
    with pytest.raises(ServerRefused) as refused:
        decode_command(text)
    sentence = narrate(refused.value, "de")
    assert sentence.startswith("Diese Nachricht lässt sich nicht lesen. ")
    english = {
        "allowed",
        "expected",
        "field",
        "length",
        "matching",
        "missing",
        "needed",
        "nested",
        "of",
        "valid",
        "was",
    }
    assert not english & set(sentence.replace(".", " ").replace(",", " ").split())


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "At $.chairs, a length of at least 1 is needed."),
        ("de", "Bei $.chairs ist mindestens die Länge 1 nötig."),
    ],
)
def test_too_few_are_refused_in_every_language(language, sentence):
    with pytest.raises(ServerRefused) as refused:
        decode_new_table('{"chairs": []}')
    assert narrate(refused.value, language).endswith(sentence)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_pattern_of_a_token_is_said_in_every_language(language):
    with pytest.raises(ServerRefused) as refused:
        decode_hello('{"type": "hello", "tokens": ["short"]}')
    sentences = {
        "en": "The text at $.tokens[0] must match ^[0-9a-f]{64}\\Z.",
        "de": "Der Text bei $.tokens[0] muss ^[0-9a-f]{64}\\Z entsprechen.",
    }
    assert narrate(refused.value, language).endswith(sentences[language])


def test_the_engine_explains_its_own_values():
    person = {"type": "person", "name": "Ada", "token": TOKEN}
    with pytest.raises(ServerRefused) as refused:
        decode_new_table(json.dumps({"chairs": [person], "options": {"days": 9}}))
    assert refused.value.refusal.values["reason"].key == "days_out_of_range"
    assert narrate(refused.value).endswith("a whole number from 1 to 4, not 9.")


def test_a_right_message_is_decoded():
    assert decode_command('{"type": "ping", "id": "a"}') == Ping(id="a")


def test_the_first_message_must_be_hello():
    with pytest.raises(ServerRefused) as refused:
        decode_hello('{"type": "ping", "id": "a"}')
    assert refused.value.refusal.key == "hello_expected"
