"""The interaction units that the phases of an agent in YAML stand for.

Each phase makes a class of its own of them, which has the phase as `written`.
"""

from __future__ import annotations

from executor_service.threads.task import Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.units import Requester, Responsor, Starter
from executor_service.threads.written_handlers import WrittenPhase, answers_before, is_last
from executor_service.threads.written_values import filled
from heartrule.domain.threads import ThreadMessage, ThreadRole


class WrittenResponsor(Responsor):
    """Answers an answer with the phase's feedback, until its rule says it is the last."""

    written: WrittenPhase
    _last = ""

    async def analyse_bot_message(
        self, bot_message: ThreadMessage, task: Task, thread: Thread, agent: ThreadAgent
    ) -> bool:
        """Return whether it is the last answer of the phase."""
        given = answers_before(bot_message, task, thread)
        found = await is_last(self.written, bot_message, given, (task, thread, agent))
        self._last = bot_message.message_id if found else ""
        return found

    async def generate_user_message(
        self, bot_message: ThreadMessage | None, task: Task, thread: Thread, agent: ThreadAgent
    ) -> str:
        """Return the feedback to an answer; nothing to the last one, unless the phase has words."""
        del agent
        feedback = self.written.phase.feedback
        if bot_message is None or feedback is None:
            return ""
        text = feedback.then if bot_message.message_id == self._last else feedback.text
        return filled(text, self.written.values(task, thread))


class WrittenStarter(Starter):
    """Asks with the phase's opening."""

    written: WrittenPhase

    async def generate_user_message(
        self, bot_message: ThreadMessage | None, task: Task, thread: Thread, agent: ThreadAgent
    ) -> str:
        """Return the opening."""
        del bot_message, agent
        return filled(self.written.phase.opening, self.written.values(task, thread))


class WrittenRequester(Requester):
    """Asks with the phase's opening, once."""

    written: WrittenPhase

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
            "" if asked else filled(self.written.phase.opening, self.written.values(task, thread))
        )
