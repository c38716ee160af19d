"""How many threads numpy computes in."""

import os

_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def keep_to_one_thread() -> None:
    """Let numpy compute in one thread unless the user says otherwise: for our small nets, several take twice as long.

    Call this before numpy is imported.
    """
    for name in _THREADS:
        os.environ.setdefault(name, "1")
