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


class OutgoingTexts(FilePart):
    """The texts of one language."""

    what_it_is: str = ""
    """What the client reads who asks what it talks with; then the message goes on."""
    already_said: str = ""
    """Tells the model that this was said."""
    just_closed: str = ""
    """Tells an opening that the action before spoke in this turn; `{said}` is what it said."""
    last_answer: str = ""
    """Tells the model that the action ends with this message."""
    ask_again: Mapping[TextFault, _Line] = field(default_factory=dict)
    """Tells the model what was wrong with its text."""
    other_words: tuple[_Line, ...] = ()
    """Ways to put a question again; `{question}` is the script's."""

    @model_validator(mode="after")
    def _have_their_places(self) -> OutgoingTexts:
        if any("{question}" not in each for each in self.other_words):
            raise ValueError("each of `other_words` holds {question}")
        return self


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
