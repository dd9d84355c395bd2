"""The command out of the wheel, in an environment of its own and an empty folder."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.support.command import GREETING, Place, environment
from tests.support.require import require_tool
from tests.support.source_tree import ROOT

pytestmark = pytest.mark.slow


def quietly(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command that must go well and return what it printed."""
    ran = subprocess.run(
        [str(word) for word in command],
        cwd=cwd, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment that holds our wheel; its dependencies are those we test with."""
    folder = tmp_path_factory.mktemp("installed")
    quietly(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    (wheel,) = folder.glob("*.whl")
    venv = folder / "venv"
    quietly(sys.executable, "-m", "venv", "--without-pip", venv)
    python = venv / "bin" / "python"
    uv = require_tool("uv")
    quietly(uv, "pip", "install", "--quiet", "--offline", "--no-deps", "--python", python, wheel)
    site = quietly(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
    # Paths alone: what our own environment has installed as editable is not followed from here.
    (Path(site) / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return venv / "bin"


def test_the_wheel_is_all_one_needs(installed: Path, tmp_path: Path) -> None:
    """Version, check and a whole conversation on a copied script, far from any checkout."""
    environ = environment()
    del environ["PYTHONPATH"]
    place = Place(tmp_path, (str(installed / "heartrule"),), environ)
    shutil.copy(GREETING, tmp_path / "mine.yaml")
    ask = "import heartrule; print(heartrule.__file__)"
    origin = quietly(installed / "python", "-c", ask, cwd=tmp_path)
    assert Path(origin).is_relative_to(installed.parent)
    assert place.heartrule("--version").stdout.startswith("heartrule ")
    assert place.heartrule("check", "mine.yaml").stdout == "OK: 1 script\n"
    ran = place.heartrule("run", "mine.yaml", lines="小明\n")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "the script is at its end" in ran.stdout
