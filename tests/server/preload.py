"""Imports that the parent of all forked servers makes once, so that none of them has to."""

from deadwood.server.warm_up import warm_up

from . import run_server  # noqa: F401 - imports everything that a server needs

warm_up()
