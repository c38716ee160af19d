"""The board as a map in terminal characters."""
