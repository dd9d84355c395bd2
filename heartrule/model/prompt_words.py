"""The engine's own words in prompts, by language: data of `_system/config/default`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from pydantic import Field, TypeAdapter

from heartrule.chassis.config_files import FilePart, read_config
from heartrule.chassis.system_files import system_dir
from heartrule.domain.conversation import Role
from heartrule.model.template_store import BASE_LANGUAGE

FILE = "prompt_words.yaml"
_Words = Annotated[str, Field(min_length=1, max_length=300, pattern=r"^[^\n]+$")]


class Speakers(FilePart):
    """Who speaks in a dialogue."""

    client: _Words
    assistant: _Words
    counsellor: _Words
    system: _Words

    def of(self, role: Role) -> str:
        """Return what the author of a message is called."""
        return str(getattr(self, role.value))


class AdviceWords(FilePart):
    """The frame of an advice: the titles of its two parts, and its last sentence."""

    advice: _Words
    example: _Words
    closing: _Words


class MonitorWords(FilePart):
    """What a monitor's prompt and advice say beside their template."""

    ended: _Words
    goes_on: _Words
    kept: _Words
    """Of a queued action that must stay."""
    not_available: _Words
    not_readable: _Words
    not_assessed: _Words
    """The three in the place of a metric that a round does not have."""
    ai_ask: AdviceWords
    ai_say: AdviceWords
    fill_form: AdviceWords
    generic: AdviceWords


class ExitWords(FilePart):
    """Why an action ended, as its decision says it."""

    max_rounds: _Words
    flag: _Words
    flag_too: _Words
    criteria: _Words
    suggested: _Words
    understanding: _Words
    no_questions: _Words
    form: _Words


class PromptWords(FilePart):
    """The words of one language; in braces stands what the engine puts in."""

    who: _Words
    user: _Words
    weekdays: Annotated[tuple[_Words, ...], Field(min_length=7, max_length=7)]
    """From Monday."""
    comma: _Words
    semicolon: _Words
    colon: _Words
    brackets: _Words
    quotation: _Words
    options: _Words
    summary_heading: _Words
    summary_end: _Words
    summary_read: _Words
    repeated: _Words
    wrong_names: _Words
    wrong_language: _Words
    resumed: _Words
    """Told, once, where the script resumes behind a safety text."""
    confirm: _Words
    run_completed: _Words
    run_failed: _Words
    """Told, once, where a run of a workflow ended between turns."""
    understanding_at_least: _Words
    no_questions: _Words
    rounds_at_least: _Words
    least_completeness: _Words
    retry_strategy: _Words
    most_retries: _Words
    picture: _Words
    strategy_note: _Words
    step: _Words
    round_of: _Words
    known: _Words
    unknown: _Words
    colleague_saw: _Words
    understanding: _Words
    rising: _Words
    falling: _Words
    noticed: _Words
    strategy_heading: _Words
    ask_it_so: _Words
    to_choose_from: _Words
    one_record: _Words
    no_more: _Words
    may_answer: _Words
    """Read by a client that shows no buttons."""
    speakers: Speakers
    round: _Words
    left_out: _Words
    left_out_count: _Words
    exits: ExitWords
    monitor: MonitorWords

    def dialogue_starts(self) -> re.Pattern[str]:
        """Return what finds how a line of someone begins: in a dialogue, in replies, in a chat."""
        return _starts(self)


_SHAPE = TypeAdapter(PromptWords)


@lru_cache(maxsize=16)
def _starts(words: PromptWords) -> re.Pattern[str]:
    number = re.escape(words.round.replace("{round}", "0")).replace("0", r"\d+")
    names = [re.escape(words.speakers.of(role)) for role in Role]
    own = f"(?:{'|'.join((*names, number))}){re.escape(words.colon)}"
    return re.compile(rf"^(?:{own}|(?:user|assistant): )", re.MULTILINE)


def load_prompt_words(config: Path) -> Mapping[str, PromptWords]:
    """Return the words of each language that has a file.

    Args:
        config: The `config` folder of the system files.

    Raises:
        InvalidConfigFile: A file breaks its rules, or the base language has none.
    """
    base = config / "default"
    others = {path.parent.name: path for path in sorted(base.glob(f"*/{FILE}"))}
    files = {BASE_LANGUAGE: base / FILE, **others}
    return {language: read_config(path, _SHAPE) for language, path in files.items()}


def words_in(words: Mapping[str, PromptWords], language: str) -> PromptWords:
    """Return the words of a language; those of the base language where it has none."""
    return words.get(language) or words.get(BASE_LANGUAGE) or base_words()


#: For a process that speaks the base language alone.
NO_WORDS: Mapping[str, PromptWords] = MappingProxyType({})


@lru_cache(maxsize=1)
def base_words() -> PromptWords:
    """Return the words of the base language as they were installed."""
    return load_prompt_words(system_dir() / "config")[BASE_LANGUAGE]
