"""What of a sub-agent's answer the client may read: the checks of any text that a model wrote."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from executor_service.actions.outgoing.outgoing_text import OutgoingRules, checked
from executor_service.actions.outgoing.same_text import EarlierTexts
from executor_service.decisions.subagent_task import SubagentTask
from heartrule.domain.keys import SessionKey
from heartrule.safety.cards import SafetyTexts
from heartrule.safety.guard import guarded
from heartrule.safety.safety_path import is_guarded
from session_store.ports import Store

# A session that was guarded once has its results guarded: its turns are not counted here.
_ANY_TURN = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultCheck:
    """A `TextCheck`: echo and repetition, and the output guard where the session has it."""

    store: Store
    texts: Callable[[], SafetyTexts]

    async def __call__(self, key: SessionKey, task: SubagentTask, text: str) -> str:
        """Return what of a text leaves; what was said before in the snapshot does not."""
        said = tuple(each for role, each in task.messages if role == "assistant")
        heard = tuple(each for role, each in task.messages if role == "user")
        rules = OutgoingRules(earlier=EarlierTexts(client=heard, said=said))
        left = checked(text, rules, ends=False).text
        session = await self.store.get_session(key)
        if not is_guarded(session.safety, _ANY_TURN):
            return left
        texts = self.texts()
        lines = texts.messages_for(session.locale, task.language).lines
        return guarded(left, texts.guard, lines)
