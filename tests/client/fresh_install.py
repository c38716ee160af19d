"""What we promise for an installation: a clean copy of the sources, a fresh virtual environment, and no Node.

Too slow for `make test`, because everything comes over the network; `make soak` runs it.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from deadwood.server.http.pages import FOLDER

from .sources import contents, copy_sources, served, without_node


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = copy_sources(folder / "sources")
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        python = folder / "venv" / "bin" / "python"
        install = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", f"{sources}[play]"]
        subprocess.run(install, check=True, cwd=folder, env=without_node(folder))
        (client,) = (folder / "venv").glob("lib/*/site-packages/deadwood/server/client")
        assert contents(client) == contents(FOLDER), "another folder built other files"
        with served([python, "-m", "deadwood"], {**os.environ}, folder) as said:
            assert "is served at" in said[0], said
    print("pip install . builds the same client from clean sources, without Node on the machine.")


if __name__ == "__main__":
    main()
