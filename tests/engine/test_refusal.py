"""Errors as data."""

import pickle

from deadwood import DataError
from deadwood.engine.refusal import Wording


def test_an_error_travels_between_processes():
    error = pickle.loads(pickle.dumps(DataError("deck", Wording("no {x}", {"x": 1}), line=3)))
    assert (error.problem, error.line, str(error)) == ("deck: no 1", 3, "deck: no 1 (line 3)")
