"""The report of a run: one self-contained HTML page that works offline."""

from .writing import write_report

__all__ = ["write_report"]
