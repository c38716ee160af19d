"""Evaluates an arena: ratings, win shares, pairwise comparisons and the ladder."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import permutations

from msgspec import Struct
from openskill.models import PlackettLuce, PlackettLuceRating

from .arena import GameResult
from .statistics import Group, ShareEstimate, luck_alone, share_by_groups, share_without

Luck = tuple[float, ...]  # by judge
Dealt = tuple[int, int]  # how many players, and the number of the deal: tables of other sizes have other deals


class Adjusted(Struct, frozen=True):
    """A win share without luck, and how many games with luck one game without luck is worth, if that can be told."""

    share: ShareEstimate
    games: float | None


class RankedBot(Struct, frozen=True):
    """A bot in the ranking. `rating` is a lower bound: `mean` minus three times `doubt`, the standard deviation."""

    bot: str
    rating: float
    mean: float
    doubt: float
    games: int
    wins: float
    share: ShareEstimate
    fair_share: float
    score: float
    milliseconds: float
    adjusted: Adjusted | None = None


class Meeting(Struct, frozen=True):
    """How often one bot finished ahead of another at the same table."""

    bot: str
    other: str
    meetings: int
    ahead: ShareEstimate


class Ranking(Struct, frozen=True):
    """The results of an arena at tables with this many players, or at all tables if `players` is None."""

    players: int | None
    games: int
    cut_off: int
    lines: tuple[RankedBot, ...]
    meetings: tuple[Meeting, ...]


class Rung(Struct, frozen=True):
    """A step of the ladder: the stronger bot's win share, and the probability of as many wins by luck alone."""

    stronger: str
    weaker: str
    players: int
    games: int
    cut_off: int
    wins: float
    share: ShareEstimate
    luck: float
    adjusted: Adjusted | None = None


def rank(results: Sequence[GameResult], players: int | None = None) -> Ranking:
    """All bots, the best rated first. Games that were cut off are counted, but not rated."""
    finished = [result for result in results if not result.cut_off]
    seats = _seats(finished)
    ratings = _ratings(finished)
    lines = [_line(bot, ratings[bot], seats[bot]) for bot in seats]
    return Ranking(
        players=players,
        games=len(results),
        cut_off=sum(result.cut_off for result in results),
        lines=tuple(sorted(lines, key=lambda line: -line.rating)),
        meetings=tuple(_meetings(finished)),
    )


def rung(stronger: str, weaker: str, results: Sequence[GameResult]) -> Rung:
    """How much stronger one bot is than the other, over finished games."""
    finished = [result for result in results if not result.cut_off]
    judged = [(_dealt(one), _won_by(stronger, one), _luck_of(stronger, one)) for one in finished if one.luck]
    won = [(_dealt(result), _won_by(stronger, result)) for result in finished]
    wins = sum(share for _, share in won)
    return Rung(
        stronger=stronger,
        weaker=weaker,
        players=len(results[0].seats),
        games=len(finished),
        cut_off=len(results) - len(finished),
        wins=wins,
        share=_by_deals(won),
        luck=luck_alone(int(wins), len(finished)),
        adjusted=_adjusted(judged) if len(judged) == len(finished) else None,
    )


def _dealt(result: GameResult) -> Dealt:
    return len(result.seats), result.deal


def _won_by(bot: str, result: GameResult) -> float:
    return sum(won for name, won in zip(result.seats, result.won, strict=True) if name == bot)


def _luck_of(bot: str, result: GameResult) -> Luck:
    """A bot's luck, by judge."""
    own = [seat for seat, name in enumerate(result.seats) if name == bot]
    return tuple(sum(luck[seat] for seat in own) for luck in result.luck)


def _adjusted(trials: Sequence[tuple[Dealt, float, Luck]]) -> Adjusted | None:
    """The share of wins without luck, from deals, wins and luck; None if there are too few deals.

    Luck is removed as far as it explains who won, and each judge counts as much as it helps to do so: at a table of
    unequal bots a stroke of luck decides less than the champion thinks, which takes all of them for equals.
    """
    won = _grouped((deal, won) for deal, won, _ in trials)
    judges = range(len(trials[0][2]))
    luck = [[total for total, _ in _grouped((deal, luck[judge]) for deal, _, luck in trials)] for judge in judges]
    found = share_without(luck, won)
    return Adjusted(*found) if found else None


def _grouped(trials: Iterable[tuple[Dealt, float]]) -> list[Group]:
    groups: dict[Dealt, list[float]] = defaultdict(list)
    for deal, value in trials:
        groups[deal].append(value)
    return [(sum(group), len(group)) for group in groups.values()]


def _by_deals(trials: Iterable[tuple[Dealt, float]]) -> ShareEstimate:
    """A share of trials, grouped by deal because games of one deal are not independent."""
    return share_by_groups(_grouped(trials))


class _Seat(Struct, frozen=True):
    result: GameResult
    number: int


def _seats(results: Iterable[GameResult]) -> dict[str, list[_Seat]]:
    seats: dict[str, list[_Seat]] = defaultdict(list)
    for result in results:
        for number, bot in enumerate(result.seats):
            seats[bot].append(_Seat(result, number))
    return seats


def _line(bot: str, rating: PlackettLuceRating, seats: Sequence[_Seat]) -> RankedBot:
    wins = sum(seat.result.won[seat.number] for seat in seats)
    decisions = sum(seat.result.decisions[seat.number] for seat in seats)
    judged = [
        (_dealt(seat.result), seat.result.won[seat.number], tuple(luck[seat.number] for luck in seat.result.luck))
        for seat in seats
        if seat.result.luck
    ]
    return RankedBot(
        bot=bot,
        rating=rating.ordinal(),
        mean=rating.mu,
        doubt=rating.sigma,
        games=len(seats),
        wins=wins,
        share=_by_deals((_dealt(seat.result), seat.result.won[seat.number]) for seat in seats),
        fair_share=sum(1 / len(seat.result.seats) for seat in seats) / len(seats),
        score=sum(seat.result.scores[seat.number] for seat in seats) / len(seats),
        milliseconds=1000 * sum(seat.result.seconds[seat.number] for seat in seats) / max(1, decisions),
        adjusted=_adjusted(judged) if len(judged) == len(seats) else None,
    )


def _ratings(results: Iterable[GameResult]) -> dict[str, PlackettLuceRating]:
    """Ratings, updated game by game. A bot with several seats gets the mean of their ratings."""
    model = PlackettLuce()
    ratings: dict[str, PlackettLuceRating] = defaultdict(model.rating)
    for result in results:
        rated = model.rate([[ratings[bot]] for bot in result.seats], ranks=[float(place) for place in result.places])
        for bot in set(result.seats):
            own = [team[0] for team, name in zip(rated, result.seats, strict=True) if name == bot]
            mean, doubt = (sum(values) / len(own) for values in zip(*((one.mu, one.sigma) for one in own), strict=True))
            ratings[bot] = model.create_rating([mean, doubt])
    return ratings


def _meetings(results: Iterable[GameResult]) -> Iterable[Meeting]:
    met: dict[tuple[str, str], list[tuple[Dealt, float]]] = defaultdict(list)
    for result in results:
        for one, other in permutations(range(len(result.seats)), 2):
            if result.seats[one] != result.seats[other]:
                ahead = _ahead(result.places[one], result.places[other])
                met[result.seats[one], result.seats[other]].append((_dealt(result), ahead))
    for (bot, rival), trials in sorted(met.items()):
        yield Meeting(bot, rival, len(trials), _by_deals(trials))


def _ahead(place: int, other: int) -> float:
    """Whether a place is ahead of another; a shared place counts half."""
    return 0.5 if place == other else float(place < other)
