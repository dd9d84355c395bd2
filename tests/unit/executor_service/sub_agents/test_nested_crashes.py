"""A worker dies at any write of threads nested in each other: the next one comes to the same."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping

import pytest

from executor_service.installed_agents import installed_agents
from executor_service.sub_agents.agent_maker import AgentMaker
from executor_service.threads.agent_registry import AgentRegistry
from executor_service.threads.ports import ThreadModel
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.two_step import SubThreadWork
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.threads import ENDED_THREADS
from heartrule.model.ports import ChatRequest, ModelRestarted
from tests.support.fake_model import FakeModel, whole
from tests.support.source_tree import ROOT
from tests.support.store_threads import texts
from tests.support.sub_agent_world import SubAgentWorld, a_sub_agent
from tests.support.written_nodes import DyingStore


class Writers(AgentMaker):
    """Makes the agents of the article that ship."""

    def __init__(self, registry: AgentRegistry) -> None:
        self._registry = registry

    async def make(
        self, _key: SessionKey, _name: str, model: ThreadModel, work: SubThreadWork | None = None
    ) -> ThreadAgent:
        return await self._registry.make("article_writing", model, work)

    async def labels(self, _key: SessionKey, _name: str) -> Mapping[str, str]:
        return {}


class Writes(FakeModel):
    """Says yes where it is asked to, gives an outline of two chapters, and else one sentence."""

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str | ModelRestarted]:
        system, last = request.messages[0].content, request.messages[-1].content
        outline = "开头\n结尾" if "一行一章" in last else f"写好了：{last[:12]}"
        self.replies = [whole("YES" if "YES" in system else outline)]
        async for piece in super().stream(request, calls=calls, visible=visible):
            yield piece


@pytest.fixture(scope="module")
def registry() -> AgentRegistry:
    """Give the agents of the installation."""
    return installed_agents(ROOT / "_system")


async def a_writer(registry: AgentRegistry) -> SubAgentWorld:
    """Return a run of the agent that writes an article, a thread for each chapter."""
    world = await a_sub_agent(phase="outline")
    world.agents = Writers(registry)  # type: ignore[assignment]
    world.model = Writes()
    return world


async def written(world: SubAgentWorld) -> list[tuple[str, int, str, list[str]]]:
    """Return every thread of the run: its agent, depth and state, and what was said in it."""
    found = await world.store.read_run_threads(world.key, "run_1")
    return [
        (e.thread.agent, e.thread.depth, e.thread.state, [m.text for m in e.messages])
        for e in found
    ]


@pytest.mark.parametrize("is_written", [True, False])
async def test_threads_are_the_same_wherever_a_worker_died(
    registry: AgentRegistry, *, is_written: bool
) -> None:
    """No message is lost or doubled, no thread is left open, no placeholder dangles."""
    whole_run = await a_writer(registry)
    store = DyingStore(whole_run.store)
    await whole_run.drive(store=store)
    expected = await written(whole_run)
    assert {depth for _, depth, _, _ in expected} == {1, 2}
    assert {state for _, _, state, _ in expected} <= {each.value for each in ENDED_THREADS}
    for dies_at in range(2, len(store.writes)):
        world = await a_writer(registry)
        await until_dead(world, DyingStore(world.store, dies_at=dies_at, is_written=is_written))
        await world.drive(owner="w2")
        assert await written(world) == expected, f"died at write {dies_at}"
        assert len(await texts(world.store, world.key)) == len(
            await texts(whole_run.store, whole_run.key)
        )
        await world.store.aclose()


async def until_dead(world: SubAgentWorld, store: DyingStore) -> None:
    """Drive the run until its process dies."""
    dying = asyncio.ensure_future(world.drive(store=store))
    await store.dead.wait()
    dying.cancel()
    await asyncio.wait({dying})
