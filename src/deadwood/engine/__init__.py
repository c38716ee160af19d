"""The game itself: one exact rules engine. Standard library and msgspec only; no clock, no global random."""
