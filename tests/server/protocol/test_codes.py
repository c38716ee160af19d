"""Codes of tables can be read out and typed in many ways."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadwood.server.protocol.codes import ALPHABET, LENGTH, new_code, parse_code


@given(st.integers(0, 2**32))
def test_codes_are_read_as_they_are_shown(seed):
    code = new_code(random.Random(seed).randbytes)
    assert len(code) == LENGTH
    assert set(code) <= set(ALPHABET)
    assert parse_code(f"{code[:4]}-{code[4:]}".lower()) == parse_code(f" {code[:2]} {code[2:]}") == code


@pytest.mark.parametrize("typed", ["", "CCCC", "CCCCFFFFF", "AAAAAAAA", "CCCC_FFFF", "ССССFFFF", "CCCCFFF\x00"])
def test_other_texts_are_not_codes(typed):
    assert parse_code(typed) is None


def test_codes_have_no_words_and_no_lookalikes():
    assert not set(ALPHABET) & set("AEIOUY0158BDGNPQSVZ6")
    assert len(set(ALPHABET)) == 16
