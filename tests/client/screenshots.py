"""Pictures of every page and stage of the client, for people to look at: `make screenshots`."""

import json
import tempfile
from pathlib import Path

from deadwood.lessons import LESSONS, built_in_lesson

from ..browser import chromium
from ..server.people import serving
from .playing import changing, open_options, play, play_actions, running_game, waiting_table

OUT = Path(__file__).parents[2] / "build" / "screenshots"
SIZES = {"desktop": (1440, 900), "portrait": (360, 740), "landscape": (740, 360)}
SCREENS = {"television": (1920, 1080), "small-television": (1280, 720), "tablet": (1024, 768)}
SETTINGS = "localStorage.setItem('deadwood settings', JSON.stringify({language: '%s', theme: '%s', speed: '%s'}))"
TURNED = {"days": 1, "layout": "H'M/CG'"}


class Photographer:
    def __init__(self, browser, server, size, theme, speed="off", language="en"):
        width, height = (SIZES | SCREENS)[size]
        self.server = server
        self.name = f"{size}-{theme}-{language}"
        self.context = browser.new_context(viewport={"width": width, "height": height}, has_touch=size != "desktop")
        self.context.add_init_script(SETTINGS % (language, theme, speed))
        self.page = self.context.new_page()

    def go(self, path, wanted):
        self.page.goto(self.server.url + path)
        self.page.locator(wanted).first.wait_for(timeout=120_000)

    def take(self, what, whole=False):
        self.page.wait_for_timeout(300)
        self.page.screenshot(path=OUT / f"{what}-{self.name}.png", full_page=whole)

    def lobby_and_dice(self):
        """All options, and the questions at a table with real dice."""
        page, waiting = self.page, waiting_table(self.server, "Ada", "Bo", layout="G'M/CH")
        running = running_game(self.server, "Ada", "Bo", first="Ada", dice="table")
        for code, tokens in (waiting, running):
            self.context.add_init_script(f"localStorage.setItem('deadwood seats {code}', '{json.dumps(tokens)}')")
        self.go(f"/t/{waiting[0]}", ".lobby")
        open_options(page)
        page.locator(".lobby .board").wait_for()
        self.take("options", whole=True)
        self.go(f"/t/{running[0]}", ".game.mine")
        page.locator('.actions [data-action="move saloon"]').click()
        page.get_by_role("searchbox").fill("17")
        self.take("card-dialog")
        with changing(page):
            page.keyboard.press("Enter")
        page.locator("[data-action=correct]").click()
        self.take("correction-dialog")
        page.keyboard.press("Escape")
        for action in ("take extra 1", "end"):  # taking a role ends Ada's turn; `end` ends Bo's
            with changing(page):
                page.locator(f'.actions [data-action="{action}"]').click()
        page.locator(".actions [data-action=act]").click()
        self.take("dice-dialog")
        self.context.close()

    def lessons(self):
        """The list of lessons, and every step of every lesson."""
        self.go("/learn", ".lessons a")
        self.take("lessons")
        for name in LESSONS:
            self.go(f"/learn/{name}", ".coach")
            for step, coaching in enumerate(built_in_lesson(name).script.steps):
                self.page.locator(f".coach[data-step='{step}'] .caption").wait_for()
                self.take(f"{name}-{step + 1}")
                self.page.locator(f'.actions [data-action="{coaching.action}"]').click()
            self.page.locator(".ending").wait_for()
            self.take(f"{name}-end")
        self.context.close()

    def tour(self, finished):
        """Landing, lobby, table, ranking, replay, rules."""
        page = self.page
        self.go("/", "main")
        self.take("landing")
        page.get_by_role("button", name="Create table").click()
        page.locator(".lobby").wait_for()
        self.take("lobby")
        self.go("/", "main")
        page.get_by_role("button", name="Play now").click()
        page.locator(".game.mine").wait_for()
        self.take("table-early")
        play(page, actions=14)
        self.take("table-middle")
        self.go(f"/t/{finished}", ".ranking")
        self.take("ranking")
        self.go(f"/t/{finished}/games/1#40", ".scrubber")
        self.take("replay")
        self.go("/rules", "#moving")
        self.take("rules")
        self.context.close()


def screens(browser, server, finished):
    """A table on big screens: before, during and after a game."""
    waiting, _ = waiting_table(server, "Ada", "Bo", "Cy")
    running, tokens = running_game(server, "Ada", "Bo", "Cy", "Dot", first="Ada")
    play_actions(server, running, (tokens[0], "move saloon"))
    for size in SCREENS:
        for theme, language in (("light", "en"), ("dark", "de")):
            watcher = Photographer(browser, server, size, theme, language=language)
            for what, code in (("lobby", waiting), ("game", running), ("end", finished)):
                watcher.go(f"/t/{code}/screen", ".screen[data-seq]")
                watcher.take(f"screen-{what}")
            watcher.context.close()


def stages(browser, server):
    """What is shown for a moment only, at a table of bots on a turned layout."""
    bots = {"chairs": [{"type": "bot", "bot": "regular"}] * 8, "options": TURNED}
    code = server.post("/api/tables", bots, status=201)["table"]["code"]
    watcher = Photographer(browser, server, "desktop", "light", "normal")
    watcher.go(f"/t/{code}", ".game")
    for what, wanted in (
        ("turned-eight", ".piece"),
        ("roll", ".drama .verdict"),
        ("wrap", ".drama .stamp"),
        ("evening", ".sunset"),
    ):
        watcher.page.locator(wanted).first.wait_for(timeout=240_000)
        watcher.page.wait_for_timeout(900)
        watcher.take(what)
    watcher.context.close()


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(f"sqlite:///{folder}/games.sqlite3", bot_pause=0.0) as quick,
        serving(f"sqlite:///{folder}/slow.sqlite3", bot_pause=1.5) as slow,
        chromium() as browser,
    ):
        bots = {"chairs": [{"type": "bot", "bot": "hopeful"}] * 4, "options": {"days": 1}}
        finished = quick.post("/api/tables", bots, status=201)["table"]["code"]
        for size in SIZES:
            for theme in ("light", "dark"):
                Photographer(browser, quick, size, theme).tour(finished)
                Photographer(browser, quick, size, theme, language="de").lobby_and_dice()
            for theme, language in (("light", "en"), ("dark", "de")):
                Photographer(browser, quick, size, theme, language=language).lessons()
        screens(browser, quick, finished)
        stages(browser, slow)
    print(f"Look at {OUT}.")


if __name__ == "__main__":
    main()
