"""What happens before a wheel or an sdist is packed: the browser client is built into the package."""

import os
import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClientBuildHook(BuildHookInterface[Any]):
    """Builds the client, unless DEADWOOD_CLIENT=skip."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - as hatchling calls it
        """Build before packing."""
        if os.environ.get("DEADWOOD_CLIENT") != "skip":
            runpy.run_path(str(Path(self.root) / "client" / "build.py"))["build"]()
