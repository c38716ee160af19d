"""Ports for servers that must be told theirs."""

import os
import socket
from contextlib import ExitStack

FIRST, LAST = 20_000, 32_000  # below the range for outgoing connections


def free_ports(count):
    """Consecutive ports that nobody uses."""
    start = os.getpid() * 16 % (LAST - FIRST)  # other tests look for some at the same time
    for tried in range(start, start + LAST - FIRST, count):
        first = FIRST + tried % (LAST - FIRST)
        ports = range(first, first + count)
        try:
            with ExitStack() as held:
                for port in ports:
                    held.enter_context(socket.create_server(("127.0.0.1", port)))
        except OSError:
            continue
        return tuple(ports)
    raise AssertionError("there are no free ports")
