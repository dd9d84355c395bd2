"""The interaction units that the phases of an agent in YAML stand for."""

from __future__ import annotations

from executor_service.threads.handlers import StateHandler
from executor_service.threads.task import Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.units import Requester, Responsor, Starter
from executor_service.threads.written_handlers import WrittenPhase, answers_before, is_last
from executor_service.threads.written_values import filled
from heartrule.domain.threads import ThreadMessage, ThreadRole


class WrittenResponsor(Responsor):
    """Answers an answer with the phase's feedback, until its rule says it is the last."""

    def __init__(
        self, *, state_handler: StateHandler, written: WrittenPhase, next_phase: str | None
    ) -> None:
        """Hold the handler of the phase."""
        super().__init__(state_handler=state_handler, next_phase=next_phase)
        self._written = written
        self._last = ""

    async def analyse_bot_message(
        self, bot_message: ThreadMessage, task: Task, thread: Thread, agent: ThreadAgent
    ) -> bool:
        """Return whether it is the last answer of the phase."""
        given = answers_before(bot_message, task, thread)
        found = await is_last(self._written, bot_message, given, (task, thread, agent))
        self._last = bot_message.message_id if found else ""
        return found

    async def generate_user_message(
        self, bot_message: ThreadMessage | None, task: Task, thread: Thread, agent: ThreadAgent
    ) -> str:
        """Return the feedback to an answer; nothing to the last one, unless the phase has words."""
        del agent
        feedback = self._written.phase.feedback
        if bot_message is None or feedback is None:
            return ""
        text = feedback.then if bot_message.message_id == self._last else feedback.text
        return filled(text, self._written.values(task, thread))


class WrittenStarter(Starter):
    """Asks with the phase's opening."""

    def __init__(
        self, *, responsor: WrittenResponsor, written: WrittenPhase, next_phase: str | None
    ) -> None:
        """Hold the responsor of the phase."""
        super().__init__(responsor=responsor, next_phase=next_phase)
        self._written = written

    async def generate_user_message(
        self, bot_message: ThreadMessage | None, task: Task, thread: Thread, agent: ThreadAgent
    ) -> str:
        """Return the opening."""
        del bot_message, agent
        return filled(self._written.phase.opening, self._written.values(task, thread))


class WrittenRequester(Requester):
    """Asks with the phase's opening, once."""

    def __init__(
        self, *, state_handler: StateHandler, written: WrittenPhase, next_phase: str | None
    ) -> None:
        """Hold the handler of the phase."""
        super().__init__(state_handler=state_handler, next_phase=next_phase)
        self._written = written

    async def generate_user_message(
        self, bot_message: ThreadMessage | None, task: Task, thread: Thread, agent: ThreadAgent
    ) -> str:
        """Return the opening; nothing where it was said, and nested threads came after it."""
        del bot_message, agent
        current = thread.resolve(task.path, task.meta.thread_id)
        asked = any(
            each.role is ThreadRole.USER and each.phase == current.settings.phase
            for each in current.messages
        )
        return (
            "" if asked else filled(self._written.phase.opening, self._written.values(task, thread))
        )
