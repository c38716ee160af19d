"""`python -m deadwood`."""

from .cli import main

main()
