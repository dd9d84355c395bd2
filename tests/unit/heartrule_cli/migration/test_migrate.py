"""`heartrule migrate`: an older script becomes one of today, and nothing is lost unsaid."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent, indent

import pytest
import yaml

from heartrule_cli.__main__ import main
from tests.support.documents import page

PAGE = page("docs/how-to/migrate-an-older-script.md")
OLDER, ACTIONS = re.findall(r"^```yaml\n(.*?)^```$", PAGE.text, re.DOTALL | re.MULTILINE)
(SCREEN,) = re.findall(r"^```console\n(.*?)^```$", PAGE.text, re.DOTALL | re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def step(actions: str) -> str:
    """Return an older file of one step."""
    head = "sessions:\n- session: s\n  stages:\n  - stage: 一\n    steps:\n    - actions:\n"
    return head + indent(dedent(actions), "      ")


def test_the_script_of_the_page_becomes_what_the_page_shows(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The screen is what is printed, the actions are what is written, and the script loads."""
    (folder / "old.yaml").write_text(OLDER, "utf-8")
    assert main(["migrate", "old.yaml", "--to", "scripts"]) == 0
    typed, *shown = SCREEN.splitlines()
    assert typed == "$ heartrule migrate old.yaml --to scripts"
    assert capsys.readouterr().out.splitlines() == shown
    written = yaml.safe_load((folder / "scripts/evening_talk.yaml").read_text("utf-8"))
    last = written["session"]["phases"][1]["topics"][0]
    assert last["topic_goal"] == "了解让来访者紧张的情境"
    assert last["actions"][:2] == yaml.safe_load(ACTIONS)
    assert last["actions"][-1]["condition"] == "{选择} == '放松练习'"


TALK = """
turns:
  - {}
  - {client: 叫我阿宁}
  - {client: 好的，开始吧}
  - {client: 开会的时候}
  - {client: 没有别的了}
  - client: 放松练习
    expect:
      variables: {选择: 放松练习}
      said: {has: 好的，我们来做一次放松练习。}
      status: completed
"""


def test_the_script_of_the_page_is_rehearsed_to_its_end(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was a letter is the answer that was chosen, and its condition holds."""
    (folder / "old.yaml").write_text(OLDER, "utf-8")
    (folder / "talk.yaml").write_text(TALK, "utf-8")
    assert main(["migrate", "old.yaml"]) == 0
    code = main(["rehearse", "evening_talk.yaml", "--with", "talk.yaml"])
    assert code == 0, capsys.readouterr().out


def test_a_scene_becomes_roles_and_a_prepared_line_a_quick_reply(folder: Path) -> None:
    """The words before the line are the question; a brief stays a brief."""
    (folder / "old.yaml").write_text(OLDER, "utf-8")
    assert main(["migrate", "old.yaml"]) == 0
    session = yaml.safe_load((folder / "evening_talk.yaml").read_text("utf-8"))["session"]
    assert [each["name"] for each in session["roles"]] == ["小林", "来访者"]
    first, asked, ready = session["phases"][0]["topics"][0]["actions"]
    assert first["action_type"] == "say"
    assert asked["config"]["brief"] == "询问来访者希望怎样被称呼"
    assert ready["config"] == {
        "brief": "说明今天怎样谈，想说多少都可以",
        "options": ["好的，开始吧"],
        "max_rounds": 1,
    }


def test_a_list_with_an_exit_of_its_own_may_have_several_records(folder: Path) -> None:
    """Three rounds, the default, would end it at three records; without an exit it has one."""
    (folder / "old.yaml").write_text(
        step("- {ai_ask: 谁, output: [{get: 谁}], tolist: 人, exit: 没有别人了}"), "utf-8"
    )
    assert main(["migrate", "old.yaml"]) == 0
    session = yaml.safe_load((folder / "s.yaml").read_text("utf-8"))["session"]
    config = session["phases"][0]["topics"][0]["actions"][0]["config"]
    assert (config["exit"], config["max_rounds"]) == ("没有别人了", 10)


LEFT = [
    ("- dance: x", "no action is known by `dance`"),
    ("- say:", "`say` has no text"),
    ("- {say: x, ai_ask: y}", "`ai_ask` has no counterpart"),
    ("- {think: x, tolist: l}", "`tolist` has no `output`"),
    ("- user_say: 好", "no words stand before the answers"),
    ("- {say: x, exit: y}", "`exit` has no counterpart"),
    ("- {ai_ask: 好吗？, output: x}", "`output` is no list"),
]


@pytest.mark.parametrize(("actions", "said"), LEFT)
def test_what_is_left_out_is_told_with_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str], actions: str, said: str
) -> None:
    """The rest of the file is written all the same."""
    (folder / "old.yaml").write_text(step(f"- say: 你好\n  condition: 1 < 2\n{actions}\n"), "utf-8")
    main(["migrate", "old.yaml"])
    told = capsys.readouterr().out
    assert re.search(rf"^old\.yaml:9: .*{re.escape(said)}", told, re.MULTILINE)
    assert (folder / "s.yaml").exists()


def test_nothing_is_overwritten_and_nothing_else_is_migrated(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A script of today, a broken file and a file that is there are refused."""
    (folder / "s.yaml").write_text("session: {session_id: s}", "utf-8")
    (folder / "old.yaml").write_text(step("- say: 你好"), "utf-8")
    (folder / "broken.yaml").write_text("a: [", "utf-8")
    for name, said in [("old", "is there already"), ("s", "no `sessions:`"), ("broken", "read")]:
        assert main(["migrate", f"{name}.yaml"]) == 2
        assert said in capsys.readouterr().err
