"""What is counted of threads, as docs/operations/monitoring.md says it."""

from __future__ import annotations

from executor_service.workflows.engine.run_telemetry import count_ends
from tests.support.meters import counted, counting
from tests.support.sub_agent_world import a_sub_agent


async def test_threads_are_counted_by_agent_and_end() -> None:
    """Once each, with their units and how long their runs waited."""
    world = await a_sub_agent()
    world.model.will_say("找到两篇", "早点睡")
    with counting() as reader:
        await world.drive()
        count_ends(world.events)
        assert counted(reader, "heartrule.threads") == {("researcher", "completed", "none"): 1}
        assert counted(reader, "heartrule.threads.units") == {("researcher",): 2}
        assert counted(reader, "heartrule.runs") == {("sub_agent", "completed", "none"): 1}
        assert counted(reader, "heartrule.runs.wait") == {("sub_agent",): 1}


async def test_a_thread_that_failed_is_counted_with_its_code() -> None:
    """That of its run; nobody's words stand there."""
    world = await a_sub_agent()
    world.model.will_say("找到两篇", "不能说")
    with counting() as reader:
        await world.drive()
        count_ends(world.events)
        ends = {("researcher", "failed", "UNREADABLE"): 1}
        assert counted(reader, "heartrule.threads") == ends
