"""The report of a run: what it says, what it must not say, and what it refuses.

Holds `lab.report.facts`, `lab.report.legend`, `lab.report.names`, `lab.report.page`, `lab.report.plots`,
`lab.report.section`, `lab.report.topics.dice`, `lab.report.topics.earning`, `lab.report.topics.first_turns`,
`lab.report.topics.habits`, `lab.report.topics.openings`, `lab.report.topics.progress`, `lab.report.topics.roles`,
`lab.report.topics.winning` and `lab.report.writing`.
"""

import json
import re
from html import escape, unescape
from html.parser import HTMLParser

import plotly.graph_objects as go
import pytest

from deadwood.bots.champion import WEIGHTS_VARIABLE
from deadwood.engine.deck import built_in_deck
from deadwood.lab.report import write_report
from deadwood.lab.run_file import RunError

from .small_runs import game, header_of, job, played, promotion, write_run

BOTS = ("extra", "random", "extra")
HOSTILE = "</script><img src=x onerror=alert(1)>&%{x}"


@pytest.fixture(scope="module")
def games():
    return played(BOTS, 40)


def reported(tmp_path, rows, header):
    return write_report(write_run(tmp_path / "run.parquet", rows, header), tmp_path / "run.html").read_text("utf-8")


def findings(page):
    found = re.findall(r'<h2 id="([\w-]+)">.*?<p class="finding">(.*?)</p>', page, re.DOTALL)
    return {section: unescape(finding) for section, finding in found}


def figures(page):
    return json.loads(re.search(r'id="data">(.*?)</script>', page)[1])["figures"]


def test_every_question_has_an_answer_a_plot_and_a_table(tmp_path, games):
    page = reported(tmp_path, games, header_of(BOTS))
    asked = [
        "seats",
        "bots",
        "order",
        "scores",
        "sources",
        "sets",
        "own-ranks",
        "role-ranks",
        "roles",
        "openings",
        "first-turns",
        "first-turn-roles",
        "ranks",
        "days",
        "rehearsals",
        "chips",
        "successes",
        "dice",
    ]
    assert list(findings(page)) == asked
    assert list(figures(page)) == asked
    assert page.count("<table>") == page.count("<caption>") == page.count('role="img"') == len(asked)


def test_plotly_knows_everything_in_the_figures_and_changes_nothing(tmp_path, games):
    for name, figure in figures(reported(tmp_path, games, header_of(BOTS))).items():
        read = go.Figure(figure).to_plotly_json()
        assert read["data"] == figure["data"], name
        assert {key: value for key, value in read["layout"].items() if key != "template"} == figure["layout"], name


def test_facts_and_the_command_that_makes_the_run_again(tmp_path, games):
    header = header_of(BOTS, ties="shared", days=2, limit=500, decisions=True)
    page = reported(tmp_path, games, header)
    command = "deadwood simulate --seats extra,random,extra --games 40 --seed 7 --ties shared --days 2 --limit 500"
    assert f"<code>{command} --decisions --out run.parquet</code>" in page
    assert "<h1>40 games of 2 extra and 1 random</h1>" in page
    assert "<dt>Cut off</dt><dd>none</dd>" in page


def test_a_run_that_was_stopped_says_how_many_games_are_missing(tmp_path):
    page = reported(tmp_path, [game(0, [9, 5]), game(5, [9, 5])], header_of())
    assert "2; 4 more requested but not played" in page
    assert "--games 6 " in page


def test_games_cut_off_are_reported_at_the_top(tmp_path):
    rows = [game(0, [9, 5]), game(1, [9, 5], cut_off=True)]
    page = reported(tmp_path, rows, header_of())
    assert "1 of 2 games was cut off after 20,000 decisions." in page


def test_a_run_of_games_cut_off_reports_only_dice(tmp_path):
    page = reported(tmp_path, [game(0, [9, 5], cut_off=True)], header_of())
    assert list(findings(page)) == ["dice"]
    assert "only the dice can be reported" in page


def test_a_run_of_one_game_claims_nothing(tmp_path):
    found = findings(reported(tmp_path, played(("extra", "random"), 1), header_of(("extra", "random"))))
    assert found["seats"].startswith("Nobody differs significantly from an even 50.0% of the games")
    for name in ("scores", "sets", "roles"):
        assert "cannot be distinguished from" in found[name]
        assert "no interval" in found[name]


def test_a_run_in_which_nobody_worked_or_rose(tmp_path):
    found = findings(reported(tmp_path, [game(at, [9, 5]) for at in range(3)], header_of()))
    assert found["ranks"] == "Nobody bought a rank in 3 finished games."
    assert {"sets", "roles", "chips"}.isdisjoint(found)


def test_a_winner_is_named_only_if_the_difference_is_significant(tmp_path):
    clear = findings(reported(tmp_path, [game(at, [9 + at % 2, 5]) for at in range(50)], header_of()))
    assert clear["seats"].startswith("Compared with an even 50.0% of the games, seat 1 (a) with 100.0%")
    assert "wins more, and seat 2 (b) with 0.0%" in clear["seats"]
    assert clear["scores"].startswith("a scores the most: 9.50 ± 0.14 points on average, more than b.")
    even = findings(reported(tmp_path, [game(at, [9, 5] if at % 2 else [5, 9]) for at in range(50)], header_of()))
    assert even["seats"].startswith("Nobody differs significantly from an even 50.0% of the games")
    assert even["scores"].startswith("a is highest but cannot be distinguished from b")


def test_loaded_dice_are_reported(tmp_path):
    loaded = [game(at, [9, 5], act_dice=[100, 100, 100, 100, 100, 160]) for at in range(2)]
    found = findings(reported(tmp_path, loaded, header_of()))["dice"]
    assert "1,320 acting dice: χ² = 54.5 with 5 degrees of freedom, p &lt; 0.001" in escape(found)
    assert "fair dice are this uneven in fewer than 1 in 100 runs" in found
    assert "Only 0 bonus dice were rolled, too few to judge." in found


def test_roles_have_their_names_or_their_numbers(tmp_path):
    rows = [game(at, [9, 5], jobs=[job(0, kind="star", acts=1, credits=2), job(1, acts=1)]) for at in range(3)]
    name = next(card.roles[0].name for card in built_in_deck("classic").cards if card.number == 17)
    assert f'<th scope="row">{escape(name)}</th>' in reported(tmp_path, rows, header_of())
    own = reported(tmp_path, rows, header_of(deck="custom:abc", board="def"))
    assert '<th scope="row">card 17, star 1</th>' in own
    assert '<th scope="row">saloon, extra 1</th>' in own
    assert "--deck FILE --board FILE" in own
    assert "FILE stands for the deck custom:abc and the board custom:def." in own


def test_first_turns_are_judged_for_every_number_of_players(tmp_path):
    page = reported(tmp_path, [game(0, [9, 5, 1], bots=BOTS)], header_of(BOTS))
    found = findings(page)
    assert "with 2 players" in found["first-turns"]
    assert "To stay in the trailers costs" in found["first-turns"]
    assert found["first-turn-roles"].startswith("With 3 players: ")
    assert all(f'<th scope="col">{players} players</th>' in page for players in range(2, 9))
    chances = figures(page)["first-turns"]["data"]
    assert [line["name"] for line in chances] == ["Main Street", "Saloon", "Hotel", "stay in the trailers"]
    assert all(line["x"] == list(range(2, 9)) for line in chances)
    assert all(above > 0 > stay for above, stay in zip(chances[0]["y"], chances[3]["y"], strict=True))


def test_exact_chances_have_no_interval(tmp_path):
    shown = figures(reported(tmp_path, [game(0, [9, 5])], header_of()))["first-turn-roles"]["data"]
    assert not any("95%" in text for trace in shown for text in trace["hovertext"])


def test_first_turns_are_left_out_where_the_champion_cannot_tell(tmp_path, monkeypatch):
    rows = [game(0, [9, 5])]
    for header in (header_of(deck="custom:abc"), header_of(board="def")):
        page = reported(tmp_path, rows, header)
        assert findings(page)["first-turns"].startswith("The champion is asked only about the built-in board and decks")
        assert "first-turns" not in figures(page)
        assert "first-turn-roles" not in findings(page)
    monkeypatch.setenv(WEIGHTS_VARIABLE, str(tmp_path / "nothing.npz"))
    assert "is not installed or does not know" in findings(reported(tmp_path, rows, header_of()))["first-turns"]


def test_first_turns_of_drawn_layouts_are_those_of_the_standard_one(tmp_path):
    page = reported(tmp_path, [game(0, [9, 5])], header_of(layout="random"))
    assert "these chances are for the standard one" in page
    assert "these chances are for the standard one" not in reported(tmp_path, [game(0, [9, 5])], header_of())


@pytest.mark.parametrize("seats", [2, 5, 8])
def test_any_number_of_seats(tmp_path, seats):
    bots = tuple(f"bot{seat}" for seat in range(seats))
    rows = [
        game(at, list(range(seats)), bots=bots, first=at % seats, promotions=[promotion(0, 3, 1, 2)]) for at in range(9)
    ]
    found = findings(reported(tmp_path, rows, header_of(bots)))
    assert f"seat {seats} (bot{seats - 1}) with 100.0%" in found["seats"]


def test_a_chosen_first_player_is_not_reported_as_a_finding(tmp_path):
    page = reported(tmp_path, [game(0, [9, 5])], header_of(first="Seat 1"))
    assert "The same seat went first in every game" in page


class _Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = set()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        assert not any(name.startswith("on") for name, _ in attributes)


def test_hostile_names_stay_names(tmp_path):
    bots = (HOSTILE, "b")
    rows = [game(at, [9, 5], bots=bots, jobs=[job(0, acts=1, rehearsals=1)]) for at in range(3)]
    page = reported(tmp_path, rows, header_of(bots))
    parser = _Tags()
    parser.feed(page)
    assert "img" not in parser.tags
    assert HOSTILE not in page
    assert escape(HOSTILE) in page
    shown = figures(page)["seats"]["layout"]["yaxis"]["ticktext"][0]
    assert "<" not in shown


def test_nothing_is_fetched_and_scripts_are_allowed_by_their_hashes(tmp_path, games):
    page = reported(tmp_path, games, header_of(BOTS))
    policy = re.search(r'Content-Security-Policy" content="(.*?)"', page)[1]
    assert "default-src 'none'; connect-src 'none';" in policy
    assert "script-src 'sha256-" in policy
    assert "'unsafe-eval'" not in policy
    assert "http" not in page[: page.index('<script type="application/json"')].replace("http-equiv", "")


def test_a_file_that_is_not_a_run_is_refused(tmp_path):
    out = tmp_path / "out.html"
    text = tmp_path / "notes.parquet"
    text.write_text("no parquet")
    with pytest.raises(RunError, match="is not a readable Parquet file"):
        write_report(text, out)
    with pytest.raises(RunError, match="is not a readable Parquet file"):
        write_report(tmp_path / "nowhere.parquet", out)
    assert not out.exists()


def test_a_damaged_run_is_refused(tmp_path, games):
    file = write_run(tmp_path / "run.parquet", games, header_of(BOTS))
    data = bytearray(file.read_bytes())
    data[200:4000] = bytes(3800)
    file.write_bytes(data)
    with pytest.raises(RunError, match="is damaged"):
        write_report(file, tmp_path / "run.html")


def test_the_run_itself_is_never_written_over(tmp_path):
    file = write_run(tmp_path / "run.parquet", [game(0, [9, 5])], header_of())
    with pytest.raises(RunError, match=r"should end in \.html"):
        write_report(file, file)


def test_the_folder_of_the_report_is_made(tmp_path):
    file = write_run(tmp_path / "run [1].parquet", [game(0, [9, 5])], header_of())
    assert write_report(file, tmp_path / "new" / "folder" / "run.html").is_file()
