"""Lines of the server's log."""

import contextvars
import json
import logging

from deadwood.server.log_lines import JsonLines, NoFlood
from deadwood.server.request_ids import new_request


def test_a_line_says_which_request_table_and_command_it_is_about():
    record = logging.makeLogRecord(
        {"name": "x", "levelname": "ERROR", "msg": "oh", "table": "K7RM4TXC", "command": "a1"}
    )
    id, line = contextvars.copy_context().run(lambda: (new_request(), json.loads(JsonLines().format(record))))
    assert (line["request"], line["table"], line["command"], line["message"]) == (id, "K7RM4TXC", "a1", "oh")
    assert "request" not in json.loads(JsonLines().format(record))


class Log:
    """A log that keeps its lines, with a clock that the test moves."""

    def __init__(self):
        self.now = 0.0
        self._filter = NoFlood(lambda: self.now)

    def lets_through(self, message, *arguments, error=None, level=logging.ERROR):
        record = logging.LogRecord(
            "deadwood.server", level, "x.py", 1, message, arguments, error and (type(error), error, None)
        )
        passed = self._filter.filter(record)
        return passed and json.loads(JsonLines().format(record))


def test_the_same_problem_is_written_a_few_times_a_minute():
    log = Log()
    lines = [log.lets_through("the bot %s failed", "star", error=OSError("no room")) for _ in range(1_000)]
    assert [line for line in lines if line] == lines[:5]
    log.now = 59.9
    assert not log.lets_through("the bot %s failed", "extra", error=OSError("no room"))
    assert log.lets_through("the bot %s failed", "star", error=ValueError("another problem"))
    assert log.lets_through("a task failed", error=OSError("no room"))
    log.now = 60.0
    line = log.lets_through("the bot %s failed", "star", error=OSError("no room"))
    assert (line["message"], line["left_out"]) == ("the bot star failed", 996)
    assert "left_out" not in log.lets_through("the bot %s failed", "star", error=OSError("no room"))


def test_what_is_no_problem_is_always_written():
    log = Log()
    assert all(log.lets_through("a request", level=logging.INFO) for _ in range(1_000))
