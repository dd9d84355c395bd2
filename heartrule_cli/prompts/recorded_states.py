"""Recorded states: written conversations in which every answer stands, so that prompts compare.

The executor as it is plays them, and each request to a model is kept as the prompt it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from executor_service.installation import Installation
from executor_service.scripts.model.findings import Located
from heartrule.chassis.system_files import system_dir
from heartrule.model.ports import ChatRequest
from heartrule.words.words import Words, say
from heartrule_cli.prompts.prompt_sources import TracedTemplates
from heartrule_cli.prompts.rendered_prompt import RenderedPrompt, rendered_prompt
from heartrule_cli.rehearsal.differences import missing_answers, unexpected_failures
from heartrule_cli.rehearsal.doubles import PlayedModel
from heartrule_cli.rehearsal.files import load_conversation, load_tested_script
from heartrule_cli.rehearsal.harness import ScriptUnderTest
from heartrule_cli.rehearsal.outcome import Played
from heartrule_cli.rehearsal.play import Play
from heartrule_cli.rehearsal.written_conversation import WrittenConversation

FOLDER = "recorded_states"
_SUFFIX = ".conversation"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedState:
    """A script, and the conversation that leads to its prompts."""

    script: ScriptUnderTest
    conversation: WrittenConversation

    @property
    def name(self) -> str:
        """The conversation's file, without folder and endings."""
        return Path(self.conversation.file).stem.removesuffix(_SUFFIX)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedState:
    """The prompts of a recorded state, in order."""

    prompts: tuple[RenderedPrompt, ...]
    troubles: tuple[Words, ...] = ()
    """Why it was not played to its end; empty: it was."""


def shipped_states() -> tuple[tuple[Path, Path], ...]:
    """Return script and conversation of each recorded state that ships."""
    found = sorted((system_dir() / FOLDER).glob(f"*{_SUFFIX}.yaml"))
    return tuple((path.with_name(path.name.replace(_SUFFIX, "")), path) for path in found)


def load_states(
    files: Iterable[tuple[Path, Path]], installation: Installation, problems: list[Located]
) -> tuple[RecordedState, ...]:
    """Return the states of those files; `problems` gets what is wrong with a file."""
    states = []
    for script_file, conversation_file in files:
        script = load_tested_script(script_file, installation, problems)
        conversation = load_conversation(conversation_file, problems)
        if script is not None and conversation is not None:
            states.append(RecordedState(script=script, conversation=conversation))
    return tuple(states)


async def render(state: RecordedState, installation: Installation) -> RenderedState:
    """Play a state up to its first turn that fails or lacks an answer, and return its prompts.

    Args:
        state: What is played; what it expects of its turns is not compared.
        installation: With `TracedTemplates`.

    Raises:
        InvalidRequest: The imported state the session begins with has another shape.
        TimeoutError: A turn did not come to its end.
    """
    play = Play(state.conversation, installation)
    prompts: list[RenderedPrompt] = []
    troubles: list[Words] = []
    await play.harness.create_session(state.script)
    try:
        for turn in state.conversation.turns:
            before = [len(model.requests) for model in _models(play)]
            played = await play.turn(turn)
            for model, first in zip(_models(play), before, strict=True):
                prompts += _prompts(model.requests[first:], state, played.number, installation)
            troubles = list(_troubles(play, played))
            if troubles:
                break
    finally:
        await play.harness.aclose()
    return RenderedState(prompts=tuple(prompts), troubles=tuple(troubles))


def _models(play: Play) -> Sequence[PlayedModel]:
    return (play.model,) if play.judge is None else (play.model, play.judge)


def _prompts(
    requests: Iterable[ChatRequest], state: RecordedState, turn: int, installation: Installation
) -> Iterator[RenderedPrompt]:
    templates = installation.templates
    assert isinstance(templates, TracedTemplates)
    for each in requests:
        template = templates.used[each.template_hash]
        yield rendered_prompt(each, template, state=state.name, turn=turn)


def _troubles(play: Play, played: Played) -> Iterator[Words]:
    """Yield why a turn was not played as it was recorded."""
    found = [each for model in _models(play) for each in missing_answers(played, model)]
    for each in found or unexpected_failures(played):
        turn = say("cli.rehearse.turn", number=played.number)
        file = play.harness.beginning.file
        yield say("cli.prompt.trouble", file=file, turn=turn, what=each.message)
