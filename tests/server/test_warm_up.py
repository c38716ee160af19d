"""What a server loads and computes before anybody comes."""

from deadwood import __version__
from deadwood.lessons import LESSONS, built_in_lesson
from deadwood.server.http.openapi import document
from deadwood.server.warm_up import warm_up


def test_warming_up_fills_the_caches():
    warm_up()
    before = [kept.cache_info().misses for kept in (document, built_in_lesson)]
    document(__version__)
    for name in LESSONS:
        built_in_lesson(name)
    assert [kept.cache_info().misses for kept in (document, built_in_lesson)] == before
