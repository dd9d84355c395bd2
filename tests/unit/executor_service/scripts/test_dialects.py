"""Scripts of other dialects are refused by one sentence."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from executor_service.scripts.loading.loader import LoadResult

Load = Callable[..., LoadResult]

FOREIGN = [
    ("sessions:\n- steps:\n  - say: 你好\n", "1:1", "`sessions:` belongs to another dialect"),
    ("metadata: {}\nsteps:\n- say: 你好\n", "2:1", "`steps:` belongs to another dialect"),
    ("session:\n  session_id: s p\n  steps: []\n", "3:3", "`steps:` belongs to another dialect"),
    ("session:\n  phases:\n  - steps: []\n  - steps: []\n", "3:5", "`steps:`"),
    ("session:\n  phases:\n  - topics:\n    - steps: []\n", "4:7", "`steps:`"),
    ("- say: 你好\n- ask: 名字\n", "1:1", "a list is not a script of this language"),
]
ACTIONS = ["say: 你好", "ask: 名字", "ai_say: {content: 你好}", "think: x", "form: {}"]


@pytest.mark.parametrize(("text", "place", "said"), FOREIGN)
def test_another_dialect_makes_one_error(load: Load, text: str, place: str, said: str) -> None:
    """However much of it differs, one located error says that it is another dialect."""
    (error,) = load(text).findings
    assert f"s.yaml:{place}" == error.where
    assert said in error.message


@pytest.mark.parametrize("action", ACTIONS)
def test_a_verb_as_the_key_of_an_action_makes_one_error(load: Load, action: str) -> None:
    """`- say: …` is refused where it first stands, and nothing else of the file is reported."""
    text = f"""\
        session:
          session_id: not an id
          phases:
          - phase_id: p
            topics:
            - topic_id: t
              actions:
              - {action}
              - {action}
        """
    (error,) = load(dedent(text)).findings
    assert error.where == "s.yaml:8:9"
    assert f"`- {action.partition(':')[0]}: …`" in error.message


def test_free_words_in_metadata_are_no_dialect(load_session: Load, load: Load) -> None:
    """Only the tree is looked at: metadata may hold any key."""
    text = "metadata: {steps: [1], sessions: {a: b}}\nsession: 3\n"
    (error,) = load(text).errors
    assert "`session` is the number 3" in error.message
