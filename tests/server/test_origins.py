"""The server's own pages come from the addresses that it listens on."""

import socket

from deadwood.server.origins import address, best_address, is_loopback, network_address, origins


def test_a_page_may_come_from_every_name_of_the_server():
    assert origins("127.0.0.1", 8000) == {"http://127.0.0.1:8000", "http://localhost:8000"}
    assert len(origins("0.0.0.0", 80)) >= 2


def test_an_address_is_written_as_browsers_do():
    assert address("example.org", 80) == "http://example.org"
    assert address("::1", 8000) == "http://[::1]:8000"


def test_others_get_an_address_that_leads_to_us():
    assert best_address("192.168.1.20") == "192.168.1.20"
    assert best_address("127.0.0.1") == "127.0.0.1"
    assert best_address("0.0.0.0") == (network_address() or "127.0.0.1")
    for here in ("127.0.0.1", "127.0.1.1", "::1", "localhost", "deadwood.localhost"):
        assert is_loopback(here)
    for elsewhere in ("192.168.1.20", "fe80::1", "example.org", "localhost.example.org", ""):
        assert not is_loopback(elsewhere)


def test_a_machine_on_no_network_says_so(monkeypatch):
    class Unplugged(socket.socket):
        def connect(self, _address):
            raise OSError("Network is unreachable")

    monkeypatch.setattr(socket, "socket", Unplugged)
    assert network_address() is None
    assert best_address("0.0.0.0") == "127.0.0.1"
    assert origins("0.0.0.0", 8000) >= {"http://127.0.0.1:8000", "http://localhost:8000"}
