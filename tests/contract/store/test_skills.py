"""A session inside a skill: what a store keeps is enough to go on elsewhere (RESOLUTIONS C34)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from heartrule.domain.events import MessageCommitted, SessionEvent
from heartrule.domain.variables import VariableScope
from heartrule_cli.rehearsal.doubles import WrittenModel
from heartrule_cli.rehearsal.harness import Harness
from session_store.ports import Store
from tests.support.harness import harness_of
from tests.support.scenes import load_scene

SCENE = load_scene(
    Path(__file__).parents[2] / "scenarios" / "C34-skill-variables.yaml",
)


async def turn(
    before: Harness | None, store: Store, *said: str
) -> tuple[Harness, list[SessionEvent]]:
    """Run the next turn in a process of its own that knows nothing but the store."""
    model = before.model if before else WrittenModel(SCENE.conversation.model or ())
    assert isinstance(model, WrittenModel)
    harness = harness_of(model, store=store, key=before.key if before else None)
    if before is None:
        await harness.create_session(SCENE.script)
        told = await harness.initialize()
    else:
        told = await harness.send(f"m{len(model.requests)}", *said)
    await harness.turns_over()
    return harness, told


def words(told: list[SessionEvent]) -> list[str]:
    """Return what was said."""
    bodies = (event.body for event in told)
    return [body.message.plain_text() for body in bodies if isinstance(body, MessageCommitted)]


async def test_every_turn_of_a_skill_may_run_in_another_process(store: Store) -> None:
    """Plan, position and variables come from rows: the words are those of one process."""
    harness, _ = await turn(None, store)
    heard: list[list[str]] = []
    for said in ("有点焦虑", "好的", "松了一些"):
        harness, told = await turn(harness, store, said)
        heard.append(words(told))
    assert heard == [["嗯。", "留意它。"], ["现在感觉如何？"], ["好。", "很好。"]]
    left: Any = await store.list_variables(harness.key)
    assert {value.name for value in left if value.archived} == {"情绪", "焦点", "感受", "效果"}


async def test_a_skills_variables_are_kept_in_its_own_scope(store: Store) -> None:
    """The topic scope of the skill names the topic and the instance."""
    harness, _ = await turn(None, store)
    harness, _ = await turn(harness, store, "有点焦虑")
    session = await store.get_session(harness.key)
    (skill,) = session.position.skill_instance_ids
    values = {value.name: value for value in await store.list_variables(harness.key)}
    assert (values["焦点"].scope, values["焦点"].scope_id) == (VariableScope.TOPIC, f"t1/{skill}")
    assert values["情绪"].scope_id == "t1"
