"""Watching a run: meanwhile, other processes measure its nets against `star`, which has no vector form."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from ..engine.refusal import DeadwoodError
from ..lab.contestants import check_contestants
from ..neural.net import Weights
from ..neural.weights_file import save_weights

TRIALS = (2, 4, 8)  # players
_LONGEST = 1800.0  # seconds to wait for a measurement at the end of a run


class MeasuringFailed(DeadwoodError):
    """The processes that measure ended with an error."""


class Seen(NamedTuple):
    """What a measurement found about the net of an update."""

    update: int
    weights: Weights
    shares: dict[str, float]  # win shares by table
    strength: float  # the mean of shares divided by fair ones


class Watch:
    """Measures one net at a time; nets that come in the meantime are skipped."""

    def __init__(self, games: int, processes: int, against: str = "star") -> None:
        check_contestants((against,))  # now, not after hours of training
        self._games, self._processes, self._against = games, processes, against
        self._folder = tempfile.TemporaryDirectory(prefix="deadwood-watch-")
        self._running: tuple[subprocess.Popen[bytes], int, Weights] | None = None

    @property
    def is_free(self) -> bool:
        """Whether a net can be measured now."""
        return self._running is None

    def measure(self, update: int, weights: Weights) -> None:
        """Start to measure a net."""
        home = Path(self._folder.name)
        save_weights(home / "weights.npz", weights, {})
        command = [sys.executable, "-m", "deadwood.training.measure", "--against", self._against]
        command += ["--weights", str(home / "weights.npz"), "--json", str(home / "found.json")]
        command += ["--players", ",".join(map(str, TRIALS)), "--games", str(self._games)]
        command += ["--processes", str(self._processes)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        with (home / "errors").open("wb") as errors:
            process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=errors)
        self._running = (process, update, weights)

    def result(self, wait: bool = False) -> Seen | None:
        """The result, once it is there; raises MeasuringFailed."""
        if self._running is None:
            return None
        process, update, weights = self._running
        try:
            code = process.wait(_LONGEST) if wait else process.poll()
        except subprocess.TimeoutExpired:
            raise MeasuringFailed(f"Measuring took longer than {_LONGEST / 60:.0f} minutes.") from None
        if code is None:
            return None
        self._running = None
        if code != 0:
            lines = (Path(self._folder.name) / "errors").read_text(encoding="utf-8", errors="replace").split("\n")
            raise MeasuringFailed(f"Measuring failed: {' '.join(lines[-2:]).strip()}")
        return self._read(update, weights)

    def _read(self, update: int, weights: Weights) -> Seen:
        found = json.loads((Path(self._folder.name) / "found.json").read_text(encoding="utf-8"))
        shares = {one["table"]: one["won"][0] for one in found}
        strengths = [one["won"][0] * one["players"] for one in found]
        return Seen(update, weights, shares, sum(strengths) / len(strengths))

    def stop(self) -> None:
        """Stop a running measurement, and forget it."""
        if self._running is not None:
            self._running[0].kill()
            self._running[0].wait()
            self._running = None
        self._folder.cleanup()
