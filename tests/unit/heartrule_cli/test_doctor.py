"""The doctor's page, and what needs no server to be looked at."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from heartrule.domain.errors import HeartRuleError
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import say
from heartrule_cli.doctor.findings import (
    DoctorFinding,
    DoctorSection,
    FindingLevel,
    closing_line,
    exit_code,
    page_json,
    section_lines,
)
from heartrule_cli.doctor.installation_section import installation_section
from heartrule_cli.doctor.settings_section import settings_section
from heartrule_cli.style import Style
from session_store.sql.database_look import look_at_database

FINE = DoctorFinding(subject="数据库", text="is there")
DOUBTFUL = DoctorFinding(
    subject="m", text="slow\x1b[2J", level=FindingLevel.WARNING, remedy="another"
)
WRONG = DoctorFinding(subject="key", text="no", level=FindingLevel.ERROR)


@pytest.mark.parametrize(
    ("findings", "code", "said"),
    [
        ((FINE,), 0, "all is well"),
        ((FINE, DOUBTFUL), 1, "1 warning"),
        ((WRONG, DOUBTFUL, WRONG), 2, "2 errors, 1 warning"),
    ],
)
def test_the_exit_code_is_that_of_the_worst(
    findings: tuple[DoctorFinding, ...], code: int, said: str
) -> None:
    """0 fine, 1 warnings, 2 errors; the last line counts them."""
    sections = [DoctorSection(title="A", findings=findings)]
    assert (exit_code(sections), closing_line(sections)) == (code, said)


def test_texts_stand_below_each_other_and_remedies_below_them() -> None:
    """A Chinese sign takes two columns; what a server said steers no terminal."""
    section = DoctorSection(title="Models", findings=(FINE, DOUBTFUL))
    assert list(section_lines(section, Style(colours=False))) == [
        "Models",
        "  数据库  is there",
        "  m       warning: slow[2J",
        "          → another",
    ]


def test_the_page_is_told_in_the_language_of_its_reader() -> None:
    """Headings, levels, sentences of failures and the last line."""
    failed = replace(WRONG, text="", failure={"cause": "quota", "provider": "p"})
    section = DoctorSection(title=say("cli.doctor.models"), findings=(failed,))
    told = list(section_lines(section, Style(colours=False), ReaderLanguage.CHINESE))
    assert told == ["模型", "  key  错误：p 的账户额度已用完；请充值后重试。"]
    assert closing_line([section], ReaderLanguage.CHINESE) == "1 处错误"


def test_the_page_is_json_for_tools() -> None:
    """With levels, texts and remedies."""
    page = json.loads(json.dumps(page_json([DoctorSection(title="A", findings=(DOUBTFUL,))])))
    assert page["exit_code"] == 1
    assert page["sections"][0]["findings"][0]["level"] == "warning"


def test_settings_are_shown_without_secrets_and_misspelt_ones_are_named() -> None:
    """A page that is sent to a colleague holds no key and no password."""
    environ = {
        "OPENAI_API_KEY": "sk-1",
        "HEARTRULE_TOKEN": "sk-2",
        "HEARTRULE_DATABASE_URL": "postgresql://me:sk-3@h/d?password=sk-4",
        "HEARTRULE_CONTEXT_TOKENS": "9000",
        "HEARTRULE_MODLE": "m",
        "HOME": "/root",
    }
    findings = settings_section(environ).findings
    assert "sk-" not in str(findings)
    shown = {each.subject: each.text for each in findings}
    assert shown["HEARTRULE_CONTEXT_TOKENS"] == "9000"
    assert shown["HEARTRULE_DATABASE_URL"] == "postgresql://•••@h/d?•••"
    assert "HOME" not in shown
    warnings = [each for each in findings if each.level is FindingLevel.WARNING]
    assert [each.told(ReaderLanguage.ENGLISH) for each in warnings] == [
        "is unknown; did you mean HEARTRULE_MODEL?"
    ]


def test_a_wrong_setting_is_an_error_once() -> None:
    """All three services read it, and it is one mistake."""
    findings = settings_section({"HEARTRULE_HEALTH_PORT": "x"}).findings
    errors = [each for each in findings if each.level is FindingLevel.ERROR]
    assert len(errors) == len({each.text for each in errors}) > 0


def test_a_folder_that_others_may_look_into_is_doubtful(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Conversations lie in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".heartrule").mkdir(mode=0o755)
    (doubtful,) = [e for e in installation_section({}).findings if e.level is FindingLevel.WARNING]
    assert doubtful.remedy == "chmod 700 .heartrule"


def test_a_look_makes_no_database_and_tells_its_schema(tmp_path: Path) -> None:
    """One that is not there, an empty one, one with a schema, and a file that is none."""
    path = tmp_path / "a.db"
    assert not look_at_database(str(path)).exists
    assert list(tmp_path.iterdir()) == []
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE alembic_version (version_num TEXT)")
        db.execute("INSERT INTO alembic_version VALUES ('0001')")
    db.close()
    assert look_at_database(f"sqlite:///{path}").schema == "0001"
    path.write_text("no database at all" * 100, encoding="utf-8")
    with pytest.raises(HeartRuleError):
        look_at_database(str(path))
