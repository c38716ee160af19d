"""Questions about a run. Every answer is a small table of sums, so answers for parts of a run can be added up."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import polars as pl
from msgspec import Struct

from ...engine.chance import FACES
from ...engine.deck import BUDGETS, most_chips
from ...engine.options import PLAYERS, beginning
from ...engine.scoring import money_points, rank_points, score_of

BATCH = 20_000  # games in memory at once
ONE = pl.col("one")  # counts rows in `over_games`

Answers = dict[str, pl.DataFrame]


class Question(Struct, frozen=True):
    """The key columns of an answer, and the query that computes its sums from games."""

    keys: tuple[str, ...]
    ask: Callable[[pl.LazyFrame], pl.LazyFrame]
    includes_cut_off: bool = False


def answer(games: pl.LazyFrame, questions: Mapping[str, Question], batch: int = BATCH) -> Answers:
    """All answers, computed in batches so that a long run need not fit into memory."""
    total = games.select(pl.len()).collect().item()
    parts = [_answers(games.slice(first, batch), questions) for first in range(0, total, batch)]
    return {name: _added([part[name] for part in parts], question) for name, question in questions.items()}


def _answers(games: pl.LazyFrame, questions: Mapping[str, Question]) -> Answers:
    batch = games.collect().lazy()
    finished = batch.filter(~pl.col("cut_off"))
    asked = [question.ask(batch if question.includes_cut_off else finished) for question in questions.values()]
    return dict(zip(questions, pl.collect_all(asked), strict=True))


def _added(parts: Sequence[pl.DataFrame], question: Question) -> pl.DataFrame:
    whole = pl.concat(parts)
    if not question.keys:
        return whole.sum()
    return whole.group_by(question.keys).agg(pl.all().sum()).sort(question.keys, nulls_last=True)


def over_games(rows: pl.LazyFrame, keys: Sequence[str], y: pl.Expr, x: pl.Expr) -> pl.LazyFrame:
    """Sums over games of a quantity y, its denominator x, and the products that intervals need."""
    counted = rows.with_columns(one=pl.lit(1))
    a_game = counted.group_by("game", *keys).agg(y=y.cast(pl.Float64).sum(), x=x.cast(pl.Float64).sum())
    y, x = pl.col("y"), pl.col("x")
    products = {"yy": (y * y).sum(), "xy": (x * y).sum(), "xx": (x * x).sum()}
    return a_game.group_by(keys).agg(games=(x > 0).sum().cast(pl.Int64), y=y.sum(), x=x.sum(), **products)


def players(games: pl.LazyFrame) -> pl.LazyFrame:
    """A row for every player of every game; `position` is the number in turn order, from 0."""
    lists = {"bot": "bots", "won": "won", "score": "scores", "rank": "ranks"}
    seats = pl.col("bots").list.len().cast(pl.Int64)
    chosen = games.select("game", "first", *(pl.col(old).alias(new) for new, old in lists.items()), players=seats)
    rows = chosen.with_columns(seat=pl.int_ranges(pl.col("players"))).explode("seat", *lists)
    return rows.with_columns(position=(pl.col("seat") + pl.col("players") - pl.col("first")) % pl.col("players"))


def jobs(games: pl.LazyFrame) -> pl.LazyFrame:
    """A row for every job of every game."""
    rows = _inner_rows(games, "jobs")
    pay = money_points(pl.col("dollars"), pl.col("credits"))
    return rows.with_columns(pay=pay, points=pay + pl.col("bonus"), turns=pl.col("acts") + pl.col("rehearsals"))


def promotions(games: pl.LazyFrame) -> pl.LazyFrame:
    """A row for every rank that was bought."""
    return _inner_rows(games, "promotions")


def _inner_rows(games: pl.LazyFrame, column: str) -> pl.LazyFrame:
    rows = games.select("game", "bots", column).filter(pl.col(column).list.len() > 0)
    return rows.explode(column).unnest(column).with_columns(bot=pl.col("bots").list.get(pl.col("seat"))).drop("bots")


def count_games(games: pl.LazyFrame) -> pl.LazyFrame:
    """The number of games, and of those cut off."""
    return games.select(games=pl.len().cast(pl.Int64), cut_off=pl.col("cut_off").sum().cast(pl.Int64))


def wins(keys: tuple[str, ...], games: pl.LazyFrame) -> pl.LazyFrame:
    """Games won, by these columns of `players`."""
    return over_games(players(games), keys, pl.col("won"), ONE)


def scores(games: pl.LazyFrame) -> pl.LazyFrame:
    """Final scores by bot."""
    return over_games(players(games), ["bot"], pl.col("score"), ONE)


def score_counts(games: pl.LazyFrame) -> pl.LazyFrame:
    """How many players had each score."""
    return players(games).group_by("bot", "score").agg(count=pl.len().cast(pl.Int64))


def sources(games: pl.LazyFrame) -> pl.LazyFrame:
    """Where points came from and where they went; all sources add up to the score."""
    earned = jobs(games)
    parts = [
        *_start_and_ranks(players(games)),
        *(_source(earned.filter(pl.col("kind") == kind), f"{kind} pay", pl.col("pay")) for kind in ("star", "extra")),
        *(
            _source(earned.filter(pl.col("kind") == kind), f"{kind} bonus", pl.col("bonus"))
            for kind in ("star", "extra")
        ),
        _source(promotions(games), "prices", -_price_points()),
    ]
    return over_games(pl.concat(parts), ["bot", "source"], pl.col("points"), ONE)


def _price_points() -> pl.Expr:
    """What the money that a rank costs would count at the end."""
    in_dollars = pl.col("price") * (pl.col("currency") == "dollars").cast(pl.Int64)
    return money_points(in_dollars, pl.col("price") - in_dollars)


def _start_and_ranks(rows: pl.LazyFrame) -> list[pl.LazyFrame]:
    """Points at the start, in credits and rank (R2.3), and points for ranks gained."""
    starts = {count: beginning(count) for count in PLAYERS}
    rank = pl.col("players").replace_strict({count: start.rank for count, start in starts.items()})
    points = {count: score_of(0, start.credits, start.rank) for count, start in starts.items()}
    return [
        _source(rows, "start", pl.col("players").replace_strict(points)),
        _source(rows, "ranks", rank_points(pl.col("rank") - rank)),
    ]


def _source(rows: pl.LazyFrame, name: str, points: pl.Expr) -> pl.LazyFrame:
    return rows.select("game", "bot", source=pl.lit(name), points=points.cast(pl.Int64))


def pay_a_turn(keys: tuple[str, ...], games: pl.LazyFrame) -> pl.LazyFrame:
    """The pay of jobs, including bonuses, per turn spent on them."""
    return over_games(_with_origin(jobs(games)), keys, pl.col("points"), pl.col("turns"))


def jobs_taken(keys: tuple[str, ...], games: pl.LazyFrame) -> pl.LazyFrame:
    """The number of jobs taken."""
    return over_games(_with_origin(jobs(games)), keys, ONE, ONE)


def _with_origin(rows: pl.LazyFrame) -> pl.LazyFrame:
    """Adds where a role is printed: stars on a card, extras on a set."""
    is_star = pl.col("kind") == "star"
    return rows.with_columns(
        on_card=pl.when(is_star).then(pl.col("card")), on_set=pl.when(~is_star).then(pl.col("area"))
    )


def openings(games: pl.LazyFrame) -> pl.LazyFrame:
    """The pay of each player's first job on day one, per turn from the start of the game to its end."""
    return over_games(_first_jobs(games), _OPENING, pl.col("points"), pl.col("began") + pl.col("turns"))


def opening_wins(games: pl.LazyFrame) -> pl.LazyFrame:
    """Games won, by opening."""
    rows = _first_jobs(games).join(players(games).select("game", "seat", "won"), on=["game", "seat"])
    return over_games(rows, _OPENING, pl.col("won"), ONE)


def _first_jobs(games: pl.LazyFrame) -> pl.LazyFrame:
    rows = jobs(games).filter(pl.col("day") == 1).with_columns(pl.col("seat").cast(pl.Int64))
    return rows.filter(pl.col("began") == pl.col("began").min().over("game", "seat"))


def ranks_gained(turns: Sequence[int], games: pl.LazyFrame) -> pl.LazyFrame:
    """Ranks gained by the end of each of these turns of a player."""
    gained = pl.col("rank") - pl.col("old_rank")
    by_turn = [gained.filter(pl.col("turn") <= turn).sum().alias(str(turn)) for turn in turns]
    a_game = promotions(games).group_by("game", "bot").agg(by_turn)
    rows = a_game.unpivot(index=["game", "bot"], variable_name="turn", value_name="gained")
    return over_games(rows.with_columns(pl.col("turn").cast(pl.Int64)), ["bot", "turn"], pl.col("gained"), ONE)


def day_turns(games: pl.LazyFrame) -> pl.LazyFrame:
    """How many days had each length, in turns of all players."""
    days = pl.int_ranges(1, pl.col("day_turns").list.len().cast(pl.Int64) + 1)
    rows = games.select("day_turns", day=days).explode("day_turns", "day")
    return rows.group_by("day", turns="day_turns").agg(count=pl.len().cast(pl.Int64))


def rehearsals(keys: tuple[str, ...], games: pl.LazyFrame) -> pl.LazyFrame:
    """Rehearsals as a share of all turns on a role."""
    return over_games(jobs(games), keys, pl.col("rehearsals"), pl.col("turns"))


def successes(keys: tuple[str, ...], games: pl.LazyFrame) -> pl.LazyFrame:
    """Successes as a share of all acts."""
    return over_games(jobs(games), keys, pl.col("successes"), pl.col("acts"))


def more_chips(games: pl.LazyFrame) -> pl.LazyFrame:
    """How often a player with this many chips on a job took another, where the rules allow it (R6.7)."""
    chips = pl.int_ranges(0, pl.col("rehearsals").cast(pl.Int64) + 1)
    rows = jobs(games).filter(pl.col("turns") > 0).with_columns(chips=chips).explode("chips")
    allowed = rows.filter(pl.col("chips") < pl.col("budget").replace_strict(_MOST_CHIPS))
    return over_games(allowed, ["bot", "budget", "chips"], pl.col("chips") < pl.col("rehearsals"), ONE)


def dice(games: pl.LazyFrame) -> pl.LazyFrame:
    """How often each face was rolled."""
    kinds = ("act", "bonus")
    return pl.concat([_faces(games, kind) for kind in kinds])


def _faces(games: pl.LazyFrame, kind: str) -> pl.LazyFrame:
    counts = [
        pl.col(f"{kind}_dice").list.get(face - 1, null_on_oob=True).cast(pl.Int64).sum().alias(str(face))
        for face in _FACES
    ]
    rows = games.select(counts).unpivot(variable_name="face", value_name="count")
    return rows.select(pl.lit(kind).alias("kind"), pl.col("face").cast(pl.Int64), "count")


_FACES = range(1, FACES + 1)
_MOST_CHIPS = {budget: most_chips(budget) for budget in BUDGETS}
_SET, _KIND_OF_SET = ("area",), ("area", "kind")
_OPENING = ("area", "kind")
_ROLE, _RANK_OF_ROLE = ("kind", "on_card", "on_set", "number", "role_rank"), ("kind", "role_rank")
_OWN_RANK = ("kind", "rank")


def all_questions(turns: Sequence[int]) -> dict[str, Question]:
    """All questions of a report, with ranks at the end of these turns."""
    winners = {"seat": ("seat",), "bot": ("bot",), "seat and position": ("seat", "position")}
    habits = {"bot": ("bot",), "budget": ("bot", "budget")}
    keyed = {"set": _SET, "set and kind": _KIND_OF_SET, "role": _ROLE, "rank": _RANK_OF_ROLE, "own rank": _OWN_RANK}
    return {
        "games": Question((), count_games, includes_cut_off=True),
        **{f"wins by {name}": Question(keys, partial(wins, keys)) for name, keys in winners.items()},
        "scores": Question(("bot",), scores),
        "score counts": Question(("bot", "score"), score_counts),
        "sources": Question(("bot", "source"), sources),
        **{f"pay by {name}": Question(keys, partial(pay_a_turn, keys)) for name, keys in keyed.items()},
        **{f"jobs by {name}": Question(keys, partial(jobs_taken, keys)) for name, keys in keyed.items()},
        "openings": Question(_OPENING, openings),
        "opening wins": Question(_OPENING, opening_wins),
        "ranks gained": Question(("bot", "turn"), partial(ranks_gained, turns)),
        "day turns": Question(("day", "turns"), day_turns),
        **{f"rehearsals by {name}": Question(keys, partial(rehearsals, keys)) for name, keys in habits.items()},
        **{f"successes by {name}": Question(keys, partial(successes, keys)) for name, keys in habits.items()},
        "more chips": Question(("bot", "budget", "chips"), more_chips),
        "dice": Question(("kind", "face"), dice, includes_cut_off=True),
    }
