"""The state handlers that the phases of an agent in YAML stand for.

Each phase makes a class of its own of them, which has the phase as `written`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from executor_service.scripts.agents.agent_files import WrittenAgent
from executor_service.scripts.model.agent_file import ITEM, AgentPhase, FeedbackRule, PhaseFeedback
from executor_service.threads.agent_host import adapter_of, host_of
from executor_service.threads.handlers import StateHandler
from executor_service.threads.nested_threads import UNSAID, NestedTask, NestedThreadsHandler
from executor_service.threads.task import Response, Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.two_step import (
    SubThreadExecutionHandler,
    SubThreadPreparationHandler,
)
from executor_service.threads.written_values import (
    INPUT,
    TEXT,
    count_answer,
    filled,
    filled_prompt,
    handed,
    keep_values,
    lines_of,
    read_outputs,
    readable,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.output_type import OutputType
from heartrule.domain.threads import ThreadMessage, ThreadRole
from heartrule.model.reply.flags import read_flag

_YES_OR_NO = "只回答 YES 或 NO，不写别的。Answer with YES or NO alone."
_ENDS = " \t\r\n.。!！"


@dataclass(frozen=True, slots=True)
class WrittenPhase:
    """A phase, and the agent whose phase it is."""

    agent: WrittenAgent
    phase: AgentPhase

    def values(self, task: Task, thread: Thread) -> dict[str, JsonValue]:
        """Return what the texts of the phase may read."""
        return readable(self.agent, task, thread)


class WrittenReplyHandler(StateHandler):
    """Says the phase's text, or what the model answers to its prompt."""

    written: WrittenPhase

    async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        """Return what is said; what it yields is kept, and the next phase suggested at the last."""
        phase = self.written.phase
        values = self.written.values(task, thread)
        response = Response(filled(phase.text, values))
        if phase.asks_model:
            response = await self._answer(task, thread, agent, values)
        response.text, yielded = read_outputs(phase.output, response.text)
        keep_values(task, thread, yielded)
        if self.next_phase is not None:
            said, given = _said(task, thread, response.text), count_answer(task, thread)
            if await is_last(self.written, said, given, (task, thread, agent)):
                self._suggest_phase_update(task, thread)
        return response

    async def _answer(
        self, task: Task, thread: Thread, agent: ThreadAgent, values: Mapping[str, JsonValue]
    ) -> Response:
        """Return the model's answer; in a main thread it is told while it is written."""
        prompt = self.written.agent.prompt(self.written.phase, host_of(agent).scheme)
        system_message = filled_prompt(prompt, values)
        messages = thread.resolve(task.path, task.meta.thread_id).messages
        adapter = adapter_of(agent)
        if not (task.path.is_main and self._is_said_whole()):
            answer = await adapter.chat(messages, system_message)
            return Response(answer.choices[0].message.content)
        pieces = await adapter.chat(messages, system_message, stream=True)
        return Response("".join([piece async for piece in pieces]))

    def _is_said_whole(self) -> bool:
        return all(each.type is OutputType.TEXT for each in self.written.phase.output[:1]) and (
            len(self.written.phase.output) <= 1
        )


class WrittenPreparationHandler(SubThreadPreparationHandler):
    """Says the phase's text as a placeholder; the request holds what the agent is handed."""

    written: WrittenPhase

    def __init__(self, *, executes: AgentPhase) -> None:
        """`executes` is the phase that follows."""
        super().__init__(placeholder_text=self.written.phase.text, next_phase=executes.phase_id)
        self._executes = executes

    async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        """Return the placeholder, and add the task that opens the thread."""
        response = await super().handle(task, thread, agent)
        response.text = filled(self.written.phase.text, self.written.values(task, thread))
        return response

    def request(self, task: Task, thread: Thread, agent: ThreadAgent) -> Mapping[str, JsonValue]:
        """Return the whole request, with the inputs of the sub-thread's agent."""
        values = self.written.values(task, thread)
        inputs = handed(self._executes.input, values)
        return {**super().request(task, thread, agent), INPUT: inputs}


class WrittenExecutionHandler(SubThreadExecutionHandler):
    """Has the phase's agent work on a thread in the placeholder."""

    written: WrittenPhase

    def __init__(self, *, agent: ThreadAgent) -> None:
        """`agent` is the one that holds it: its host knows the others."""
        super().__init__(next_phase=self.written.phase.next, **_execution(self.written, agent))

    async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        """Return the result in the placeholder's place; what it yielded is kept."""
        response = await super().handle(task, thread, agent)
        keep_values(task, thread, response.values)
        return response


class WrittenNestedHandler(NestedThreadsHandler):
    """Has the phase's agent work on nested threads: one for each line of a value, or one alone."""

    written: WrittenPhase

    def __init__(self, *, agent: ThreadAgent) -> None:
        """`agent` is the one that holds it: its host knows the others."""
        super().__init__(**_execution(self.written, agent))

    def nested(self, task: Task, thread: Thread, agent: ThreadAgent) -> Sequence[NestedTask]:
        """Return what each thread is opened for."""
        del agent
        phase, values = self.written.phase, self.written.values(task, thread)
        lines = lines_of(values.get(phase.each)) if phase.each else ("",)
        return tuple(
            NestedTask(
                text=line, request={TEXT: line, INPUT: handed(phase.input, {**values, ITEM: line})}
            )
            for line in lines
        )

    async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        """Return the results together, which the phase yields."""
        response = await super().handle(task, thread, agent)
        _, yielded = read_outputs(self.written.phase.output, response.text)
        keep_values(task, thread, yielded)
        return response


def _execution(written: WrittenPhase, agent: ThreadAgent) -> dict[str, Any]:
    """Return the parts of a handler that opens threads."""
    phase, host = written.phase, host_of(agent)
    name = phase.agent or ""
    return {
        "agent_name": name,
        "make_agent": host.maker(name),
        "failure_text": phase.failure or UNSAID,
        "work": host.work if agent.metadata.depth == 0 else None,
    }


def _said(task: Task, thread: Thread, text: str) -> ThreadMessage:
    """Return an answer as the message that it will be."""
    current = thread.resolve(task.path, task.meta.thread_id)
    return ThreadMessage(
        message_id="",
        number=len(current.messages),
        role=ThreadRole.BOT,
        text=text,
        phase=current.settings.phase,
    )


async def is_last(
    written: WrittenPhase,
    answer: ThreadMessage,
    given: int,
    where: tuple[Task, Thread, ThreadAgent],
) -> bool:
    """Return whether an answer is the last of its phase, by the rule of its feedback.

    Args:
        written: The phase.
        answer: Its newest answer.
        given: How many came before that one.
        where: The task, the main thread and the agent.
    """
    feedback = written.phase.feedback
    if feedback is None or given >= feedback.most:
        return True
    if feedback.rule is FeedbackRule.ALWAYS:
        return False
    if feedback.rule is FeedbackRule.UNTIL:
        return feedback.phrase in answer.text
    return await _is_judged(feedback, answer, written.values(*where[:2]), where)


def answers_before(answer: ThreadMessage, task: Task, thread: Thread) -> int:
    """Return how many answers of a sub-thread's phase came before one."""
    messages = thread.resolve(task.path, task.meta.thread_id).messages
    return sum(
        each.role is ThreadRole.BOT
        and each.phase == answer.phase
        and each.message_id != answer.message_id
        for each in messages
    )


async def _is_judged(
    feedback: PhaseFeedback,
    answer: ThreadMessage,
    values: Mapping[str, JsonValue],
    where: tuple[Task, Thread, ThreadAgent],
) -> bool:
    """Return whether the model says yes to the question about an answer; a whole word counts."""
    task, thread, agent = where
    before = thread.resolve(task.path, task.meta.thread_id).messages
    question = replace(answer, role=ThreadRole.USER, text=filled(feedback.question, values))
    asked = (*(each for each in before if each.message_id != answer.message_id), answer, question)
    judged = await adapter_of(agent).chat(asked, _YES_OR_NO)
    return read_flag(judged.choices[0].message.content.strip(_ENDS)) is True
