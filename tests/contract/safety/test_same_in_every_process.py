"""What a text means is the same in every process: the executor's, the gateway's, the next one's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[3]
_TEXTS = ("要是现在能死掉就好了，我就彻底轻松了。", "一烦就抠手指头上的倒刺，抠到出血，停不下来。")
_PROGRAM = f"""
from tests.support.shipped_files import shipped_screen
screen = shipped_screen()
print([screen.screen(text).rules for text in {_TEXTS!r}])
print([list(each.terms) for each in screen.languages])
"""


def rules_found(seed: str) -> str:
    """Return which rules count, in their order, where sets are ordered by this seed."""
    environ = {"PYTHONHASHSEED": seed, "PYTHONPATH": str(_ROOT)}
    command = [sys.executable, "-c", _PROGRAM]
    done = subprocess.run(command, cwd=_ROOT, env=environ, capture_output=True, check=True)
    return done.stdout.decode()


def test_rules_come_in_one_order() -> None:
    """The order in which a process holds sets of words changes nothing of what is found."""
    assert len({rules_found(seed) for seed in ("1", "2")}) == 1
