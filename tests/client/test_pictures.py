"""The pictures in the documents are whole and small. Any change of style changes them, so they are not compared."""

import re
from xml.etree import ElementTree

import pytest

from .pictures import FOLDER, PICTURES, picture

MOST_BYTES = 400_000


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_stands_alone(name):
    text = (FOLDER / f"{name}.svg").read_text("utf-8")
    assert len(text.encode()) < MOST_BYTES
    assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
    assert set(re.findall(r"https?://[^\"]+", text)) == {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml"}
    assert "<script" not in text


def test_pictures_can_be_drawn_anew(browser, server):
    drawn = picture(browser, server.url, "card")
    assert "The Big Moo" in drawn
    assert drawn.count("url(data:font/woff2;base64,") >= 2
    assert len(drawn.encode()) < MOST_BYTES
    assert ElementTree.fromstring(drawn) is not None
