"""All files are parsed once: one worker takes the tests about the code itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest


@pytest.hookimpl(tryfirst=True)  # before xdist reads the marks
def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Keep the tests of this folder together."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.xdist_group("architecture"))
