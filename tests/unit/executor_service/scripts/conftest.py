"""How tests of scripts write them: a few lines inside a frame whose line numbers are fixed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import dedent, indent

import pytest

from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.loading.loader import LoadResult, load_script

Load = Callable[..., LoadResult]
FILE = "s.yaml"


@pytest.fixture
def load() -> Load:
    """Load a whole script; other files of the bundle by name."""

    def run(
        text: str | bytes,
        others: Mapping[str, str] | None = None,
        environment: LintEnvironment | None = None,
    ) -> LoadResult:
        data = text if isinstance(text, bytes) else dedent(text).encode()
        files = {FILE: data, **{path: body.encode() for path, body in (others or {}).items()}}
        known = environment or LintEnvironment(schemes=frozenset({"cbt_anxiety"}))
        return load_script(files, main=FILE, environment=known)

    return run


@pytest.fixture
def load_config(load: Load) -> Load:
    """Load a script of one action; its config begins in line 11, column 11."""

    def run(
        action_type: str, config: str, environment: LintEnvironment | None = None
    ) -> LoadResult:
        frame = f"""\
session:
  session_id: s
  phases:
  - phase_id: p
    topics:
    - topic_id: t
      actions:
      - action_type: {action_type}
        action_id: a
        config:
"""
        return load(frame + indent(dedent(config), " " * 10), environment=environment)

    return run


@pytest.fixture
def load_actions(load: Load) -> Load:
    """Load a script of one topic; its actions begin in line 8, column 7."""

    def run(actions: str, environment: LintEnvironment | None = None) -> LoadResult:
        frame = """\
session:
  session_id: s
  phases:
  - phase_id: p
    topics:
    - topic_id: t
      actions:
"""
        return load(frame + indent(dedent(actions), " " * 6), environment=environment)

    return run


@pytest.fixture
def load_session(load: Load) -> Load:
    """Load a script of one saying; the session's further keys begin in line 10, column 3."""

    def run(keys: str, others: Mapping[str, str] | None = None) -> LoadResult:
        frame = """\
session:
  session_id: s
  phases:
  - phase_id: p
    topics:
    - topic_id: t
      actions:
      - {action_type: ai_say, action_id: a,
         content: 你好}
"""
        return load(frame + indent(dedent(keys), "  "), others)

    return run
