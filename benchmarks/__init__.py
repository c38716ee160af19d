"""Benchmarks, next to other engines where there are any; no test depends on them."""
