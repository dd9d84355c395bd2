"""What an agent of a thread asks a model: purpose THREAD, and any text may answer."""

from __future__ import annotations

from executor_service.threads.ports import ThreadPrompt
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import Purpose
from heartrule.model.ports import ChatMessage, ChatRequest

PROMPT_TYPE = "thread_unit"
"""What the ledger shows in place of a template's name."""
# Of what is asked, for the rehearsal model.
_SHOWN = 400


def request_of(prompt: ThreadPrompt, agent: str) -> ChatRequest:
    """Return what is asked: any text may answer, and the oldest messages give way first."""
    system = ChatMessage(role="system", content=prompt.system_message)
    said = tuple(ChatMessage(role=each.role, content=each.content) for each in prompt.messages)
    last = said[-1].content if said else ""
    card: dict[str, JsonValue] = {
        "kind": PROMPT_TYPE,
        "agent": agent,
        "system": prompt.system_message[:_SHOWN],
        "task": last[:_SHOWN],
    }
    return ChatRequest(
        purpose=Purpose.THREAD,
        messages=(system, *said),
        prompt_type=PROMPT_TYPE,
        template_hash="",
        is_free=True,
        card=card,
    )
