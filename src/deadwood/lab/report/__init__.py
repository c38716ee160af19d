"""A run of many games as one HTML page that needs nothing else, not even a network."""

from .writing import write_report

__all__ = ["write_report"]
