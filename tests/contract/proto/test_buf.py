"""buf's rules: lint, format, and nothing broken since the baseline."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.support.require import require_tool

PROTOS = Path(__file__).parents[3] / "protos"


def buf(*arguments: str | Path, cwd: Path = PROTOS) -> subprocess.CompletedProcess[str]:
    command = [require_tool("buf"), *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_the_contract_follows_every_lint_rule() -> None:
    """STANDARD and COMMENTS find nothing."""
    done = buf("lint")
    assert (done.returncode, done.stdout) == (0, "")


def test_the_contract_is_formatted() -> None:
    """The formatter would change nothing."""
    done = buf("format", "-d", "--exit-code")
    assert (done.returncode, done.stdout) == (0, "")


def test_nothing_is_broken_since_the_baseline() -> None:
    """Whoever was built against the baseline still understands the contract."""
    done = buf("breaking", "--against", "baseline.binpb")
    assert (done.returncode, done.stdout) == (0, "")


def test_a_field_that_changes_its_number_is_noticed(tmp_path: Path) -> None:
    """The check against the baseline bites."""
    changed = shutil.copytree(PROTOS, tmp_path / "protos")
    problem = changed / "heartrule/v1/problem.proto"
    problem.write_text(problem.read_text("utf-8").replace("reason = 2", "reason = 9"), "utf-8")
    done = buf("breaking", "--against", "baseline.binpb", cwd=changed)
    assert done.returncode
    assert 'Previously present field "2" with name "reason"' in done.stdout
