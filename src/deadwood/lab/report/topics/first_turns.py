"""What the champion thinks of every first turn. This does not depend on the games of the run, only on its options."""

from collections.abc import Mapping, Sequence

from ....engine.deck import BUDGETS, BUILT_IN_DECKS
from ....engine.options import PLAYERS, RANDOM
from ...first_turns import FirstTurn, Openings, Opinion, openings
from ..estimates import Estimate
from ..names import Names
from ..palette import REFERENCE
from ..plots import Series, dots, lines
from ..section import Findings, NumberTable, Section
from ..wording import capital, listed, percent

ALIKE = 0.01  # how far the champion's chances to win may be off
_STAY = "stay in the trailers"
_PLACES, _TURNS = "What is the best place to go first?", "What is each first turn worth?"
_UNKNOWN = "The champion, whose win chances answer this, is not installed or does not know tables with these options."
_CUSTOM = "The champion is asked only about the built-in board and decks; a run does not keep the files of others."
_NOTE = (
    "These are the champion's chances to win for the player who begins, if everybody goes on to play like it. They "
    "do not come from the games of this run. Every card that may come up is counted, with the best role that it "
    "allows. The champion's chances may be off by about a point."
)
_STANDARD = " Layouts of this run are drawn; these chances are for the standard one."
_ByPlayers = Mapping[int, Openings]


def sections(findings: Findings) -> list[Section]:
    """Which place is best for every number of players, and every turn for the run's own number."""
    header = findings.header
    if header.deck not in BUILT_IN_DECKS or findings.names.board is None:
        return [Section("first-turns", _PLACES, _CUSTOM)]
    known = {players: openings(header, players) for players in PLAYERS}
    found = {players: one for players, one in known.items() if one is not None}
    if len(found) < len(known):
        return [Section("first-turns", _PLACES, _UNKNOWN)]
    note = _NOTE + (_STANDARD if header.layout.strip().casefold() == RANDOM else "")
    own = len(header.seats)
    return [_places(findings.names, found, note), _turns(findings.names, own, found[own])]


def _places(names: Names, found: _ByPlayers, note: str) -> Section:
    series = [
        *(
            _beside_even(names.set(place), at, {count: one.places[place].chance for count, one in found.items()})
            for at, place in enumerate(found[PLAYERS[0]].places)
        ),
        _beside_even(_STAY, REFERENCE, {count: one.stay for count, one in found.items()}),
    ]
    figure = lines(series, "number of players", "chance above an even share", percent, steps=True)
    table = _places_table(names, found)
    return Section(
        "first-turns", _PLACES, f"{_best_places(names, found)} {_cost_of_staying(found)}", figure, table, note
    )


def _beside_even(name: str, style: int, chances: Mapping[int, float]) -> Series:
    return Series(name, [(count, _exact(chance - 1 / count)) for count, chance in chances.items()], style)


def _exact(value: float) -> Estimate:
    return Estimate(value, value, value)


def _best_places(names: Names, found: _ByPlayers) -> str:
    """The places that are the best or about as good, as in: Hotel with 2 players; any place with 3."""
    groups: dict[str, list[int]] = {}
    for count, one in found.items():
        best = one.places[one.best_place].chance
        good = [names.set(place) for place, opinion in one.places.items() if best - opinion.chance < ALIKE]
        groups.setdefault("any place" if len(good) == len(one.places) else " or ".join(good), []).append(count)
    clauses = [f"{places} with {_span(counts)} players" for places, counts in groups.items()]
    return f"The best, or less than a point behind: {'; '.join(clauses)}."


def _span(counts: Sequence[int]) -> str:
    """As in 3 to 8, or 2, 4 and 5."""
    is_run = len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1
    return f"{counts[0]} to {counts[-1]}" if is_run else listed([str(count) for count in counts])


def _cost_of_staying(found: _ByPlayers) -> str:
    costs = [100 * (one.places[one.best_place].chance - one.stay) for one in found.values()]
    return f"To stay in the trailers costs {min(costs):.1f} to {max(costs):.1f} points of the chance to win."


def _places_table(names: Names, found: _ByPlayers) -> NumberTable:
    """All turns at all numbers of players: the places with their best role first, then every role."""
    places = [
        [f"{names.set(place)}, best role", *(percent(one.places[place].chance) for one in found.values())]
        for place in found[PLAYERS[0]].places
    ]
    turns = dict.fromkeys(turn for one in found.values() for turn in one.turns)
    rows = [[_name(names, turn), *(_chance(one, turn) for one in found.values())] for turn in sorted(turns, key=_order)]
    even = ["an even share", *(percent(1 / count) for count in found)]
    head = ["first turn", *(f"{count} players" for count in found)]
    return NumberTable("Chance to win of the first player, by number of players", head, [*places, *rows, even])


def _order(turn: FirstTurn) -> tuple[bool, str, str, int]:
    """By place, starring roles before extra ones, and staying last."""
    kinds = {"star": "1", "extra": "2", None: "3"}
    return turn.place is None, turn.place or "", kinds[turn.kind], turn.number


def _chance(found: Openings, turn: FirstTurn) -> str:
    return percent(found.turns[turn].chance) if turn in found.turns else "-"


def _turns(names: Names, players: int, found: Openings) -> Section:
    ranked = sorted(found.turns.items(), key=lambda item: -item[1].chance)
    places = list(found.places)
    series = [
        Series(
            names.set(place) if place else _STAY,
            [(float(at), _exact(one.chance)) for at, (turn, one) in enumerate(ranked) if turn.place == place],
            places.index(place) if place else REFERENCE,
        )
        for place in (*places, None)
    ]
    figure = dots([_role(names, turn) for turn, _ in ranked], series, "chance to win", percent, 1 / players)
    figure["layout"]["showlegend"] = True
    finding = f"With {players} players: {_best_turns(names, ranked)} {_cards(names, found)}"
    note = (
        "The dashed line is an even share. The chance of a starring role is the mean over the cards that have one "
        "open; the best counts where there are several."
    )
    return Section("first-turn-roles", _TURNS, finding, figure, _turns_table(names, players, ranked, found), note)


def _role(names: Names, turn: FirstTurn) -> str:
    if turn.place is None:
        return "stay"
    if turn.kind is None:
        return "no role"
    return "starring role" if turn.kind == "star" else names.extra(turn.place, turn.number)


def _name(names: Names, turn: FirstTurn) -> str:
    return _STAY if turn.place is None else f"{names.set(turn.place)}, {_role(names, turn)}"


def _best_turns(names: Names, ranked: list[tuple[FirstTurn, Opinion]]) -> str:
    """The best turn, and the best one that every card allows."""
    turn, best = ranked[0]
    text = f"{_name(names, turn)} is the best first turn, with a chance of {percent(best.chance)}"
    if best.possible > 1 - ALIKE:
        return f"{text}."
    always, sure = next((turn, one) for turn, one in ranked if one.possible > 1 - ALIKE)
    return (
        f"{text}, but only {percent(best.possible, 0)} of the cards allow it. "
        f"{capital(_name(names, always))} is the best that every card allows, with {percent(sure.chance)}."
    )


def _cards(names: Names, found: Openings) -> str:
    place = found.best_place
    chances = [one.chance for (where, _), one in found.budgets.items() if where == place]
    if not chances:
        return ""
    span = f"{percent(min(chances))} to {percent(max(chances))}"
    return f"At the best place, {names.set(place)}, it is {span}, depending on the budget of the card that comes up."


def _turns_table(names: Names, players: int, ranked: list[tuple[FirstTurn, Opinion]], found: Openings) -> NumberTable:
    turns = [(_name(names, turn), one) for turn, one in ranked]
    budgets = [
        (f"{names.set(place)}, budget {budget}, best role", found.budgets[place, budget])
        for place in found.places
        for budget in BUDGETS
        if (place, budget) in found.budgets
    ]
    rows = [[name, percent(one.chance), percent(one.possible, 0)] for name, one in (*turns, *budgets)]
    head = ("first turn", "chance to win", "of all cards")
    return NumberTable(f"Chance to win of the first of {players} players, by first turn", head, rows)
