"""The wheel carries all that an empty folder lacks."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.support.source_tree import PACKAGES, ROOT


@cache
def wheel_names() -> frozenset[str]:
    """Return the paths inside a freshly built wheel."""
    with TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
            cwd=ROOT, check=True, capture_output=True, timeout=100,
        )  # fmt: skip
        (wheel,) = Path(folder).glob("*.whl")
        return frozenset(zipfile.ZipFile(wheel).namelist())


@pytest.mark.parametrize("package", PACKAGES)
def test_the_wheel_has_every_package(package: str) -> None:
    """One wheel holds the shared kernel, both services and the store."""
    assert f"{package}/__init__.py" in wheel_names()


@pytest.mark.parametrize(
    ("folder", "place"),
    [
        ("_system/config", "heartrule/_system/config"),
        ("_system/scripts", "heartrule/_system/scripts"),
        ("_system/examples", "heartrule/_system/examples"),
        ("_system/recorded_states", "heartrule/_system/recorded_states"),
        ("_system/safety", "heartrule/_system/safety"),
        ("_system/schemas", "heartrule/_system/schemas"),
        ("session_store/migrations", "session_store/migrations"),
        ("heartrule/v1", "heartrule/v1"),
        ("heartrule/words", "heartrule/words"),
    ],
)
def test_a_folder_is_in_the_wheel_as_it_is(folder: str, place: str) -> None:
    """Prompts, scripts, word rules, migrations and generated code travel in the package."""
    files = [path for path in (ROOT / folder).rglob("*") if path.is_file()]
    shipped = {path.relative_to(ROOT / folder).as_posix() for path in files if ours(path)}
    assert shipped
    assert {f"{place}/{name}" for name in shipped} - wheel_names() == set()


def ours(path: Path) -> bool:
    return "__pycache__" not in path.parts


def test_nothing_but_the_product_is_in_the_wheel() -> None:
    """Tests and developer's scripts stay in the repository."""
    tops = {name.split("/")[0] for name in wheel_names() if ".dist-info" not in name}
    assert tops == set(PACKAGES)
