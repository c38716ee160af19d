"""The package as people install it."""

import subprocess
import sys
import zipfile
from pathlib import Path

import msgspec

import deadwood
from deadwood.server.protocol.decoding import decode_new_table

from .dist import IN_WHEEL, new_table
from .packing import pack


def test_the_public_names_are_there():
    for name in deadwood.__all__:
        assert getattr(deadwood, name)
    assert sorted(deadwood.__all__) == deadwood.__all__


def test_importing_is_light():
    """Nothing that only front ends need is imported with the library, and no data file is read."""
    heavy = {
        "click",
        "filelock",
        "jax",
        "numpy",
        "platformdirs",
        "rich",
        "sqlalchemy",
        "starlette",
        "textual",
        "tomllib",
    }
    heavy |= {"deadwood.cli", "deadwood.server", "deadwood.terminal"}
    code = (
        "import sys, deadwood; from deadwood.engine.board import built_in_board;"
        f"print(sorted({heavy} & set(sys.modules)), built_in_board.cache_info().currsize)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] 0"


def test_the_command_line_is_light():
    """Only `deadwood serve` imports the server, and only playing imports the terminal's libraries."""
    heavy = {"sqlalchemy", "starlette", "uvicorn", "deadwood.server", "filelock", "platformdirs", "rich", "textual"}
    heavy |= {"asyncio", "jax", "numpy"}
    code = f"import sys, deadwood.cli; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_app_starts_without_what_only_served_tables_need():
    heavy = {"httpx", "websockets", "numpy", "deadwood.client", "deadwood.server"}
    code = f"import sys, deadwood.terminal.app; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_all_weights_together_stay_small():
    weights = list(Path(deadwood.__file__).parent.rglob("*.npz"))
    assert weights
    assert sum(file.stat().st_size for file in weights) <= 3_000_000


def test_the_wheel_holds_data_texts_and_types(tmp_path):
    wheel = pack("wheel", tmp_path)
    files = set(zipfile.ZipFile(wheel).namelist())
    assert files >= IN_WHEEL
    release = f"deadwood_game-{deadwood.__version__}"
    assert {name.partition("/")[0] for name in files} == {"deadwood", f"{release}.dist-info", f"{release}.data"}
    assert [name for name in files if ".data/" in name] == [f"{release}.data/data/share/man/man1/deadwood.1"]


def test_the_table_that_dist_opens_is_one_that_the_server_understands():
    wanted = new_table()
    assert decode_new_table(msgspec.json.encode(wanted)) == wanted
