"""docs/how-to/run-a-workflow.md holds as it is printed: its commands run the example that ships."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from heartrule_cli.__main__ import main
from heartrule_cli.runs.run_report import JSON_VERSION
from tests.support.documents import page
from tests.support.sales_report import (
    ADDRESS,
    EXAMPLE,
    PNG,
    copied,
    mail_server,
    require_analysis,
    sending_to,
)

PAGE = page("docs/how-to/run-a-workflow.md")
COMMANDS = [line for line in PAGE.code() if line.startswith("heartrule workflow")]
CHECKED, RUN = (line for line in COMMANDS if "--policy policy.yaml" in line)
SHOWN, REFUSED, RETRIED = re.findall(
    r"^```console\n(.*?)^```$", PAGE.text, re.DOTALL | re.MULTILINE
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example's folder with its database, as the current one."""
    made = copied(tmp_path)
    monkeypatch.chdir(made)
    monkeypatch.delenv("HEARTRULE_DECISION_POLICY", raising=False)
    return made


def line(command: str) -> list[str]:
    return shlex.split(command)[1:]


def without_figures(text: str) -> list[str]:
    """Return lines up to what a run measures, or the page leaves out."""
    return [re.split(r"\d+\.\d+ s|…", each)[0].rstrip() for each in text.splitlines()]


def test_the_example_runs_as_it_is_printed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The chart is in the report's folder, and the mail server has it."""
    require_analysis()
    with mail_server(folder) as address:
        sending_to(folder, address)
        assert main(line(CHECKED)) == 0
        capsys.readouterr()
        assert main(line(RUN)) == 0
    told = without_figures(capsys.readouterr().out)
    for number, shown in enumerate(without_figures(SHOWN)):
        assert told[number].startswith(shown)
    for name in ("report", "received"):
        assert (folder / name / "trend.png").read_bytes().startswith(PNG)


def test_a_server_that_is_down_is_told_as_it_is_printed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the recovery that the example has."""
    require_analysis()
    with mail_server(folder, "--failing", "2") as address:
        on_failure = {"action": "RETRY", "max_attempts": 3, "delay": 1}
        sending_to(folder, address, on_failure=on_failure)
        assert main(line(RUN)) == 0
    told = without_figures(capsys.readouterr().out)
    assert [each for each in without_figures(RETRIED) if each not in told] == []


def test_what_is_closed_is_told_as_it_is_printed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Places, mistakes, and the lines that open it."""
    command, *shown = REFUSED.splitlines()
    assert main(line(command.removeprefix("$ "))) == 2
    assert capsys.readouterr().err.splitlines() == shown


def test_every_key_of_the_json_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A tool's author finds what each means."""
    node = "{node_id: a, type: START, name: a, config: {}}"
    hello = f"name: n\ndescription: d\nedges: []\nnodes: [{node}]"
    (folder / "hello.yaml").write_text(hello, "utf-8")
    assert main(["workflow", "run", "hello.yaml", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    told = [row[0].strip("`") for row in PAGE.table("As JSON")]
    assert (told, document["version"]) == (list(document), JSON_VERSION)


def test_the_example_is_as_the_page_says() -> None:
    """Its address is that of the mail server, its recovery the one of the page."""
    text = (EXAMPLE / "sales_report.yaml").read_text("utf-8")
    assert ADDRESS in text
    assert "on_failure: {action: RETRY, max_attempts: 3, delay: 1}" in text
