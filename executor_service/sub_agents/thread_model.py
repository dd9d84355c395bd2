"""The model as threads ask it: purpose THREAD, within the policy's tokens, a ledger row a call."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from executor_service.sub_agents.thread_request import request_of
from executor_service.threads.ports import ThreadPrompt
from executor_service.threads.thread_errors import ThreadFault
from executor_service.workflows.nodes.node_port import NodeSpending
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.runs import RunErrorCode
from heartrule.model.ports import ChatModel
from heartrule.model.whole_reply import whole_reply


@dataclass(slots=True, kw_only=True)
class SubThreadModel:
    """A `ThreadModel` of sub-threads: answers come whole, and none is streamed (T14)."""

    model: ChatModel
    spending: NodeSpending
    calls: list[LLMDebugInfo]
    """Gets a record of each call."""
    agent: str = ""

    async def answer(self, prompt: ThreadPrompt) -> str:
        """Return the whole answer; its tokens count, and one must be left before it is asked.

        Raises:
            ModelUnavailable, ModelRateLimited, ModelStreamCut: No whole answer came.
            ThreadFault: The policy's tokens are used up, reason LIMIT.
        """
        if not await self.spending.allow(llm_tokens=1):
            raise ThreadFault(RunErrorCode.LIMIT.value, "the policy's tokens of models are used up")
        before = len(self.calls)
        try:
            return await whole_reply(self.model, request_of(prompt, self.agent), calls=self.calls)
        finally:
            made = self.calls[before:]
            used = sum(each.prompt_tokens + each.completion_tokens for each in made)
            if used > 1:
                await self.spending.add(llm_tokens=used - 1)

    async def stream(self, prompt: ThreadPrompt) -> AsyncIterator[str]:
        """Yield the whole answer at once."""
        yield await self.answer(prompt)
