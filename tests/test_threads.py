"""In how many threads numpy computes."""

import os

from deadwood.threads import keep_to_one_thread


def test_numpy_keeps_to_one_thread_unless_the_user_says_otherwise(monkeypatch):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    keep_to_one_thread()
    assert (os.environ["OPENBLAS_NUM_THREADS"], os.environ["OMP_NUM_THREADS"]) == ("1", "4")
