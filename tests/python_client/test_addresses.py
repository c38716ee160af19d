"""Links and codes as people type or paste them."""

import pytest

from deadwood.client import AddressWrong, TableAddress, link_with, server_address, table_address

CODE = "K7RM4TXC"
SECRET = "5f" * 32


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        (" localhost:8000/ ", "http://localhost:8000"),
        ("https://Play.Example.org", "https://play.example.org"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_addresses_of_servers(typed, meant):
    assert server_address(typed) == meant


@pytest.mark.parametrize(
    "typed", ["", "http://", "ftp://x", "http://a:b@x", "http://x:99999", "two words", "http://[::1"]
)
def test_invalid_addresses_of_servers_are_refused(typed):
    with pytest.raises(AddressWrong, match="is not the address of a server, as in"):
        server_address(typed)


@pytest.mark.parametrize("typed", [CODE, "k7rm-4txc", " K7RM 4TXC "])
def test_a_code_is_of_the_given_server(typed):
    assert table_address(typed) == TableAddress("http://127.0.0.1:8000", CODE)
    assert table_address(typed, "play.example.org") == TableAddress("http://play.example.org", CODE)


@pytest.mark.parametrize(
    ("link", "invitation"),
    [
        (f"https://play.example.org/t/{CODE}", None),
        (f"https://play.example.org/t/{CODE}/screen", None),
        (f"https://play.example.org/t/k7rm-4txc/#invitation={SECRET}", SECRET),
        (f"https://play.example.org/t/{CODE}#invitation=short", None),
    ],
)
def test_a_link_names_its_server(link, invitation):
    assert table_address(link, "elsewhere") == TableAddress("https://play.example.org", CODE, invitation)


def test_a_link_that_hands_over_a_seat_must_be_complete():
    link = f"https://play.example.org/t/{CODE}"
    assert table_address(link_with(link, "seat", SECRET)).seat == SECRET
    for cut in ("", "abc", SECRET[:-1]):
        with pytest.raises(AddressWrong, match="not complete"):
            table_address(f"{link}#seat={cut}")


def test_a_link_without_a_scheme():
    assert table_address(f"192.168.1.20:8000/t/{CODE}") == TableAddress("http://192.168.1.20:8000", CODE)


@pytest.mark.parametrize(
    "typed", ["", "hello", "http://x/t/", "http://x/t/short", "http://x/", "http://[::1/t/x", "\x1b[2J"]
)
def test_text_that_is_neither_a_link_nor_a_code_is_refused(typed):
    with pytest.raises(AddressWrong, match="is neither the link of a table, as in") as wrong:
        table_address(typed)
    assert str(wrong.value).isprintable()
