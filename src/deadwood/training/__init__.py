"""Training the net of the bot `champion`: PPO by self-play on the vector engine, at all tables at once.

It needs the extra `jax`. `deadwood train` runs it; `docs/learning.md` explains it.
"""
