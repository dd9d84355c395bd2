"""Reads the fixed texts of the crisis path; files with faults give all of them in one error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import chain
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

from heartrule.domain.safety import LEFT, SafetyLevel
from heartrule.safety.cards import (
    SLOT,
    UNKNOWN,
    Forms,
    ListedResource,
    LocaleTexts,
    SafetyTexts,
)
from heartrule.safety.data_files import DataFile, refuse_faults
from heartrule.safety.guard import GuardRules, SentenceLines
from heartrule.safety.message_files import (
    GuardFile,
    MessagesFile,
    PathFile,
    ResourcesFile,
    WrittenForms,
    WrittenStep,
)

# Phone numbers change; an older one was not looked at in the last half year.
VERIFIED_FOR = timedelta(days=180)
T = TypeVar("T")


def load_safety_texts(folder: Path) -> SafetyTexts:
    """Read `path.yaml`, `guard.yaml`, `messages/<locale>.yaml` and `resources/<region>.yaml`.

    Args:
        folder: The `safety` folder of the system files.

    Raises:
        InvalidSafetyFile: A file is absent or breaks its rules; all faults are named.
    """
    path = DataFile(folder / "path.yaml", TypeAdapter(PathFile))
    messages = list(_read_all(folder / "messages", TypeAdapter(MessagesFile)))
    regions = list(_read_all(folder / "resources", TypeAdapter(ResourcesFile)))
    if path.content is not None:
        _check_path(path, path.content, [one.path.stem for one in messages])
        for one in messages:
            if one.content is not None:
                _check_messages(one, one.content, path.content)
    guard = DataFile(folder / "guard.yaml", TypeAdapter(GuardFile))
    if guard.content is not None:
        _check_lines(guard.content.rules(()), messages)
    _check_locales(path, messages, regions)
    refuse_faults(
        chain(
            path.violations(),
            guard.violations(),
            *(file.violations() for file in messages),
            *(file.violations() for file in regions),
        )
    )
    assert path.content is not None, "a file without content has faults"
    assert guard.content is not None, "a file without content has faults"
    written, own = path.content, _regions(regions)
    return SafetyTexts(
        steps=written.steps(),
        messages={
            locale.lower(): _messages(one.path.stem, one.content, written)
            for one in messages
            if one.content is not None
            for locale in one.content.locales
        },
        regions=own,
        guard=guard.content.rules(each for region in own.values() for each in region),
        default_locale=written.locales.default,
        unknown_locale=written.locales.unknown,
    )


def outdated(resources: Iterable[ListedResource], today: date) -> tuple[str, ...]:
    """Name the resources that were verified too long ago."""
    return tuple(
        f"{next(iter(each.names.values()))} {each.number} ({each.verified_at.isoformat()})"
        for each in resources
        if today - each.verified_at > VERIFIED_FOR
    )


def _read_all(folder: Path, shape: TypeAdapter[T]) -> Iterator[DataFile[T]]:
    """Read each file of a folder; a folder without any is a fault of a file in it."""
    paths = sorted(folder.glob("*.yaml")) or [folder / "en.yaml"]
    for path in paths:
        yield DataFile(path, shape)


def _check_path(file: DataFile[PathFile], path: PathFile, locales: Sequence[str]) -> None:
    for level in set(SafetyLevel) - set(path.levels):
        file.fault(f"the level {level.name} has no steps", "levels")
    if [each.step for each in path.levels.get(SafetyLevel.NONE, ())] != [LEFT]:
        file.fault(f"must be the one step {LEFT}", "levels", "NONE")
    for i, each in enumerate(path.barriers):
        if (not each.words) != (i == len(path.barriers) - 1):
            file.fault("the last barrier alone has no words", "barriers", i, "words")
        for locale in locales:
            if locale not in each.answers:
                file.fault(f"there is no answer for {locale}", "barriers", i, "answers")


def _check_messages(file: DataFile[MessagesFile], messages: MessagesFile, path: PathFile) -> None:
    for level, steps in path.levels.items():
        written = messages.levels.get(level, {})
        for step in steps:
            forms = written.get(step.step)
            if forms is None:
                file.fault(f"{level.name}.{step.step} has no texts", "levels", level.name)
                continue
            _check_forms(file, forms, level, step)
    for level, written in messages.levels.items():
        known = {step.step for step in path.levels.get(level, ())}
        for name in set(written) - known:
            file.fault("path.yaml has no such step", "levels", level.name, name)


def _check_forms(
    file: DataFile[MessagesFile], forms: WrittenForms, level: SafetyLevel, step: WrittenStep
) -> None:
    seen: set[str] = set()
    for keys, text in forms.each():
        place = ("levels", level.name, step.step, *keys)
        if step.resources and SLOT not in text:
            file.fault(f"there is no slot {SLOT}", *place)
        if not step.resources and SLOT in text:
            file.fault(f"path.yaml gives no resources to this step: {SLOT}", *place)
        if text in seen:
            file.fault("the same wording stands here twice", *place)
        seen.add(text)


def _check_lines(rules: GuardRules, files: Iterable[DataFile[MessagesFile]]) -> None:
    """Note lines of the guard that the guard itself would take out."""
    for one in files:
        for name, line in one.content.guard if one.content else ():
            if rules.promise.search(line.casefold()) or rules.goodbye.search(line.casefold()):
                one.fault("guard.yaml takes this line out", "guard", name)


def _check_locales(
    path: DataFile[PathFile],
    messages: Sequence[DataFile[MessagesFile]],
    regions: Sequence[DataFile[ResourcesFile]],
) -> None:
    spoken = _served(messages)
    if path.content is not None and all(one.content for one in messages):
        for key, locale in path.content.locales:
            if locale.lower() not in spoken:
                path.fault(f"no messages serve {locale}", "locales", key)
    if UNKNOWN not in _served(regions):
        regions[0].fault(f"no region serves the locale {UNKNOWN!r}", "locales")
    for one in regions:
        for i, resource in enumerate(one.content.resources if one.content else ()):
            for stem in (each.path.stem for each in messages):
                if stem not in resource.name:
                    one.fault(f"there is no name for {stem}", "resources", i, "name")


def _served(
    files: Iterable[DataFile[MessagesFile]] | Iterable[DataFile[ResourcesFile]],
) -> set[str]:
    """Return the locales that files name; one named twice is a fault."""
    served: set[str] = set()
    for one in files:
        for i, locale in enumerate(one.content.locales if one.content else ()):
            if locale.lower() in served:
                one.fault("another file serves this locale", "locales", i)
            served.add(locale.lower())
    return served


def _messages(locale: str, file: MessagesFile, path: PathFile) -> LocaleTexts:
    return LocaleTexts(
        locale=locale,
        language=file.language,
        steps={
            (level, step): Forms(first=forms.first, further=forms.further, short=forms.short)
            for level, steps in file.levels.items()
            for step, forms in steps.items()
        },
        answers={each.barrier: each.answers[locale] for each in path.barriers},
        joint=file.joint,
        hours=file.hours,
        lines=SentenceLines(
            promise=file.guard.promise,
            goodbye=file.guard.goodbye,
            nothing=file.guard.nothing,
        ),
    )


def _regions(files: Iterable[DataFile[ResourcesFile]]) -> dict[str, tuple[ListedResource, ...]]:
    regions: dict[str, tuple[ListedResource, ...]] = {}
    for one in files:
        if one.content is not None:
            own = tuple(each.domain() for each in one.content.resources)
            regions.update({locale.lower(): own for locale in one.content.locales})
    return regions
