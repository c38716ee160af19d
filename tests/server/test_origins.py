"""The server's own pages come from the addresses that it listens on."""

from deadwood.server.origins import address, origins


def test_a_page_may_come_from_every_name_of_the_server():
    assert origins("127.0.0.1", 8000) == {"http://127.0.0.1:8000", "http://localhost:8000"}
    assert len(origins("0.0.0.0", 80)) >= 3


def test_an_address_is_written_as_browsers_do():
    assert address("example.org", 80) == "http://example.org"
    assert address("::1", 8000) == "http://[::1]:8000"
