"""A server does not start on a uvicorn that would not call what we override."""

import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from deadwood.server.hooks import HOOKS, demand_hooks
from deadwood.server.settings import SettingsWrong


def test_the_installed_uvicorn_has_all_hooks():
    demand_hooks()


def test_every_method_that_we_override_is_a_hook():
    for protocol, hooks in HOOKS.items():
        ours = {name for name in vars(protocol) if name in dir(protocol.__base__) and not name.startswith("__")}
        assert ours <= set(hooks), protocol


@pytest.mark.parametrize(
    ("base", "name"), [(H11Protocol, "on_response_complete"), (WebSocketsSansIOProtocol, "handle_ping")]
)
def test_a_renamed_hook_is_noticed(monkeypatch, base, name):
    monkeypatch.delattr(base, name)
    with pytest.raises(SettingsWrong, match=name):
        demand_hooks()
