"""`heartrule check` for tools: JSON, annotations, folders, --strict; and `heartrule schema`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from executor_service.scripts.model.findings import Located
from executor_service.scripts.model.rules import CheckRule
from executor_service.scripts.schema.documents import SchemaOf, schema_text
from heartrule_cli.__main__ import main
from heartrule_cli.commands.check import CheckReport, github_lines, json_lines
from tests.support.workflow_texts import DIARY, HELLO

GOOD = """\
session:
  session_id: short
  phases:
    - phase_id: p
      topics:
        - topic_id: t
          actions:
            - {action_type: ai_say, action_id: hi, config: {content: 你好}}
"""
OLD = GOOD.replace("content:", "content_template:")
BAD = GOOD.replace("phase_id: p", "phase: p")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HEARTRULE_DECISION_POLICY", raising=False)
    return tmp_path


def told(message: str, file: str = "a.yaml", rule: CheckRule = CheckRule.UNKNOWN_KEY) -> Located:
    """Return an error."""
    return Located(file=file, line=3, column=5, rule=rule, message=message)


def test_json_names_place_severity_and_rule(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One document; the exit code is that of the text."""
    (folder / "old.yaml").write_text(OLD, "utf-8")
    assert main(["check", "old.yaml", "none.yaml", "--format", "json"]) == 2
    found = json.loads(capsys.readouterr().out)
    assert (found["version"], found["ok"], found["files"]) == (1, False, ["old.yaml", "none.yaml"])
    assert found["counts"] == {"error": 1, "warning": 1, "note": 0}
    first, second = found["findings"]
    assert first.items() >= {"file": "old.yaml", "line": 8, "rule": "older-name"}.items()
    assert second.items() >= {"file": "none.yaml", "line": 0, "severity": "error"}.items()


def test_findings_and_the_summary_are_told_in_the_language_chosen(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--lang` stands before the environment."""
    (folder / "old.yaml").write_text(OLD, "utf-8")
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert main(["check", "old.yaml"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told == [
        "old.yaml:8:61: 警告：`content_template` 是旧名字；请写 `content`",
        "没有问题：1 个脚本、1 处警告",
    ]
    assert main(["check", "old.yaml", "--lang", "en"]) == 0
    assert "OK: 1 script, 1 warning" in capsys.readouterr().out


def test_json_keeps_signs_that_steer_a_terminal_as_escapes() -> None:
    """It is JSON to a tool, and harmless to a person who looks at it."""
    message = "a\x9b31m\u2028\u202e\U000e0001你"
    (text,) = json_lines(CheckReport(files=("a.yaml",), findings=(told(message),)))
    assert all(sign.isprintable() or sign == "\n" for sign in text)
    assert "你" in text
    assert json.loads(text)["findings"][0]["message"] == message


def test_an_annotation_stands_at_its_place(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """GitHub shows it beside the line; a summary goes to the log."""
    (folder / "old.yaml").write_text(OLD, "utf-8")
    assert main(["check", "old.yaml", "--format", "github"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("::warning file=old.yaml,line=8,col=61,title=older-name::`content_temp")
    assert err == "OK: 1 script, 1 warning\n"


def test_an_annotation_cannot_be_forged() -> None:
    """Percent signs, line breaks, colons and commas of an author stay what they are."""
    finding = told("50%\n::error::x", file="a,b:c%.yaml")
    (line,) = github_lines(CheckReport(files=(), findings=(finding,)))
    assert line == (
        "::error file=a%2Cb%3Ac%25.yaml,line=3,col=5,title=unknown-key::50%25%0A::error::x"
    )


def test_strict_refuses_warnings_not_notes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What counts as an error is still told as a warning."""
    (folder / "old.yaml").write_text(OLD, "utf-8")
    (folder / "note.yaml").write_text(
        GOOD.replace("ai_say", "ai_ask").replace("你好", "你好, output: [{get: 甲}]"), "utf-8"
    )
    assert main(["check", "note.yaml", "--strict"]) == 0
    assert main(["check", "old.yaml", "--strict"]) == 2
    out, err = capsys.readouterr()
    assert ": warning: `content_template`" in out
    assert err == "1 warning\n"


def test_fix_writes_todays_names_and_counts_them(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line a name, in each file the script uses; line ends and the mark at its begin stay."""
    written = f"\ufeff{OLD}".replace("content_template: 你好", "say_goal: a, content_template: b")
    (folder / "old.yaml").write_bytes(written.replace("\n", "\r\n").encode())
    (folder / "old.yaml").chmod(0o640)
    assert main(["check", "old.yaml", "--fix", "--strict"]) == 0
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "old.yaml: `say_goal` is now `goal` (1 time)",
        "old.yaml: `content_template` is now `content` (1 time)",
        "OK: 1 script",
    ]
    told = (folder / "old.yaml").read_bytes().decode()
    assert told == f"\ufeff{GOOD}".replace("content: 你好", "goal: a, content: b").replace(
        "\n", "\r\n"
    )
    assert (folder / "old.yaml").stat().st_mode & 0o777 == 0o640


SIDE_FILES = [
    ("global.yaml", "global: [{var: 甲, value: 1}]", ""),
    ("shared.yaml", "# 共用\nglobal: [{var: 甲, scope: topic}]", "shared.yaml:2:10: global.yaml"),
    ("global.yaml", "global: [{va: 甲}]", "global.yaml:1:11: "),
    ("roles.yaml", "roles: [{role: client}]", "roles.yaml:1:1: `roles:` has no file of its own"),
    ("forms.yaml", "forms: {}", "write each form in the `fill_form` action"),
    ("skills.yaml", "skills: []", "skills/<technique_id>.yaml"),
    ("hello.yaml", HELLO, "a workflow lies below workflows/ beside its script"),
]


@pytest.mark.parametrize(("name", "text", "said"), SIDE_FILES)
def test_side_files_are_checked_alone(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, said: str
) -> None:
    """Declarations as such; what has no file here is told in one error where it belongs."""
    (folder / name).write_text(text, "utf-8")
    assert main(["check", name]) == (2 if said else 0)
    told = capsys.readouterr().out
    assert said in told
    assert len(told.splitlines()) <= 2


def test_a_technique_may_say_who_wrote_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Version, author and any metadata are for people."""
    about = 'version: "1.0"\nauthor: 小林\nmetadata: {name: x, of: [1, {a: b}]}\n'
    said = "topic: {topic_id: t, actions: [{action_type: say, action_id: a, content: 你好}]}\n"
    (folder / "breathe.yaml").write_text(f"technique_id: breathe\n{about}{said}", "utf-8")
    assert main(["check", "breathe.yaml"]) == 0
    assert capsys.readouterr().out == "OK: 1 script\n"


def test_a_folder_is_all_its_scripts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Below it too; other YAML files are passed over, and named."""
    places = {
        "a/good.yaml": GOOD,
        "a/b/bad.yml": BAD,
        "a/global.yaml": "global: []",
        "a/ci.yaml": "jobs: {}",
        "a/good.conversation.yaml": "turns: []",
        "a/.hidden/x.yaml": BAD,
    }
    for name, text in places.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    assert main(["check", "a"]) == 2
    out, err = capsys.readouterr()
    assert {line.split(":")[0] for line in out.splitlines()} == {"a/b/bad.yml"}
    assert "begins a line: a/ci.yaml\n" in err


def test_workflows_are_checked_with_the_script_beside_them(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are not passed over, and what is wrong with one refuses the script."""
    (folder / "a" / "workflows").mkdir(parents=True)
    for name, text in (("good", GOOD), ("workflows/hello", HELLO), ("workflows/diary", DIARY)):
        (folder / "a" / f"{name}.yaml").write_text(text, "utf-8")
    assert main(["check", "a"]) == 2
    out, err = capsys.readouterr()
    (line,) = out.splitlines()
    assert line.startswith("a/workflows/diary.yaml:7:58: nodes.0.config.connection")
    assert err == "1 error\n"


def test_a_folder_without_scripts_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing was checked: that is no success to rely on."""
    (folder / "empty").mkdir()
    assert main(["check", "empty"]) == 2
    assert "empty: no script in this folder" in capsys.readouterr().out


@pytest.mark.parametrize("kind", SchemaOf)
def test_a_schema_is_printed(kind: SchemaOf, capsys: pytest.CaptureFixture[str]) -> None:
    """As it is shipped, to be written into a file."""
    assert main(["schema", "--of", kind.value]) == 0
    assert capsys.readouterr().out == schema_text(kind)
