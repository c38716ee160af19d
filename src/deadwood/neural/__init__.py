"""The net that plays at any table: what it sees, how it computes, and the file of its weights.

`features` and `net` are written once, for numpy and for JAX: pass the module as `xp`. So the bot, which has only numpy,
sees and computes the same as in training.
"""
