"""The files of the crisis path's texts, as they are written: messages, resources, the path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Annotated

from pydantic import Field

from heartrule.chassis.config_files import FilePart, by_name
from heartrule.domain.safety import ResourceKind, SafetyLevel
from heartrule.safety.cards import ListedResource
from heartrule.safety.guard import GuardRules, known_links, known_numbers
from heartrule.safety.safety_path import Asks, Barrier, PathStep, Steps

_FURTHER = 3
_Text = Annotated[str, Field(min_length=1, max_length=2000)]
_Locales = Annotated[tuple[str, ...], Field(min_length=1)]


_Kind = Annotated[ResourceKind, by_name(ResourceKind)]
_Level = Annotated[SafetyLevel, by_name(SafetyLevel)]


class WrittenForms(FilePart):
    """The wordings of one step."""

    first: _Text
    further: Annotated[tuple[_Text, ...], Field(min_length=_FURTHER, max_length=_FURTHER)]
    short: _Text

    def each(self) -> Iterator[tuple[tuple[int | str, ...], str]]:
        """Yield every wording with its keys."""
        yield ("first",), self.first
        yield from ((("further", i), each) for i, each in enumerate(self.further))
        yield ("short",), self.short


class GuardLines(FilePart):
    """What stands in the place of a sentence of a model."""

    promise: _Text
    goodbye: _Text
    nothing: _Text


class MessagesFile(FilePart):
    """`messages/<locale>.yaml`."""

    version: str
    reviewed: str
    locales: _Locales
    language: str
    joint: str
    hours: str
    guard: GuardLines
    levels: dict[_Level, dict[str, WrittenForms]]


class WrittenResource(FilePart):
    """A place to turn to."""

    name: Annotated[dict[str, _Text], Field(min_length=1)]
    kind: _Kind
    number: str
    hours: str
    languages: tuple[str, ...]
    source: _Text
    verified_at: date
    emergency: bool = False

    def domain(self) -> ListedResource:
        """Return it as the cards show it."""
        return ListedResource(
            names=self.name,
            kind=self.kind,
            number=self.number,
            hours=self.hours,
            languages=self.languages,
            source=self.source,
            verified_at=self.verified_at,
            emergency=self.emergency,
        )


class ResourcesFile(FilePart):
    """`resources/<region>.yaml`."""

    version: str
    reviewed: str
    locales: _Locales
    resources: Annotated[tuple[WrittenResource, ...], Field(min_length=1)]


class WrittenStep(FilePart):
    """A step of a level."""

    step: Annotated[str, Field(pattern=r"^[a-z_]+$")]
    asks: Asks = Asks.NOTHING
    resources: bool = False


class WrittenBarrier(FilePart):
    """A barrier, its words, and its answer in each locale."""

    barrier: Annotated[str, Field(pattern=r"^[a-z_]+$")]
    words: tuple[_Text, ...]
    answers: dict[str, _Text]


class DefaultLocales(FilePart):
    """Whose messages a session gets that has no texts of its own."""

    default: str
    unknown: str


class PathFile(FilePart):
    """`path.yaml`."""

    version: str
    reviewed: str
    locales: DefaultLocales
    levels: dict[_Level, Annotated[tuple[WrittenStep, ...], Field(min_length=1)]]
    barriers: Annotated[tuple[WrittenBarrier, ...], Field(min_length=1)]

    def steps(self) -> Steps:
        """Return the path without its texts."""
        return Steps(
            levels={
                level: tuple(
                    PathStep(step=each.step, asks=each.asks, resources=each.resources)
                    for each in steps
                )
                for level, steps in self.levels.items()
            },
            barriers=tuple(
                Barrier(barrier=each.barrier, words=tuple(word.casefold() for word in each.words))
                for each in self.barriers
            ),
        )


class GuardFile(FilePart):
    """`guard.yaml`."""

    version: str
    reviewed: str
    promises: Annotated[tuple[_Text, ...], Field(min_length=1)]
    goodbyes: Annotated[tuple[_Text, ...], Field(min_length=1)]
    contacts: Annotated[tuple[_Text, ...], Field(min_length=1)]

    def rules(self, resources: Iterable[ListedResource]) -> GuardRules:
        """Return what is taken out of a text; the numbers and links of `resources` may stay."""
        own = [each for each in resources if each.number]
        dialled = (ResourceKind.PHONE, ResourceKind.TEXT)
        return GuardRules(
            promises=self.promises,
            goodbyes=self.goodbyes,
            contacts=self.contacts,
            numbers=known_numbers(each.number for each in own if each.kind in dialled),
            links=known_links(each.number for each in own if each.kind not in dialled),
        )
