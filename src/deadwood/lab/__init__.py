"""Questions asked of many games: simulate, compare, report. Needs the extra `lab`."""
