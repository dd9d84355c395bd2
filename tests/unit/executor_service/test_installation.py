"""What this installation offers to scripts."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

import pytest

from executor_service.installation import read_installation
from executor_service.lint_installation import lint_environment
from heartrule.chassis.system_files import system_dir
from tests.support.written_templates import WrittenTemplates


class TwoSchemes(WrittenTemplates):
    """Templates with two schemes."""

    def schemes(self) -> tuple[str, ...]:
        """Return their names."""
        return ("a", "b")


def test_it_names_the_schemes() -> None:
    """A script may use what has a folder."""
    assert lint_environment(TwoSchemes()).schemes == frozenset({"a", "b"})


def test_it_tells_what_a_template_asks_for() -> None:
    """A criterion on the client's understanding needs a template that asks for it."""
    asks = lint_environment(TwoSchemes()).asks
    assert sorted(asks("", "ai_ask")) == ["metrics"]
    assert sorted(asks("", "ai_say")) == ["assessment", "metrics"]


def test_a_template_that_is_not_there_asks_for_nothing() -> None:
    """Checking a script does not fail on an installation's own fault."""
    assert lint_environment(TwoSchemes()).asks("", "nothing") == frozenset()


def test_it_tells_which_layer_answers() -> None:
    """A template that is nowhere has none."""
    layer = lint_environment(TwoSchemes()).layer
    assert (layer("a", "ai_say"), layer("a", "nothing")) == ("default", "")


def test_it_reads_the_techniques_of_its_folder_by_their_ids(tmp_path: Path) -> None:
    """An id that is no plain name reads nothing."""
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "breathe.yaml").write_bytes(b"one")
    (tmp_path / "secret.yaml").write_bytes(b"two")
    skill = lint_environment(TwoSchemes(), tmp_path / "skills").skill
    assert (skill("breathe"), skill("none"), skill("../secret")) == (b"one", None, None)
    assert lint_environment(TwoSchemes()).skill("breathe") is None


def test_a_broken_template_is_named_at_the_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A process starts with it; the default's stands for the scheme's, and says so."""
    folder = tmp_path / "system"
    shutil.copytree(system_dir(), folder)
    scheme = folder / "config" / "custom" / "cbt_anxiety" / "ai_ask_v1.md"
    scheme.write_text("no front matter", encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        installation = read_installation(folder)
    assert "custom/cbt_anxiety/ai_ask_v1.md:1" in vars(caplog.records[0])["why"]
    found = installation.templates.get("ai_ask", "cbt_anxiety")
    assert (found.layer, found.instead_of) == ("default", "custom/cbt_anxiety/ai_ask_v1.md")
