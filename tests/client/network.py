"""A network between browsers and a server. It can be cut, or silently swallow data."""

import socket
import threading
from contextlib import suppress

EVERYTHING = frozenset({"questions", "answers"})


class Network:
    """Passes bytes on, until it is told not to. Its address stays the same, whichever server it leads to."""

    def __init__(self):
        self._ears = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._ears.getsockname()[1]}"
        self.named = self.url.replace("127.0.0.1", "deadwood.test")  # as browsers on other machines would address it
        self._server = None
        self._lost = frozenset()
        self._whole = True
        self._lines = []
        self._lock = threading.Lock()  # otherwise a line that is just being opened would survive a cut
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def lead_to(self, server):
        self._server = ("127.0.0.1", server.port)

    def cut(self):
        """End all connections, and accept no more."""
        self._hang_up(whole=False)

    def swallow(self, lost=EVERYTHING):
        """Silently drop everything from now on."""
        self._lost = frozenset(lost)

    def mend(self):
        """Let new connections work again, and close those that have lost data."""
        self._lost = frozenset()
        self._hang_up(whole=True)

    def close(self):
        with suppress(OSError):
            self._ears.shutdown(socket.SHUT_RDWR)
        self._ears.close()
        self.cut()

    def _listen(self):
        with suppress(OSError):
            while True:
                self._join(self._ears.accept()[0])

    def _join(self, browser):
        with self._lock:
            server = self._reach_server()
            if server is None:
                browser.close()
                return
            self._lines += [browser, server]
        threading.Thread(target=self._carry, args=(browser, server), daemon=True).start()

    def _reach_server(self):
        with suppress(OSError):
            return socket.create_connection(self._server) if self._whole else None

    def _carry(self, browser, server):
        """Pass on both ways until both are at an end, then let go: a database that dies ends hundreds of lines."""
        answering = threading.Thread(target=self._pass_on, args=(server, browser, "answers"), daemon=True)
        answering.start()
        self._pass_on(browser, server, "questions")
        answering.join()
        with self._lock:
            self._lines = [line for line in self._lines if line not in (browser, server)]
        browser.close()
        server.close()

    def _pass_on(self, source, sink, kind):
        with suppress(OSError):
            while data := source.recv(65536):
                if kind not in self._lost:
                    sink.sendall(data)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)

    def _hang_up(self, whole):
        with self._lock:
            self._whole = whole
            lines, self._lines = self._lines, []
        for line in lines:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()
