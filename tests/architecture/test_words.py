"""One word per idea, and no word that belongs to somebody's machine."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.support.require import require_tool
from tests.support.source_tree import ROOT, code

HERE = "tests/architecture/test_words.py"
VENDORED = "/static/vendor/"
"""Other people's built files, which nobody edits."""
TEXT = {
    ".py",
    ".md",
    ".toml",
    ".yaml",
    ".yml",
    ".proto",
    ".lock",
    ".cfg",
    ".txt",
    ".html",
    ".js",
    "",
}

BANNED = {
    r"/tmp/hr\b|(?<![\w/.-])/work/|/opt/(?:pypi|wheels)": "a path of one machine",
    r"https?://[^/\s]*(?:pypi|pythonhosted|npmjs|registry)\.": "the address of a registry",
    r"(?i)\bmonitor thread": "monitor; `thread` means sub-threads",
    r"\bXXX\b|\bHACK\b": "an open question is said in words",
}
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "misc", "common", "manager", "base_utils"}


def tracked() -> list[Path]:
    """Return the files of the repository, those not yet added too."""
    command = ["ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(
        [require_tool("git"), *command], cwd=ROOT, capture_output=True, text=True, check=True
    )
    paths = (ROOT / line for line in listed.stdout.splitlines() if VENDORED not in line)
    return [path for path in paths if path.is_file() and path.suffix in TEXT]


@pytest.mark.parametrize("pattern", BANNED, ids=BANNED.values())
def test_a_banned_word_is_nowhere(pattern: str) -> None:
    """What the table bans stands in no file of the repository."""
    found = re.compile(pattern)
    users = [
        path.relative_to(ROOT).as_posix()
        for path in tracked()
        if found.search(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert set(users) - {HERE} == set()


def test_modules_are_named_for_their_idea() -> None:
    """A module called utils has no idea, and will have ten."""
    assert [source.name for source in code() if source.path.stem in EMPTY_NAMES] == []
