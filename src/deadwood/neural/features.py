"""What the net sees: a row for every area, a row for every seat, and one for everything else.

All of it follows from an observation of `deadwood.encoding` and the mask of legal actions. The observer must be the
active player. `xp` is numpy or `jax.numpy`, so three rules stand here once more, in arrays: which roles are open, which
ranks a player can pay for, and what a wrap would pay. The tests compare them with the engine.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .. import encoding
from ..encoding import AREAS, BLOCKS, ROLES, SEATS, part
from ..engine.board import MOST_SHOTS, UPGRADE_RANKS
from ..engine.deck import BUDGETS, HIGHEST_RANK, MOST_STARS, most_chips
from ..engine.odds import dealt_dice, expectation, success_chance
from ..engine.options import PLAYERS
from ..engine.scoring import score_of

VERSION = 1  # changes whenever the meaning of a feature changes

POINT_SCALE = 20.0  # expected scores, leads and purses are counted in this many points
FARTHEST = 5  # larger distances look the same
ALIGNED = 8  # rows are padded to a multiple of this, which suits matrix units
MOST_SCENES = AREAS - 2

_AREA = {name: BLOCKS["areas"].column(name) for name in BLOCKS["areas"].columns}
_PLAYER = {name: BLOCKS["players"].column(name) for name in BLOCKS["players"].columns}
_GAME = {name: BLOCKS["game"].column(name) for name in BLOCKS["game"].columns}
_FIRST_RANK, _FIRST_HOLDER = _AREA["star_1_rank"], _AREA["star_1_by"]

Array = Any  # of numpy or of JAX


class Features(NamedTuple):
    """What the net sees. The leading axes are the batch."""

    areas: Array  # by area
    seats: Array  # by seat, counted from the active player
    rest: Array
    present: Array  # by seat, 1 if somebody sits there
    points: Array  # by seat, the score if the game ended now, in POINT_SCALE
    mask: Array  # which actions are legal


class Sizes(NamedTuple):
    """How many numbers the rows have."""

    area: int
    seat: int
    rest: int


@cache
def sizes() -> Sizes:
    """How many numbers the rows of `features` have."""
    seen = features(np, np.zeros(encoding.SIZE, encoding.DTYPE), np.zeros(encoding.ACTIONS, np.bool_))
    return Sizes(seen.areas.shape[-1], seen.seats.shape[-1], seen.rest.shape[-1])


def features(xp: Any, observation: Array, mask: Array, dtype: Any = np.float32) -> Features:
    """The features of positions in which the observer is the active player."""
    view = _View(xp, observation)
    areas = view.area_rows()
    here = xp.take_along_axis(areas, view.own_area[..., None, None], -2)[..., 0, :]
    rest = xp.concatenate([view.game_row(), mask.astype(np.float32), here], -1)
    return Features(
        areas=_aligned(xp, areas).astype(dtype),
        seats=_aligned(xp, view.seat_rows()).astype(dtype),
        rest=_aligned(xp, rest).astype(dtype),
        present=view.present,
        points=view.points / POINT_SCALE,
        mask=mask,
    )


def _aligned(xp: Any, rows: Array) -> Array:
    missing = -rows.shape[-1] % ALIGNED
    return xp.concatenate([rows, xp.zeros((*rows.shape[:-1], missing), rows.dtype)], -1) if missing else rows


@cache
def _mean_bonuses() -> Array:
    """The mean dollars of a wrap, by budget, number of paid roles and place among them, the best role first (R7.2)."""
    means = np.zeros((BUDGETS[-1] + 1, MOST_STARS + 1, MOST_STARS), np.float32)
    for budget in BUDGETS:
        for places in range(1, MOST_STARS + 1):
            for place in range(places):
                means[budget, places, place] = float(expectation(dealt_dice(budget, places, place)))
    return means


@cache
def _success_chances() -> Array:
    """The chance that an act succeeds, by budget and practice chips (R6.1)."""
    budgets, chips = range(BUDGETS[-1] + 1), range(most_chips(BUDGETS[-1]) + 1)
    return np.array([[float(success_chance(budget, held)) for held in chips] for budget in budgets], np.float32)


class _View:
    """The blocks of an observation, and what several rows need."""

    def __init__(self, xp: Any, observation: Array) -> None:
        self._xp = xp
        whole = observation.astype(np.float32)
        self._game = part(whole, "game")[..., 0, :]
        self._players, self._areas = part(whole, "players"), part(whole, "areas")
        self._unseen_budgets = part(whole, "unseen_budgets")[..., 0, :]
        self._prices = part(whole, "prices")
        distances = part(whole, "distances")
        self._near = 1 / (1 + distances)  # 1 here, 1/2 next door, and so on
        self._look_at_players(distances)
        self._look_at_roles()

    def _look_at_players(self, distances: Array) -> None:
        xp = self._xp
        self.present = self._of_players("present")
        self._rank, self._chips = self._of_players("rank"), self._of_players("chips")
        self._dollars, self._credits = self._of_players("dollars"), self._of_players("credits")
        self.points = score_of(self._dollars, self._credits, self._rank) * self.present
        area = self._of_players("area").astype(np.int32)
        self._area, self.own_area = area, area[..., 0]
        self._at = self._one_hot(area, AREAS) * self.present[..., None]
        self._away = xp.take_along_axis(distances, area[..., None], -2)
        self._seat_near = 1 / (1 + self._away)
        role = self._of_players("role")
        self._on_role = self._one_hot(role - 1, ROLES)  # all zeros for those without a role
        self._idle = self.present * (role == 0)

    def _look_at_roles(self) -> None:
        areas = self._areas
        self._ranks = areas[..., _FIRST_RANK : _FIRST_RANK + ROLES]
        holders = areas[..., _FIRST_HOLDER : _FIRST_HOLDER + ROLES]
        self._by_me, self._by_others = holders == 1, holders > 1
        self._scene, self._budget = self._of_areas("scene"), self._of_areas("budget")
        self._shots = self._of_areas("shots")
        self._is_down = (self._scene == encoding.TURNED_DOWN).astype(np.float32)
        is_up = self._scene == encoding.TURNED_UP
        free = (self._ranks > 0) & (holders == 0) & is_up[..., None]
        by_rank = self._ranks[..., None, :, :] <= self._rank[..., None, None]  # R5.3
        opened = free[..., None, :, :] & by_rank  # by seat, area and role
        self._open_to_me = opened[..., 0, :, :]
        here = self.present[..., None]
        self._star_open = opened[..., :MOST_STARS].any(-1) * here
        self._extra_open = opened[..., MOST_STARS:].any(-1) * here
        self._star_by = (holders[..., :MOST_STARS] > 0).astype(np.float32)
        self._bonus = self._bonuses()

    def _of_players(self, column: str) -> Array:
        return self._players[..., _PLAYER[column]]

    def _of_areas(self, column: str) -> Array:
        return self._areas[..., _AREA[column]]

    def _of_game(self, column: str) -> Array:
        return self._game[..., _GAME[column]]

    def _one_hot(self, values: Array, count: int, first: int = 0) -> Array:
        return (values[..., None] == np.arange(first, first + count)).astype(np.float32)

    def _bonuses(self) -> Array:
        """What a wrap with the present cast would pay a player on each role: by area and role, in dollars."""
        xp, taken = self._xp, self._star_by
        roles = (self._ranks[..., :MOST_STARS] > 0).astype(np.float32)
        actors_right = self._stack([taken[..., at + 1 :].sum(-1) for at in range(MOST_STARS)])
        by_actors = (taken.sum(-1, keepdims=True) - taken + 1, actors_right)
        count = roles.sum(-1, keepdims=True)
        by_roles = (count + 0 * taken, xp.maximum(count - 1 - np.arange(MOST_STARS, dtype=np.float32), 0))
        only_actors = self._of_game("bonus_actors")[..., None, None] > 0  # R12.5
        places, place = (xp.where(only_actors, one, other) for one, other in zip(by_actors, by_roles, strict=True))
        index = (self._budget[..., None] * (MOST_STARS + 1) + places) * MOST_STARS + place
        stars = xp.asarray(_mean_bonuses().ravel())[index.astype(np.int32)] * roles
        extras = self._ranks[..., MOST_STARS:] * taken.max(-1, keepdims=True)  # R7.1, R7.4
        return xp.concatenate([stars, extras], -1)

    def _chances(self, budget: Array) -> Array:
        """How likely each player's next act succeeds against this budget."""
        xp, chances = self._xp, _success_chances()
        chips = xp.minimum(self._chips, chances.shape[1] - 1)
        return xp.asarray(chances)[budget.astype(np.int32), chips.astype(np.int32)]

    def _nearest(self, wanted: Array, near: Array) -> Array:
        """How near the nearest wanted area is: 1 here, 1/2 next door; 0 if there is none."""
        return (wanted * near).max(-1)

    # -------------------------------------------------------------------------------------------- the rows

    def area_rows(self) -> Array:
        """A row for every area."""
        groups = [self._scene_columns(), self._role_columns(), self._people_columns(), self._way_columns()]
        names = self._one_hot(np.arange(AREAS), AREAS)
        batch = self._areas.shape[:-2]
        return self._xp.concatenate([*groups, self._xp.broadcast_to(names, (*batch, AREAS, AREAS))], -1)

    def _stack(self, columns: list[Array]) -> Array:
        return self._xp.stack(columns, -1)

    def _scene_columns(self) -> Array:
        return self._xp.concatenate(
            [
                self._one_hot(self._of_areas("kind"), len(encoding.AREA_KINDS)),
                self._one_hot(self._scene, 3),
                self._one_hot(self._budget, len(BUDGETS), BUDGETS[0]),
                self._one_hot(self._shots, MOST_SHOTS, 1),
                self._of_areas("all_shots")[..., None] / MOST_SHOTS,
                self._one_hot(self._xp.minimum(self._of_areas("distance"), FARTHEST), FARTHEST + 1),
            ],
            -1,
        )

    def _role_columns(self) -> Array:
        return self._xp.concatenate(
            [
                self._ranks / HIGHEST_RANK,
                self._open_to_me.astype(np.float32),
                self._by_me.astype(np.float32),
                self._by_others.astype(np.float32),
                self._bonus / 10,
            ],
            -1,
        )

    def _people_columns(self) -> Array:
        others = self._at[..., 1:, :]
        idle = self._idle[..., 1:, None]
        return self._stack(
            [
                self._at[..., 0, :],
                (others * idle).sum(-2) / 3,
                (others * (1 - idle)).sum(-2) / 3,
                (others * self._chips[..., 1:, None]).max(-2) / 5,
                (idle * (self._away[..., 1:, :] <= 1)).sum(-2) / 3,
                (idle * self._seat_near[..., 1:, :]).max(-2),
                idle[..., 0, :] * self._seat_near[..., 1, :],
                self._star_open[..., 1:, :].sum(-2) / 3,
                self._extra_open[..., 1:, :].sum(-2) / 3,
            ]
        )

    def _way_columns(self) -> Array:
        """How near each area is to what the active player may want next."""
        near = self._near
        wanted = (
            self._star_open[..., 0, :],
            self._extra_open[..., 0, :],
            self._is_down,
            self._of_areas("kind") == encoding.AREA_KINDS.index("casting office"),
        )
        return self._stack([self._nearest(one[..., None, :], near) for one in wanted])

    def seat_rows(self) -> Array:
        """A row for every seat; zeros where nobody sits."""
        xp = self._xp
        order = xp.broadcast_to(self._one_hot(np.arange(SEATS), SEATS), (*self._rank.shape, SEATS))
        columns = [
            order,
            self._one_hot(self._rank, HIGHEST_RANK, 1),
            self._at,
            self._purse_columns(),
            self._rank_columns(),
            self._work_columns(),
            self._reach_columns(),
        ]
        return xp.concatenate(columns, -1) * self.present[..., None]

    def _purse_columns(self) -> Array:
        xp = self._xp
        lead = (self.points - self.points[..., :1]) / POINT_SCALE
        best = self.points.max(-1, keepdims=True)
        return self._stack(
            [
                self.present,
                self._of_players("turn") / (SEATS - 1),
                xp.minimum(self._dollars / POINT_SCALE, 4),
                xp.minimum(self._credits / POINT_SCALE, 4),
                self.points / 50,
                xp.clip(lead, -3, 3),
                xp.clip(4 * lead, -1, 1),
                xp.clip((self.points - best) / POINT_SCALE, -3, 0),
            ]
        )

    def _rank_columns(self) -> Array:
        """For every rank above a player's own, whether the player can pay for it (R8.2)."""
        dollars, credits = self._prices[..., 0, :], self._prices[..., 1, :]
        paid = (self._dollars[..., None] >= dollars[..., None, :]) | (self._credits[..., None] >= credits[..., None, :])
        higher = np.array(UPGRADE_RANKS) > self._rank[..., None]
        return (paid & higher).astype(np.float32)

    def _work_columns(self) -> Array:
        """What a player is doing, and how likely the next act succeeds."""
        xp = self._xp
        place = xp.concatenate([self._stack([self._budget, self._shots]), self._ranks, self._bonus], -1)
        here = xp.take_along_axis(place, self._area[..., None], -2)
        working = (1 - self._idle) * self.present
        budget, shots = here[..., 0] * working, here[..., 1] * working
        rank, bonus = ((here[..., at : at + ROLES] * self._on_role).sum(-1) for at in (2, 2 + ROLES))
        on_card = self._on_role[..., :MOST_STARS].sum(-1)
        columns = [
            working,
            on_card,
            working - on_card,
            self._chips / 5,
            rank / HIGHEST_RANK,
            bonus / 10,
            budget / BUDGETS[-1],
            working * self._chances(budget),
        ]
        return xp.concatenate([self._stack(columns), self._one_hot(shots, MOST_SHOTS, 1)], -1)

    def _reach_columns(self) -> Array:
        """How near what a player may want next is."""
        near = self._seat_near
        office = self._of_areas("kind") == encoding.AREA_KINDS.index("casting office")
        return self._stack(
            [
                self._nearest(self._star_open, near),
                self._nearest(self._extra_open, near),
                self._nearest(self._is_down[..., None, :], near),
                self._nearest(office[..., None, :], near),
                self._star_open.sum(-1) / 5,
                self._extra_open.sum(-1) / 5,
            ]
        )

    def game_row(self) -> Array:
        """What belongs to no area and no seat."""
        xp, of_game = self._xp, self._of_game
        unseen = of_game("unseen_cards")
        numbers = [
            of_game("moved"),
            of_game("day") / 4,
            of_game("days") / 4,
            (of_game("days") - of_game("day")) / 3,
            of_game("deck") == 1,
            unseen / 40,
            of_game("bonus_actors"),
            of_game("ties_shared"),
            self._shots.sum(-1) / 22,
            self._is_down.sum(-1) / 10,
            (self._scene == encoding.TURNED_UP).sum(-1) / 10,
            self._idle.sum(-1) / SEATS,
        ]
        return xp.concatenate(
            [
                self._stack([one.astype(np.float32) for one in numbers]),
                self._one_hot(of_game("players"), len(PLAYERS), PLAYERS[0]),
                self._one_hot(of_game("scenes_left"), MOST_SCENES + 1),
                self._unseen_budgets / 10,
                self._unseen_budgets / xp.maximum(unseen, 1)[..., None],
                xp.minimum(self._prices / POINT_SCALE, 4).reshape(*unseen.shape, -1),
            ],
            -1,
        )
