"""Worker processes: bots, hints and replays, away from the event loop."""
