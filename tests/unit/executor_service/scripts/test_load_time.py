"""Loading is quick: a turn may have to load a script."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
import yaml

from executor_service.scripts.loading.loader import LoadResult
from tests.support.loop_watch import slowness

Load = Callable[..., LoadResult]

ACTION = """\
      - action_type: ai_ask
        action_id: a{0}
        config:
          content: "{{称呼}}，第{0}个问题是什么？"
          tone: 温和
          exit: 来访者说出了答案
          output:
          - {{get: 答案{0}, define: 照原话}}
          max_rounds: 3
"""


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML was built without its C parser")
def test_three_hundred_actions_load_well_under_a_fifth_of_a_second(load: Load) -> None:
    """The best of five runs, by the processor's time of a machine at rest (about 0.04 s)."""
    head = "session:\n  session_id: s\n  declare: [{var: 称呼, value: 朋友}]\n  phases:\n"
    head += "  - phase_id: p\n    topics:\n    - topic_id: t\n      actions:\n"
    text = head + "".join(ACTION.format(index) for index in range(300))
    assert load(text).warnings == ()

    def seconds() -> float:
        start = time.process_time()
        load(text)
        return time.process_time() - start

    assert min(seconds() for _ in range(5)) < 0.2 * slowness()
