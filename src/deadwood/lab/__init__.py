"""Statistics over many games: simulate, compare, report. Needs the extra `lab`."""
