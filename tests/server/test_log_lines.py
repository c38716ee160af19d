"""Lines of the server's log.

Holds `server.request_ids`.
"""

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

    def lets_through(self, message, *arguments, line=1, error=None, level=logging.ERROR):
        raised = error and (type(error), error, error.__traceback__)
        record = logging.LogRecord("deadwood.server", level, "x.py", line, message, arguments, raised)
        passed = self._filter.filter(record)
        return passed and json.loads(JsonLines().format(record))


def raised_by(work):
    try:
        work()
    except ValueError as error:
        return error


def test_the_same_problem_is_written_a_few_times_a_minute():
    log, errors = Log(), [raised_by(lambda: int("x")) for _ in range(1_000)]
    lines = [log.lets_through("the bot %s failed", "star", error=error) for error in errors]
    assert [line for line in lines if line] == lines[:5]
    log.now = 59.9
    assert not log.lets_through("the bot %s failed", "extra", error=errors[0])
    assert log.lets_through("the bot %s failed", "star", error=raised_by(lambda: int("y")))
    assert log.lets_through("a task failed", line=2, error=errors[0])
    log.now = 60.0
    line = log.lets_through("the bot %s failed", "star", error=errors[0])
    assert (line["message"], line["left_out"]) == ("the bot star failed", 996)
    assert "left_out" not in log.lets_through("the bot %s failed", "star", error=errors[0])


def test_messages_that_never_repeat_are_one_problem():
    """The event loop, for one, names the task in its message."""
    log = Log()
    assert sum(bool(log.lets_through(f"Task-{number} failed")) for number in range(1_000)) == 5


def test_lines_that_report_no_problem_are_always_written():
    log = Log()
    assert all(log.lets_through("a request", level=logging.INFO) for _ in range(1_000))
