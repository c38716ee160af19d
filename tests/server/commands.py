"""The commands of an administrator, as they are typed."""

from concurrent.futures import ThreadPoolExecutor

from click.testing import CliRunner

from deadwood.cli import main


def run(*words):
    """Run `deadwood …` in a thread, because the test may run an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        done = thread.submit(CliRunner().invoke, main, [str(word) for word in words]).result()
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def ok(*words):
    """The output of a command that must succeed."""
    done = run(*words)
    assert done.exit_code == 0, done.output
    return done.output
