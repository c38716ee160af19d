"""Two people at a table can be told apart by reading."""

import pytest

from deadwood.engine.refusal import Refused
from deadwood.narration import narrate
from deadwood.server.tables.names import check_name


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Аda", "Ada"),  # Cyrillic A
        ("аdа", "Ada"),
        ("АDА", "ada"),
        ("ВО", "Bo"),  # Cyrillic
        ("Αdа", "Ada"),  # Greek and Cyrillic
        ("Ада", "Aдa"),
        ("AI", "Al"),
        ("B0b", "Bob"),
        ("Torn", "Tom"),
        ("Tom", "Torn"),
        ("раураl", "paypal"),
    ],
)
def test_a_name_that_looks_like_another_is_refused(name, other):
    assert check_name(name, ["Zoe"]) == name
    with pytest.raises(Refused) as refused:
        check_name(name, ["Zoe", other])
    assert refused.value.refusal.key == "name_looks_like"
    assert name in narrate(refused.value)
    assert other in narrate(refused.value, "de")


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("Bo", ["Ada", "Cy", "Rob", "B"]),
        ("Иван", ["Anna", "Ирина"]),
        ("Ελένη", ["Elena", "Маша"]),
        ("Müller", ["Muller", "Mueller"]),
        ("P2", ["P1", "P3", "P0", "P7"]),
        ("Random 2", ["Random", "Random 3"]),
    ],
)
def test_names_that_differ_are_taken(name, others):
    assert check_name(name, others) == name


def test_the_engine_refuses_first():
    with pytest.raises(Refused) as refused:
        check_name("\uff21da", ["Ada"])
    assert refused.value.refusal.key == "name_taken"
