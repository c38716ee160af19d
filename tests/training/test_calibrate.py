"""Whether chances hold, on numbers that can be checked by hand."""

import numpy as np
import pytest

from deadwood.training import calibrate


def test_deciles_compare_predictions_with_what_happened():
    chances, won = np.array([0.05, 0.05, 0.55, 1.0], np.float32), np.array([0, 1, 1, 1], np.float32)
    found = calibrate.Predictions(chances, won, games=np.array([0, 1, 2, 3]))
    rows = calibrate.deciles(found)
    assert [one.predictions for one in rows] == [2, 1, 1]
    assert rows[0].difference == pytest.approx(45)
    assert rows[0].error == pytest.approx(100 * 0.5**0.5 / 2)
    text = calibrate.report(2, found)
    assert "largest difference 45.0 points" in text
    assert "*" in calibrate.plot_text(rows)
