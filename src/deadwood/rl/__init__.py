"""Environments for reinforcement learning: PettingZoo's `deadwood_v0` and Gymnasium's `Deadwood-v0`."""

from ..extras import needs

with needs("deadwood.rl", "rl"):
    from gymnasium.envs.registration import register, registry

    from . import deadwood_v0
    from .env_checker import check_env
    from .learner import LearnerEnv

__all__ = ["LearnerEnv", "check_env", "deadwood_v0"]

GYMNASIUM_ID = "Deadwood-v0"

if GYMNASIUM_ID not in registry:
    register(GYMNASIUM_ID, entry_point="deadwood.rl.learner:LearnerEnv")
