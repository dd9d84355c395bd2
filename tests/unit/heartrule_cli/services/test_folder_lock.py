"""One command at a time starts services in a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from heartrule_cli.failure import Failure
from heartrule_cli.services.folder_lock import folder_taken
from heartrule_cli.services.known_ports import ports_in


def test_a_folder_in_use_is_refused_with_the_process_that_has_it(tmp_path: Path) -> None:
    """Nothing was written into its logs by then."""
    with (
        folder_taken(tmp_path),
        pytest.raises(Failure, match=f"is in use by process {os.getpid()}"),
        folder_taken(tmp_path),
    ):
        raise AssertionError("it was taken twice")


def test_a_folder_is_free_again_after_the_block(tmp_path: Path) -> None:
    """The file stays, and holds nothing up."""
    for _ in range(2):
        with folder_taken(tmp_path):
            assert (tmp_path / "up.lock").read_text("ascii") == str(os.getpid())


def test_services_that_were_killed_have_no_ports(tmp_path: Path) -> None:
    """They left their file; by then another program may listen there."""
    (tmp_path / "services.json").write_text('{"executor": 50051}', encoding="utf-8")
    with folder_taken(tmp_path):
        assert ports_in(tmp_path) == {"executor": 50051}
    assert ports_in(tmp_path) == {}
