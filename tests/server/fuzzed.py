"""A server with a table in every state, for tests that send it arbitrary input."""

import os
from contextlib import contextmanager

from .people import play_to_the_end, serving, started, together

TIMES = 80 if os.environ.get("HYPOTHESIS_PROFILE") == "soak" else 1


@contextmanager
def fuzzed_server(folder):
    """A server with the codes of its tables and the tokens of their hosts. It must not have had an error."""
    with serving(f"sqlite:///{folder}/games.sqlite3", bot_pause=0.5) as server:

        @together
        async def fill():
            async with started(server) as running, started(server, options={"days": 1}) as finished:
                await play_to_the_end(finished)
                server.codes = [(running.code, running.tokens[0]), (finished.code, finished.tokens[0])]

        fill()
        server.codes.append(server.make())
        server.codes.append(server.make(options={"dice": "table"}, bots=[{"bot": "random"}]))
        yield server
        assert server.metric("errors_total") == 0
        assert "traceback" not in server.log()
