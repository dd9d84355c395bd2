"""The engine's own words in prompts, by language: data of `_system/config/default`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from pydantic import Field, TypeAdapter

from heartrule.chassis.config_files import FilePart, read_config
from heartrule.chassis.system_files import system_dir
from heartrule.model.template_store import BASE_LANGUAGE

FILE = "prompt_words.yaml"
_Words = Annotated[str, Field(min_length=1, max_length=300, pattern=r"^[^\n]+$")]


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
    options: _Words
    summary_heading: _Words
    summary_end: _Words
    summary_read: _Words
    repeated: _Words
    wrong_names: _Words
    confirm: _Words
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


_SHAPE = TypeAdapter(PromptWords)


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


#: For a process that speaks the base language alone.
NO_WORDS: Mapping[str, PromptWords] = MappingProxyType({})


@lru_cache(maxsize=1)
def base_words() -> PromptWords:
    """Return the words of the base language as they were installed."""
    return load_prompt_words(system_dir() / "config")[BASE_LANGUAGE]
