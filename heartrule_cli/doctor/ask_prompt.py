"""The real prompt of a question, with which it is tried whether a model keeps JSON."""

from __future__ import annotations

from collections.abc import Mapping

from executor_service.installation import read_installation
from executor_service.scripts.model.findings import Located
from heartrule.model.ports import ChatRequest
from heartrule_cli.prompts.recorded_states import load_states, shipped_states
from heartrule_cli.rehearsal.play import Play
from heartrule_cli.scripts import system_folder

_TEMPLATE = "ai_ask"


async def ask_request(environ: Mapping[str, str]) -> ChatRequest | None:
    """Return the first question of a recorded conversation that ships, as a model is sent it.

    None where this installation ships none.
    """
    installation = read_installation(system_folder(environ))
    problems: list[Located] = []
    for state in load_states(shipped_states(), installation, problems):
        play = Play(state.conversation, installation)
        await play.harness.create_session(state.script)
        try:
            for turn in state.conversation.turns:
                await play.turn(turn)
                for request in play.model.requests:
                    if request.prompt_type.startswith(_TEMPLATE) and request.reply_fields:
                        return request
        finally:
            await play.harness.aclose()
    return None
