"""Reads the fixed texts of the crisis path; files with faults give all of them in one error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel

from executor_service.safety.cards import (
    SLOT,
    UNKNOWN,
    Forms,
    ListedResource,
    LocaleTexts,
    SafetyTexts,
)
from executor_service.safety.guard import GuardRules, SentenceLines
from executor_service.safety.located_file import LocatedFile
from executor_service.safety.message_files import (
    GuardFile,
    MessagesFile,
    PathFile,
    ResourcesFile,
    WrittenForms,
    WrittenStep,
)
from executor_service.safety.safety_files import INVALID
from heartrule.domain.errors import FieldViolation
from heartrule.domain.safety import LEFT, SafetyLevel

# Phone numbers change; an older one was not looked at in the last half year.
VERIFIED_FOR = timedelta(days=180)
T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read(Generic[T]):
    """A file and what it holds; None where it has faults."""

    file: LocatedFile
    content: T | None
    stem: str


def load_safety_texts(folder: Path) -> SafetyTexts:
    """Read `path.yaml`, `guard.yaml`, `messages/<locale>.yaml` and `resources/<region>.yaml`.

    Args:
        folder: The `safety` folder of the system files.

    Raises:
        InvalidSafetyFile: A file is absent or breaks its rules; all faults are named.
    """
    path = _read(folder / "path.yaml", PathFile, name="path.yaml")
    messages = list(_read_all(folder / "messages", MessagesFile))
    regions = list(_read_all(folder / "resources", ResourcesFile))
    if path.content is not None:
        _check_path(path.file, path.content, [one.stem for one in messages])
        for one in messages:
            if one.content is not None:
                _check_messages(one.file, one.content, path.content)
    guard = _read(folder / "guard.yaml", GuardFile, name="guard.yaml")
    if guard.content is not None:
        _check_lines(guard.content.rules(()), messages)
    _check_locales(path, messages, regions)
    refuse_faults([path.file, guard.file, *(m.file for m in messages), *(r.file for r in regions)])
    assert path.content is not None, "a file without content has faults"
    assert guard.content is not None, "a file without content has faults"
    written, own = path.content, _regions(regions)
    return SafetyTexts(
        steps=written.steps(),
        messages={
            locale.lower(): _messages(one.stem, one.content, written)
            for one in messages
            if one.content is not None
            for locale in one.content.locales
        },
        regions=own,
        guard=guard.content.rules(each for region in own.values() for each in region),
        resumed=written.resumed,
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


def refuse_faults(files: Iterable[LocatedFile]) -> None:
    """Raise InvalidSafetyFile with the faults of all files, if there are any."""
    found = [one for file in files for one in file.findings.sorted() if one.is_error]
    if not found:
        return
    raise INVALID(
        "; ".join(map(str, found)),
        violations=[FieldViolation(field=one.where, description=one.message) for one in found],
    )


def _read(path: Path, model: type[T], *, name: str) -> _Read[T]:
    file = LocatedFile(path, name=name)
    return _Read(file=file, content=file.parsed(model), stem=path.stem)


def _read_all(folder: Path, model: type[T]) -> Iterator[_Read[T]]:
    """Read each file of a folder; a folder without any is a fault of a file in it."""
    paths = sorted(folder.glob("*.yaml")) or [folder / "en.yaml"]
    for path in paths:
        yield _read(path, model, name=f"{folder.name}/{path.name}")


def _check_path(file: LocatedFile, path: PathFile, locales: Sequence[str]) -> None:
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


def _check_messages(file: LocatedFile, messages: MessagesFile, path: PathFile) -> None:
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
    file: LocatedFile, forms: WrittenForms, level: SafetyLevel, step: WrittenStep
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


def _check_lines(rules: GuardRules, files: Iterable[_Read[MessagesFile]]) -> None:
    """Note lines of the guard that the guard itself would take out."""
    for one in files:
        for name, line in one.content.guard if one.content else ():
            if rules.promise.search(line.casefold()) or rules.goodbye.search(line.casefold()):
                one.file.fault("guard.yaml takes this line out", "guard", name)


def _check_locales(
    path: _Read[PathFile],
    messages: Sequence[_Read[MessagesFile]],
    regions: Sequence[_Read[ResourcesFile]],
) -> None:
    spoken = _served(messages)
    if path.content is not None and all(one.content for one in messages):
        for key, locale in path.content.locales:
            if locale.lower() not in spoken:
                path.file.fault(f"no messages serve {locale}", "locales", key)
    if UNKNOWN not in _served(regions):
        regions[0].file.fault(f"no region serves the locale {UNKNOWN!r}", "locales")
    for one in regions:
        for i, resource in enumerate(one.content.resources if one.content else ()):
            for stem in (each.stem for each in messages):
                if stem not in resource.name:
                    one.file.fault(f"there is no name for {stem}", "resources", i, "name")


def _served(files: Iterable[_Read[MessagesFile]] | Iterable[_Read[ResourcesFile]]) -> set[str]:
    """Return the locales that files name; one named twice is a fault."""
    served: set[str] = set()
    for one in files:
        for i, locale in enumerate(one.content.locales if one.content else ()):
            if locale.lower() in served:
                one.file.fault("another file serves this locale", "locales", i)
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


def _regions(files: Iterable[_Read[ResourcesFile]]) -> dict[str, tuple[ListedResource, ...]]:
    regions: dict[str, tuple[ListedResource, ...]] = {}
    for one in files:
        if one.content is not None:
            own = tuple(each.domain() for each in one.content.resources)
            regions.update({locale.lower(): own for locale in one.content.locales})
    return regions
