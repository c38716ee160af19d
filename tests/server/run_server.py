"""Start a server for tests: settings as JSON, and optionally the mutant that acknowledges before it commits."""

import sys

import msgspec

from deadwood.server.serving import log_to_stderr, serve
from deadwood.server.settings import Settings

if __name__ == "__main__":
    log_to_stderr()
    if sys.argv[2:] == ["mutant"]:
        from . import mutant

        mutant.acknowledge_before_the_commit()
    serve(msgspec.json.decode(sys.argv[1], type=Settings), lambda url: print(url, flush=True))
