"""boardgame.io's own server, with storage that survives a crash: a game without rules, with a state of the same size.

It broadcasts an action before it stores it, so an update does not mean that the action is durable. The next action
of the same match waits until it is.
"""

import asyncio
import json
import random
import re
import secrets
from pathlib import Path
from typing import Any

from ..node import install, node
from .contestant import SEATS, Contestant, Table
from .wire import Line

HERE = Path(__file__).parent.parent / "boardgame-io"
_AREAS = ("saloon", "main-street", "ranch", "hotel", "church", "bank")
_STATE_ID = re.compile(rb'"_stateID":(\d+)')
_CURRENT = re.compile(rb'"currentPlayer":"(\d+)"')


class WalkingTable(Table):
    """Everybody takes turns walking somewhere, over socket.io."""

    async def sit_down(self) -> None:
        self._match = secrets.token_hex(6)
        self._state_id, self._current = b"0", 0
        for place in range(SEATS):
            self._synced: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            line = await Line.connect(place, "/socket.io/?EIO=4&transport=websocket", self.port, self._heard)
            self.lines.append(line)
            await self._synced
        self._free(self)

    def _heard(self, line: Line, payload: bytes) -> None:
        if payload.startswith(b'42/walk,["update"'):
            self._updated(line, payload)
        elif payload == b"2":
            line.say("3")
        elif payload.startswith(b"0"):
            line.say("40/walk,")
        elif payload.startswith(b"40/walk,"):
            _emit(line, "sync", self._match, str(line.place), None, SEATS)
        elif payload.startswith(b'42/walk,["sync"') and line is self.lines[-1] and not self._synced.done():
            self._synced.set_result(None)

    def _updated(self, line: Line, payload: bytes) -> None:
        if line.place == self._current and self._due is not None:
            self.acknowledge()
        if line.place == SEATS - 1:  # the last to hear of it
            state, current = _STATE_ID.search(payload), _CURRENT.search(payload)
            assert state is not None
            assert current is not None
            self._state_id, self._current = state[1], int(current[1])
            self._free(self)

    def send_action(self) -> None:
        player = str(self._current)
        move = {"type": "walk", "args": [random.choice(_AREAS)], "playerID": player}
        action = {"type": "MAKE_MOVE", "payload": move}
        _emit(self.lines[self._current], "update", action, int(self._state_id), self._match, player)


def _emit(line: Line, *event: object) -> None:
    line.say(f"42/walk,{json.dumps(event)}")


class BoardgameIo(Contestant):
    """One process, as its documentation starts it."""

    name = "boardgame.io, a game without rules"
    table = WalkingTable

    def command(self) -> list[Any]:
        install(HERE)
        return [node(), HERE / "server.mjs", f"{self.folder}/boardgame.log"]
