"""Scripts on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor_service.scripts.model.findings import Located
from heartrule_cli.__main__ import main
from heartrule_cli.failure import Failure
from heartrule_cli.scripts import bundle_of, find_script, finding_line, on_disk
from tests.support.scripts import topic_script

GOOD = topic_script("{action_type: ai_say, action_id: hi, config: {content: 你好}}")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_script_without_mistakes_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 0 and OK."""
    (folder / "good.yaml").write_text(GOOD, encoding="utf-8")
    assert main(["check", "good.yaml"]) == 0
    assert capsys.readouterr().out == "OK: 1 script\n"


def test_all_mistakes_of_all_files_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each line begins with file, line and column; the exit code is 2."""
    (folder / "a.yaml").write_text(GOOD.replace("ai_say", "ai_sya"), encoding="utf-8")
    (folder / "b").mkdir()
    (folder / "b" / "b.yaml").write_text(GOOD.replace("phase_id: p", "phase: p"), encoding="utf-8")
    assert main(["check", "a.yaml", "b/b.yaml", "good.yaml"]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("a.yaml:9:29: ")
    assert any(line.startswith("b/b.yaml:5:7: ") for line in lines)
    assert "good.yaml: script 'good.yaml' was not found" in lines


def test_a_mistake_in_global_yaml_is_named_once_in_its_own_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two scripts share the file beside them."""
    for name in ("a.yaml", "b.yaml"):
        (folder / name).write_text(GOOD, encoding="utf-8")
    (folder / "global.yaml").write_text("global: 5\n", encoding="utf-8")
    assert main(["check", "a.yaml", "b.yaml"]) == 2
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("global.yaml:1:")


def test_a_warning_is_told_and_refuses_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An older field name still loads."""
    old = GOOD.replace("content:", "content_template:")
    (folder / "old.yaml").write_text(old, encoding="utf-8")
    assert main(["check", "old.yaml"]) == 0
    first, last = capsys.readouterr().out.splitlines()
    assert ": warning: " in first
    assert last == "OK: 1 script, 1 warning"


@pytest.mark.parametrize("name", ["greeting", "greeting.yaml"])
def test_a_bare_name_finds_the_example_that_ships(folder: Path, name: str) -> None:
    """In an empty folder there is something to try."""
    assert find_script(name, {}).name == "greeting.yaml"
    assert bundle_of(find_script(name, {})).main == "greeting.yaml"


def test_a_file_of_ones_own_comes_before_the_example(folder: Path) -> None:
    """Nobody's greeting is shadowed by ours."""
    (folder / "greeting.yaml").write_text(GOOD, encoding="utf-8")
    assert find_script("greeting.yaml", {}) == Path("greeting.yaml")


def test_a_path_is_never_taken_for_an_example(folder: Path) -> None:
    """What names a folder means that folder."""
    with pytest.raises(Failure, match="not found") as failed:
        bundle_of(find_script("./sub/greeting.yaml", {}))
    assert failed.value.code == 2


def test_a_missing_installation_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong HEARTRULE_SYSTEM_DIR is one sentence, no traceback."""
    monkeypatch.setenv("HEARTRULE_SYSTEM_DIR", str(folder / "nowhere"))
    assert main(["check", "x.yaml"]) == 1
    assert "no folder _system" in capsys.readouterr().err


TECHNIQUE = """\
technique_id: breathe
topic:
  topic_id: t
  actions:
  - {action_type: ai_ask, action_id: a, content: "{甲}", output: [{get: 乙}]}
"""


def test_a_technique_is_checked_by_itself(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever writes one needs no script around it; a note is told after the warnings."""
    (folder / "skills").mkdir()
    (folder / "skills" / "breathe.yaml").write_text(TECHNIQUE, encoding="utf-8")
    assert main(["check", "skills/breathe.yaml"]) == 0
    first, second, last = capsys.readouterr().out.splitlines()
    assert first.startswith("skills/breathe.yaml:5:51: warning: `甲`")
    assert second.startswith("skills/breathe.yaml:5:72: note: nothing reads `乙`")
    assert last == "OK: 1 script, 1 warning, 1 note"


def test_what_is_wrong_in_a_technique_is_told_under_its_own_path(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It lies beside the script that uses it."""
    use = GOOD.replace("content: 你好", "skill: breathe").replace("ai_say", "use_skill")
    (folder / "sub" / "skills").mkdir(parents=True)
    (folder / "sub" / "skills" / "breathe.yaml").write_text("technique_id: breathe\n", "utf-8")
    (folder / "sub" / "a.yaml").write_text(use, encoding="utf-8")
    assert main(["check", "sub/a.yaml"]) == 2
    assert capsys.readouterr().out.startswith("sub/skills/breathe.yaml:1:1: ")


def test_a_finding_names_the_file_as_its_author_knows_it() -> None:
    """Bundles know names, authors know paths."""
    script = Path("folder/my.yaml")
    paths = {
        "my.yaml": "folder/my.yaml",
        "global.yaml": "folder/global.yaml",
        "skills/a.yaml": "folder/skills/a.yaml",
        "_system/skills/a.yaml": "_system/skills/a.yaml",
    }
    for name, path in paths.items():
        found = Located(file=name, line=3, column=0, message="x")
        assert finding_line(on_disk(found, script)) == f"{path}:3: x"
