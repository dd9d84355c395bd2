"""Tools a test may need: a skip with a reason here, a failure in CI (REQUIRE_ALL=1)."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import NoReturn

import pytest


def lacking(reason: str) -> NoReturn:
    """Skip the running test with the reason, or fail it where everything is required."""
    if os.environ.get("REQUIRE_ALL") == "1":
        pytest.fail(f"required here, but {reason}", pytrace=False)
    pytest.skip(reason)


def require_tool(name: str, *folders: str) -> str:
    """Return the path of a tool: from our virtual environment, the path, or the named folders."""
    places = os.pathsep.join((str(Path(sys.executable).parent), *folders))
    found = shutil.which(name, path=places) or shutil.which(name)
    if found is None:
        lacking(f"{name} is not installed")
    return found
