"""The engine's own words about a text that may not leave, by language: data of the system files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, model_validator

from executor_service.actions.outgoing.text_fault import TextFault
from heartrule.chassis.config_files import FilePart, read_config

FILE = "outgoing_texts.yaml"

_Line = Annotated[str, Field(min_length=1, max_length=500, pattern=r"^[^\n]+$")]


# What each line of a list holds.
_PLACES = {"other_words": "{question}", "told_again": "{text}", "confirmations": "{known}"}


class OutgoingTexts(FilePart):
    """The texts of one language."""

    what_it_is: str = ""
    """What the client reads who asks what it talks with; then the message goes on."""
    already_said: str = ""
    """Tells the model that this was said."""
    just_closed: str = ""
    """Tells an opening that the action before spoke in this turn."""
    last_answer: str = ""
    """Tells the model that the action ends with this message."""
    ask_again: Mapping[TextFault, _Line] = field(default_factory=dict)
    """Tells the model what was wrong with its text."""
    other_words: tuple[_Line, ...] = ()
    """Ways to put a question again; `{question}` is the script's."""
    told_again: tuple[_Line, ...] = ()
    """Ways to tell something again; `{text}` is the script's."""
    reasks: tuple[_Line, ...] = ()
    """Said where a reply could not be read and there is nothing of the script's to say."""
    closings: tuple[_Line, ...] = ()
    """Said at an action's end where the template's closing line was said before."""
    confirmations: tuple[_Line, ...] = ()
    """Ways to say that an answer was heard before its question; `{known}` is the answer."""

    @model_validator(mode="after")
    def _have_their_places(self) -> OutgoingTexts:
        for name, place in _PLACES.items():
            if any(place not in each for each in getattr(self, name)):
                raise ValueError(f"each of `{name}` holds {place}")
        return self

    def asked_again(self, question: str) -> list[str]:
        """Return every way to put a question; the question itself where there is none."""
        return [way.replace("{question}", question) for way in self.other_words] or [question]

    def said_again(self, text: str) -> list[str]:
        """Return every way to tell something; the text itself where there is none."""
        return [way.replace("{text}", text) for way in self.told_again] or [text]


NO_OUTGOING_TEXTS = OutgoingTexts()
_SHAPE: TypeAdapter[Mapping[str, OutgoingTexts]] = TypeAdapter(Mapping[str, OutgoingTexts])


@dataclass(frozen=True, slots=True)
class OutgoingTable:
    """The texts of every language; the first answers for those it does not have."""

    languages: Mapping[str, OutgoingTexts] = field(default_factory=dict)

    def of(self, language: str) -> OutgoingTexts:
        """Return the texts of a language."""
        first = next(iter(self.languages.values()), NO_OUTGOING_TEXTS)
        return self.languages.get(language.partition("-")[0], first)


#: For a process without the file: checks hold, and nothing is said besides.
NO_TABLE = OutgoingTable()


def load_outgoing_texts(folder: Path) -> OutgoingTable:
    """Read `outgoing_texts.yaml` of the `config` folder.

    Raises:
        InvalidConfigFile: The file breaks its rules.
    """
    return OutgoingTable(read_config(folder / FILE, _SHAPE, absent={}))
