"""Failures inside the helpers show their values."""

import pytest

pytest.register_assert_rewrite("tests.rules.positions")
