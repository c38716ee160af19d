"""The client knows no rule: unchanged, it plays another game with other prices, areas, cards and options."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from deadwood import Game, Options

from ..server.people import serving
from .other_game import environment
from .playing import (
    changing,
    drop,
    everybody_is_ready,
    finish,
    open_options,
    play,
    play_actions,
    running_game,
    tokens_of,
    waiting_table,
)
from .test_drama import middle

NAMES = ("Ada", "Bo", "Cy")
WRAP = [
    *("move saloon = card 26", "take star 1", "end", "end", "rehearse", "end", "end"),
    *("act = 6", "end", "end", "act = 6 / 6 5 4 3 2 1"),
]
PRICES = ["Rank 2 for $3", "Rank 2 for 2 credits", "Rank 3 for $11", "Rank 3 for 16 credits"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("other-game")
    with serving(f"sqlite:///{folder}/games.sqlite3", environment=environment(folder)) as running:
        yield running
        assert "traceback" not in running.log()


@pytest.fixture
def lobby(visitors, server):
    """Ada's table, where she can sit with others at one screen."""

    def wait(*names):
        code, tokens = waiting_table(server, *names)
        page = visitors(server.url, path=f"/t/{code}", seats={code: tokens})
        open_options(page)
        return page, code

    return wait


@pytest.fixture
def game(visitors, server):
    """Begins a game of three people at one screen, Ada first, and plays these actions; returns page and code."""

    def begin(*actions):
        code, tokens = running_game(server, *NAMES, first="Ada", days=1)
        play_actions(server, code, *((tokens[number], action) for number, action in actions))
        page = visitors(server.url, path=f"/t/{code}", seats={code: tokens})
        page.locator(".game.mine").wait_for()
        return page, code

    return begin


def record_of(lines):
    """The record of a game with real dice, so far; no rule but that of legal actions is in it."""
    game = Game.new(NAMES, Options(first=NAMES[0], days=1, dice="table"))
    for line in lines:
        game.play(line)
    return game.record().replace("saloon", "opera-house")


def act(page, action):
    with changing(page):
        page.locator(f'.actions [data-action="{action}"]').click()


def way(server, start, target):
    """The areas to walk through, following the doorways of the floor plan."""
    doorways = [one["between"] for one in server.get("/api/floor-plan")["doorways"] if one["between"][1]]
    ways = {start: []}
    for area in (queue := [start]):
        for pair in (one for one in doorways if area in one):
            (beyond,) = set(pair) - {area}
            if beyond not in ways:
                ways[beyond] = [*ways[area], beyond]
                queue.append(beyond)
    return ways[target]


def test_new_options_and_values_can_be_chosen_and_are_kept(lobby, server):
    page, code = lobby(*NAMES)
    bonus, weather = page.get_by_label("Bonus dice"), page.get_by_label("Weather")
    bonus.select_option(label="Rivals first")
    expect(weather).to_have_accessible_description("Dust gets into everything.")
    weather.select_option(label="Dusty")
    expect(page.get_by_text("Saving the options")).to_have_count(0)
    everybody_is_ready(page, 3)
    page.get_by_role("button", name="Start the game").click()
    page.locator(".game.mine").wait_for()
    options = server.get(f"/api/tables/{code}")["options"]
    assert (options["bonus"], options["weather"]) == ("rivals", "dusty")


def test_a_table_is_as_small_and_as_big_as_the_server_says(lobby):
    page, _ = lobby("Ada", "Bo")
    everybody_is_ready(page, 2)
    expect(page.get_by_text("You need at least 3 players. Invite a friend or add a bot.")).to_be_visible()
    expect(page.get_by_role("button", name="Start the game")).to_have_attribute("aria-disabled", "true")
    for number in range(3, 7):
        page.get_by_role("button", name="Add a bot").click()
        expect(page.locator(".chairs li")).to_have_count(number)
    expect(page.get_by_role("button", name="Add a bot")).to_have_count(0)


def test_as_many_opponents_can_be_chosen_as_the_server_says(visitors, server):
    page = visitors(server.url)
    expect(page.get_by_label("Opponents").locator("option")).to_have_text(["2", "3", "4", "5"])
    expect(page.get_by_label(re.compile("Name of player"))).to_have_count(3)


def test_a_big_screen_shows_other_places_prices_and_scores(visitors, server):
    code, _ = running_game(server, *NAMES, first="Ada", days=1)
    page = visitors(server.url, path=f"/t/{code}/screen")
    expect(page.locator(".choices .chip").filter(has_text="Opera House")).to_be_visible()
    expect(page.locator(".prices tr").nth(1).locator("td")).to_have_text(["3", "11", "12", "13", "14"])
    expect(page.locator(".players .score")).to_have_text(["25"] * 3)


def test_other_prices_are_shown_and_paid_and_scored(game, server):
    *others, last = way(server, "trailers", "casting-office")
    ends = [(number, "end") for number in range(len(NAMES))]
    page, _ = game(*(one for area in others for one in ((0, f"move {area}"), *ends)))
    page.locator(".board .piece").first.wait_for()  # the dice are drawn last
    labels = page.locator(".prices button").evaluate_all("(all) => all.map((one) => one.ariaLabel)")
    assert [label[: len(price)] for label, price in zip(labels, PRICES, strict=False)] == PRICES
    ada = page.locator(".players li").first
    expect(ada.locator(".score")).to_contain_text("25")  # 9 credits count 18, and a rank 7
    act(page, f"move {last}")
    upgrade = page.locator('.actions [data-action="upgrade 2 credits"]')
    expect(upgrade).to_have_accessible_name("Rank 2 for 2 credits, +3 points")  # a rank is 7
    expect(upgrade).to_contain_text("rank 2")
    expect(page.locator('.actions [data-action="upgrade 3 credits"]')).to_have_count(0)
    act(page, "upgrade 2 credits")
    expect(ada.locator("[title=credits]")).to_contain_text("7")
    expect(ada.locator(".score")).to_contain_text("28")


def test_other_areas_shots_and_cards_are_shown_and_a_whole_game_is_played_and_seen_again(game, server):
    page, code = game()
    expect(page.locator("#place-opera-house")).to_have_accessible_name(re.compile("Opera House"))
    expect(page.locator(".shot")).to_have_count(23)  # one more, in the jail
    act(page, "move opera-house")
    expect(page.locator(".card .title")).to_have_text(re.compile("Reel [0-9]+"))
    expect(page.locator(".role.star").first).to_contain_text(re.compile("Part [0-9]+"))
    page.get_by_role("tab", name="Place").click()
    expect(page.get_by_role("tabpanel")).to_contain_text(re.compile("Reel [0-9]+"))
    play(page, actions=8)
    tokens = tokens_of(page, code)
    page.goto(f"{server.url}/replay")  # no need to watch every action
    finish(server, code, *tokens)
    page.goto(f"{server.url}/t/{code}")
    page.locator(".ranking").wait_for()
    for row in page.locator(".ranking tbody tr").all():
        parts = [int(one or 0) for one in row.locator(".bar span").all_inner_texts()]
        assert sum(parts) == int(row.locator(".score").inner_text())
        assert parts[2] % 7 == 0
    page.get_by_role("link", name="Watch replay").click()
    page.get_by_role("slider").fill("3")
    expect(page.locator(".players .score").first).to_be_visible()


@pytest.fixture
def watched(visitors, server):
    """Plays one step of a replay until this is shown, and stops the clock."""

    def watch(line, shown):
        number = WRAP.index(line) + 1
        page = visitors(
            server.url, path="/replay", settings={"speed": "normal"}, stopped_clock=True, reduced_motion="reduce"
        )
        drop(page, record_of(WRAP))
        page.get_by_role("slider").fill(str(number - 1))
        expect(page.locator(".where")).to_contain_text(f"step {number - 1} of")
        page.get_by_label("Speed").select_option("1×")
        page.get_by_role("button", name="Play", exact=True).click()
        for _ in range(300):
            if page.locator(shown).count():
                return page
            page.clock.run_for(100)
        raise AssertionError(f"{shown} is not shown within 30 seconds of the page's clock")

    return watch


def test_a_rehearsal_brings_as_many_chips_as_the_server_says(watched):
    expect(watched("rehearse", ".drama .gain").locator(".drama .gain")).to_have_text("+2")


def test_bonus_dice_are_dealt_in_the_order_that_the_server_says(watched):
    page = watched(WRAP[-1], ".drama .stamp")
    dice = page.locator(".drama svg.die")
    expect(dice).to_have_count(6)
    across = [middle(die.bounding_box())[0] for die in dice.all()]  # in the order of dealing
    hands = across[:2], across[2:4], across[4:]
    for better, worse in pairwise(hands):  # the best role is on the right
        assert min(better) > max(worse)
    expect(page.locator(".drama .sum")).to_have_text(["+6"])  # Ada's role gets the last two dice, and they pay double


def test_a_player_on_a_set_is_shown_at_the_right_role_although_cards_have_more_of_them(game, server):
    ((extra, *_),) = (one["extras"] for one in server.get("/api/board")["areas"] if one["id"] == "opera-house")
    page, _ = game()
    act(page, "move opera-house")
    act(page, "take extra 1")
    expect(page.locator(".players li").first).to_contain_text(extra["name"])
    expect(page.locator(".board .role", has_text=extra["name"])).to_have_accessible_name(re.compile("Ada"))


def test_other_cards_can_be_written(visitors, server):
    page = visitors(server.url, path="/decks")
    page.locator("input[type=file]").set_input_files({"name": "big.toml", "mimeType": "", "buffer": b"#" * 40_000})
    expect(page.get_by_role("alert")).to_contain_text("at most 32 KiB")
    page.get_by_role("button", name="Copy: Reels").click()
    expect(page.get_by_label("Title")).to_have_attribute("maxlength", "60")
    expect(page.get_by_label("What happens")).to_have_attribute("maxlength", "300")
    expect(page.get_by_label("Budget").locator("option")).to_have_count(6)
    roles = page.locator(".form fieldset")
    for number in range(roles.count(), 4):
        page.get_by_role("button", name="Add a role").click()
        expect(roles).to_have_count(number + 1)
    expect(page.get_by_role("button", name="Add a role")).to_have_count(0)


def test_another_game_is_printed(visitors, server):
    page = visitors(server.url, path="/print?parts=board,pieces,aids,cards&players=6")
    page.locator("main[data-ready=true]").wait_for()
    expect(page.get_by_label("Players").locator("option")).to_have_text(["3", "4", "5", "6"])
    expect(page.locator("[data-piece=shot]")).to_have_count(23)
    expect(page.locator(".half [data-area=opera-house]").first).to_be_attached()
    expect(page.locator(".aid").first).to_contain_text("dollars 3 11 12 13 14", use_inner_text=True)
    expect(page.locator(".aid").first).to_contain_text("7 × rank")
    expect(page.locator(".face .title").first).to_have_text(re.compile("Reel [0-9]+"))
