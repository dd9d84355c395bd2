"""Templates on disk in two layers: a scheme's own file, else the default one (document 000).

A layer is Chinese; its files of another language are in a folder of that language below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from heartrule.chassis.plain_yaml import InvalidSettingsFile
from heartrule.domain.errors import InvalidRequest, NotFound
from heartrule.model.template import (
    DEFAULT_LAYER,
    InvalidTemplate,
    Template,
    invalid_template,
    parse_template,
)

#: The language of a layer's own files.
BASE_LANGUAGE = "zh"
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_SUFFIX = "_v1.md"

_Signature = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _Cached:
    signature: _Signature
    template: Template | InvalidTemplate


class TemplateStore:
    """Finds templates under one root; reads a file again only when it changed."""

    def __init__(self, root: Path) -> None:
        """`root` holds `default/` and `custom/<scheme>/`."""
        self._root = root
        self._cache: dict[str, _Cached] = {}

    def __reduce__(self) -> tuple[type[TemplateStore], tuple[Path]]:
        """Pickle where the templates are; whoever loads that reads them anew."""
        return TemplateStore, (self._root,)

    def get(self, name: str, scheme: str = "", language: str = "") -> Template:
        """Return the template of that name for a scheme and a language.

        The scheme's file wins, and in each layer that of the language; `layer` names what answers.
        A file that breaks the rules is passed over, and `instead_of` names it.

        Raises:
            InvalidRequest: A name is not made of letters, digits, `_` and `-`.
            NotFound: No layer has the file.
            InvalidTemplate: The last file that could answer breaks the rules.
        """
        _check(name, what="template")
        broken: InvalidTemplate | None = None
        for layer in layers(scheme, language):
            found = self._read(layer, name)
            if isinstance(found, InvalidTemplate):
                broken = broken or found
            elif found is not None:
                return found if broken is None else replace(found, instead_of=broken.source)
        if broken is not None:
            raise broken.with_traceback(None)
        raise NotFound("template", name)

    def broken(self) -> tuple[InvalidTemplate, ...]:
        """Return what is wrong with each file that breaks the rules, in the order of the files."""
        files = sorted(self._root.rglob(f"*{_SUFFIX}"))
        layers = ((path.parent.relative_to(self._root).as_posix(), path.name) for path in files)
        read = (self._read(layer, name.removesuffix(_SUFFIX)) for layer, name in layers)
        return tuple(found for found in read if isinstance(found, InvalidTemplate))

    def has_scheme(self, scheme: str) -> bool:
        """Return whether the scheme has a folder; a name out of form has none."""
        return _NAME.fullmatch(scheme) is not None and (self._root / "custom" / scheme).is_dir()

    def schemes(self) -> tuple[str, ...]:
        """List the scheme folders, sorted."""
        custom = self._root / "custom"
        if not custom.is_dir():
            return ()
        return tuple(sorted(p.name for p in custom.iterdir() if self.has_scheme(p.name)))

    def _read(self, layer: str, name: str) -> Template | InvalidTemplate | None:
        place = f"{layer}/{name}{_SUFFIX}"
        try:
            stat = (self._root / place).stat()
        except FileNotFoundError:
            self._cache.pop(place, None)
            return None
        signature = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        cached = self._cache.get(place)
        if cached is None or cached.signature != signature:
            cached = _Cached(signature, _parsed(self._root / place, source=place, layer=layer))
            self._cache[place] = cached
        return cached.template


def _parsed(path: Path, *, source: str, layer: str) -> Template | InvalidTemplate:
    try:
        return parse_template(path.read_text(encoding="utf-8"), source=source, layer=layer)
    except InvalidTemplate as error:
        return error
    except UnicodeDecodeError:
        return invalid_template(source, 1, "the file is not UTF-8")
    except InvalidSettingsFile as error:
        told, violations = error.message, error.violations
        return InvalidTemplate(
            told, reason="INVALID_TEMPLATE", metadata={"file": source}, violations=violations
        )


def layers(scheme: str, language: str) -> Iterator[str]:
    """Yield the layers that may answer, the nearest first."""
    for what, name in (("template_scheme", scheme), ("language", language)):
        if name:
            _check(name, what=what)
    for layer in (f"custom/{scheme}", DEFAULT_LAYER) if scheme else (DEFAULT_LAYER,):
        if language not in {"", BASE_LANGUAGE}:
            yield f"{layer}/{language}"
        yield layer


def _check(name: str, *, what: str) -> None:
    if _NAME.fullmatch(name) is None:
        raise InvalidRequest(
            f"{what} {name!r} may hold only letters, digits, _ and -",
            reason="INVALID_NAME",
            metadata={"field": what},
        )
