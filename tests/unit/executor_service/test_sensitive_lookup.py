"""Which variables a script marks as sensitive."""

from __future__ import annotations

from executor_service.scripts.model.fields import Collect, Output, RecordField, SkillOutput
from executor_service.sensitive_lookup import sensitive_in
from tests.support.agent_talk import agent
from tests.support.engine_builders import ask, script
from tests.support.plan_builders import technique, use

INSIDE = ask("inner", output=(Output(get="感受", sensitive=True), Output(get="分数")))


def test_marked_outputs_are_sensitive() -> None:
    """Others are not."""
    found = sensitive_in(script(ask(output=(Output(get="a", sensitive=True), Output(get="b")))))
    assert found.names == {"a"}


def test_what_a_skill_hands_out_is_as_sensitive_as_inside() -> None:
    """Under whatever name the script takes it."""
    given = (
        SkillOutput(get="外面的感受", source="感受"),
        SkillOutput(get="外面的分数", source="分数"),
    )
    breathe = technique("breathe", INSIDE, outputs=("感受", "分数"))
    found = sensitive_in(script(use("breathe", outputs=given), techniques={"breathe": breathe}))
    assert found.names == {"感受", "外面的感受"}


def test_a_list_is_sensitive_as_a_whole() -> None:
    """Its records have values of their own, which no variable holds."""
    collect = Collect(into="清单", fields=(RecordField(get="时候"),), sensitive=True)
    assert sensitive_in(script(ask(get=(), collect=collect))).names == {"清单"}


def test_the_result_of_a_run_is_sensitive_where_anything_is() -> None:
    """The run may have been given it."""
    marked = ask(output=(Output(get="a", sensitive=True),))
    runs = agent(run_output="小结")
    assert sensitive_in(script(marked, runs)).names == {"a", "小结"}
    assert sensitive_in(script(runs)).names == frozenset()
