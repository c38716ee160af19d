"""What our protocol does itself gives the same result as the library."""

import pytest
from websockets.frames import Frame, Opcode

from deadwood.server.socket.uvicorn_protocol import text_frame


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_a_frame_is_that_of_the_library(size):
    text = b"x" * size
    assert text_frame(text) == Frame(Opcode.TEXT, text).serialize(mask=False)
