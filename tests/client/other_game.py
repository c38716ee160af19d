"""Another game on the same client: a copy of the package whose rules, board, deck and texts are edited.

The built client is copied as it is. `serving(..., environment=environment(folder))` serves the copy.
"""

import re
import shutil
from itertools import count
from pathlib import Path

import deadwood

EDITS = {
    "engine/options.py": {
        "PLAYERS = range(2, 9)": "PLAYERS = range(3, 7)",
        "POINTS_PER_RANK = 5": "POINTS_PER_RANK = 7",
        "CHIPS_PER_REHEARSAL = 1": "CHIPS_PER_REHEARSAL = 2",
        "_BEGINNINGS.get(players, Beginning())": "Beginning(credits=9)",
        'Bonus = Literal["roles", "actors"]': 'Bonus = Literal["roles", "actors", "rivals"]',
        'DiceKind = Literal["fair", "table"]': 'DiceKind = Literal["fair", "table"]\nWeather = Literal["dry", "dusty"]',
        '"dice": get_args(DiceKind)}': '"dice": get_args(DiceKind), "weather": get_args(Weather)}',
        '    "dice": "R12.7",\n': '    "dice": "R12.7",\n    "weather": "R12.8",\n',
        '    dice: DiceKind = "fair"\n': '    dice: DiceKind = "fair"\n    weather: Weather = "dry"\n',
    },
    "engine/deck.py": {
        "TITLE_LENGTH, TEXT_LENGTH = 100, 400": "TITLE_LENGTH, TEXT_LENGTH = 60, 300",
        "LEAST_STARS, MOST_STARS = 1, 3": "LEAST_STARS, MOST_STARS = 1, 4",
        "BUDGETS = range(2, 7)": "BUDGETS = range(2, 8)",
    },
    "engine/wrap.py": {
        # the best role gets its dice first, all at once, and dice pay twice as much
        "dealt[place::places]": "dealt[place * len(dealt) // places : (place + 1) * len(dealt) // places]",
        "return sum(hand)": "return 2 * sum(hand)",
    },
    "engine/scoring.py": {"    return credits\n": "    return 2 * credits\n"},
    "engine/loading.py": {"FILE_BYTES = 64 * 1024": "FILE_BYTES = 32 * 1024"},
    "engine/data/board.toml": {
        "dollars = [4, 10, 18, 28, 40]": "dollars = [3, 11, 12, 13, 14]",
        "credits = [5, 10, 15, 20, 25]": "credits = [2, 16, 17, 18, 19]",
        "Saloon": "Opera House",
        'name = "Jail"\nkind = "set"\nshots = 1': 'name = "Jail"\nkind = "set"\nshots = 2',
        "shots = [[556, 140]]": "shots = [[556, 110], [556, 140]]",
    },
    "text/en.toml": {
        'classic = "Classic, 40 scenes"': 'classic = "Reels"',
        'actors = "Only roles with an actor" }': 'actors = "Only roles with an actor", rivals = "Rivals first" }',
        "[options.dice]": '[options.weather]\nlabel = "Weather"\nexplanation = "Dust gets into everything."\n'
        'values = { dry = "Dry", dusty = "Dusty" }\n\n[options.dice]',
    },
    "text/de.toml": {
        "[options.dice]": '[options.weather]\nlabel = "Wetter"\nexplanation = "Staub ist überall."\n'
        'values = { dry = "Trocken", dusty = "Staubig" }\n\n[options.dice]',
    },
}


def environment(folder):
    """Make the copy in this folder; the environment in which Python finds it."""
    package = shutil.copytree(Path(deadwood.__file__).parent, folder / "deadwood")
    for name, edits in EDITS.items():
        _edit(package / name, edits)
    _rename_scenes(package / "engine" / "data" / "classic.toml")
    return {"PYTHONPATH": str(folder)}


def _edit(path, edits):
    text = path.read_text("utf-8")
    for before, after in edits.items():
        assert before in text, f"{path.name} has no {before!r}"
        text = text.replace(before, after)
    path.write_text(text, "utf-8")


def _rename_scenes(path):
    scenes, parts = count(1), count(1)
    text = re.sub(r'title = "[^"]*"', lambda _: f'title = "Reel {next(scenes)}"', path.read_text("utf-8"))
    path.write_text(re.sub(r'name = "[^"]*", line', lambda _: f'name = "Part {next(parts)}", line', text), "utf-8")
