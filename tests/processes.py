"""Processes that tests watch."""

import psutil


def has_ended(pid):
    """Whether a process has ended. If its parent ended first, its entry may stay, and nobody may ever remove it."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
