"""A script's text with another config at one place."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from executor_service.scripts.checking.environment import trusting
from executor_service.scripts.loading.loader import LoadResult, load_script
from executor_service.scripts.loading.replaced import replaced_files
from executor_service.scripts.model.actions import AskConfig
from heartrule.domain.errors import InvalidRequest
from heartrule.domain.json_value import JsonValue
from heartrule.domain.replacement import ActionReplacement

HEAD = """\
session:
  session_id: asking
  phases:
    - phase_id: p1
      topics:
        - topic_id: t1
          actions:
"""
BLOCK = """\
            - action_type: ai_ask
              action_id: ask
              config:
                content: 怎么称呼你
                max_rounds: 3
                output:
                  - get: 称呼
"""
FLOW = "            - {action_type: ai_ask, action_id: ask, config: {content: 你好}}\n"
LAST = "            - {action_type: ai_say, action_id: bye, config: {content: 再见}}\n"


def tried(config: Mapping[str, JsonValue], **place: str) -> ActionReplacement:
    """Return a config for the action `ask`."""
    where = {"phase_id": "p1", "topic_id": "t1", "action_id": "ask", **place}
    return ActionReplacement(config=config, **where)


def loaded(text: str, *tries: ActionReplacement) -> LoadResult:
    """Load a script with these configs in it."""
    files = replaced_files({"s.yaml": text.encode()}, "s.yaml", tries)
    return load_script(files, main="s.yaml", environment=trusting())


def asked(result: LoadResult) -> AskConfig:
    """Return the config of the first action."""
    assert result.script is not None, result.errors
    config = result.script.phases[0].topics[0].actions[0].config
    assert isinstance(config, AskConfig)
    return config


@pytest.mark.parametrize("action", [BLOCK, FLOW], ids=["block", "flow"])
@pytest.mark.parametrize("after", [LAST, "", LAST + "# the end\n"], ids=["more", "last", "comment"])
def test_the_new_config_stands_where_the_old_one_stood(action: str, after: str) -> None:
    """However the author wrote it, and whatever follows."""
    config: dict[str, JsonValue] = {"content": "您贵姓？\n“请讲”", "max_rounds": 7}
    result = loaded(HEAD + action + after, tried(config))
    assert (asked(result).content, asked(result).max_rounds) == ("您贵姓？\n“请讲”", 7)
    assert result.script is not None
    assert len(result.script.phases[0].topics[0].actions) == 1 + ("bye" in after)


def test_a_mistake_in_it_has_its_place() -> None:
    """At its line of the edited text; what stands above has not moved."""
    result = loaded(HEAD + BLOCK + LAST, tried({"content": "你好", "max_rounds": "many"}))
    (error,) = result.errors
    assert (error.file, error.line) == ("s.yaml", 13)
    assert "max_rounds" in error.message


def test_two_configs_stand_side_by_side() -> None:
    """One after the other, each in its own action."""
    second = tried({"content": "走好"}, action_id="bye")
    result = loaded(HEAD + BLOCK + LAST, tried({"content": "您贵姓？"}), second)
    assert asked(result).content == "您贵姓？"
    assert result.script is not None
    assert "走好" in str(result.script.phases[0].topics[0].actions[1].config)


@pytest.mark.parametrize("place", [{"phase_id": "p2"}, {"topic_id": "t2"}, {"action_id": "none"}])
def test_what_the_script_does_not_have_is_refused(place: dict[str, str]) -> None:
    """The field is named."""
    with pytest.raises(InvalidRequest) as caught:
        loaded(HEAD + BLOCK, tried({"content": "?"}, **place))
    (wrong,) = caught.value.violations
    assert wrong.field == f"replacement.{next(iter(place))}"
