"""How large a net is; in its own module, so that the command line can use it without numpy."""

from typing import NamedTuple


class Shape(NamedTuple):
    """How large a net is."""

    width: int = 384  # of the trunk
    row_width: int = 128  # of the layers for areas and seats
    blocks: int = 2
