"""Runs for reports: small ones made by hand, and written to files as `deadwood simulate` does."""

import msgspec

from deadwood.engine.board import built_in_board
from deadwood.lab.frames import games_frame
from deadwood.lab.playing import Plan, play_games
from deadwood.lab.rows import Job, Promotion, SimulatedGame
from deadwood.lab.run_file import FORMAT, HEADER


def job(seat, area="saloon", kind="extra", number=1, role_rank=1, budget=3, **worked):
    return Job(seat, 1, 1, area, 17, kind, number, role_rank, 2, budget, **worked)


def promotion(seat, turn, old_rank, rank, price=4):
    return Promotion(seat, 1, turn, old_rank, rank, "dollars", price)


def game(number, scores, *, bots=("a", "b"), first=0, jobs=(), promotions=(), cut_off=False, won=None, **changes):
    """A game with these scores; the highest scores win, unless `won` says otherwise."""
    seats = len(bots)
    best = max(scores)
    shares = won or [float(score == best) / scores.count(best) for score in scores]
    row = SimulatedGame(
        game=number,
        bots=list(bots),
        first=first,
        deck="classic",
        layout="GM/CH",
        ties="shared",
        bonus="roles",
        days=1,
        decisions=9,
        cut_off=cut_off,
        scores=list(scores),
        won=[0.0] * seats if cut_off else list(shares),
        places=[1] * seats,
        ranks=[1] * seats,
        dollars=[0] * seats,
        credits=[0] * seats,
        turns=[10] * seats,
        day_turns=[10 * seats],
        act_dice=[1, 2, 3, 4, 5, 6],
        bonus_dice=[0, 0, 0, 0, 0, 0],
        jobs=list(jobs),
        promotions=list(promotions),
    )
    return msgspec.structs.replace(row, **changes)


def header_of(bots=("a", "b"), **changes):
    """What a run's file says about itself."""
    usual = {
        "format": FORMAT,
        "version": "0.1.0",
        "seats": list(bots),
        "seed": 7,
        "limit": 20_000,
        "decisions": False,
        "vector": False,
        "board": built_in_board().fingerprint,
        "deck": "classic",
        "layout": "standard",
        "first": "random",
        "ties": "later",
        "bonus": "roles",
        "dice": "fair",
        "days": None,
    }
    return usual | changes


def write_run(file, rows, header):
    metadata = {HEADER: msgspec.json.encode(header).decode()}
    games_frame(rows).write_parquet(file, metadata=metadata)
    return file


def played(bots, games, **changes):
    """Games that bots played."""
    rows, _ = play_games(Plan(seats=bots, seed=3, **changes), range(games))
    return rows


def sums(ys, xs):
    """The sums over games that answers hold, for a quantity y per x."""
    return {
        "games": len(ys),
        "y": sum(ys),
        "x": sum(xs),
        "yy": sum(y * y for y in ys),
        "xy": sum(x * y for x, y in zip(xs, ys, strict=True)),
        "xx": sum(x * x for x in xs),
    }
