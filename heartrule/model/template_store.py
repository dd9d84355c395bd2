"""Templates on disk in two layers: a scheme's own file, else the default one (document 000)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from heartrule.domain.errors import InvalidRequest, NotFound
from heartrule.model.template import DEFAULT_LAYER, Template, parse_template

_NAME = re.compile(r"[A-Za-z0-9_-]+")

_Signature = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _Cached:
    signature: _Signature
    template: Template


class TemplateStore:
    """Finds templates under one root; reads a file again only when it changed."""

    def __init__(self, root: Path) -> None:
        """`root` holds `default/` and `custom/<scheme>/`."""
        self._root = root
        self._cache: dict[str, _Cached] = {}

    def __reduce__(self) -> tuple[type[TemplateStore], tuple[Path]]:
        """Pickle where the templates are; whoever loads that reads them anew."""
        return TemplateStore, (self._root,)

    def get(self, name: str, scheme: str = "") -> Template:
        """Return the template of that name for a scheme.

        The scheme's file wins; without one the default file answers, and `layer` names it.

        Raises:
            InvalidRequest: A name is not made of letters, digits, `_` and `-`.
            NotFound: Neither layer has the file.
            InvalidTemplate: The file breaks the rules.
        """
        _check(name, what="template")
        if scheme:
            _check(scheme, what="template_scheme")
            custom = self._read(f"custom/{scheme}", name)
            if custom is not None:
                return custom
        found = self._read(DEFAULT_LAYER, name)
        if found is None:
            raise NotFound("template", name)
        return found

    def has_scheme(self, scheme: str) -> bool:
        """Return whether the scheme has a folder; a name out of form has none."""
        return _NAME.fullmatch(scheme) is not None and (self._root / "custom" / scheme).is_dir()

    def schemes(self) -> tuple[str, ...]:
        """List the scheme folders, sorted."""
        custom = self._root / "custom"
        if not custom.is_dir():
            return ()
        return tuple(sorted(p.name for p in custom.iterdir() if self.has_scheme(p.name)))

    def _read(self, layer: str, name: str) -> Template | None:
        place = f"{layer}/{name}_v1.md"
        try:
            stat = (self._root / place).stat()
        except FileNotFoundError:
            self._cache.pop(place, None)
            return None
        signature = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        cached = self._cache.get(place)
        if cached is None or cached.signature != signature:
            text = (self._root / place).read_text(encoding="utf-8")
            template = parse_template(text, source=place, layer=layer)
            cached = _Cached(signature, template)
            self._cache[place] = cached
        return cached.template


def _check(name: str, *, what: str) -> None:
    if _NAME.fullmatch(name) is None:
        raise InvalidRequest(
            f"{what} {name!r} may hold only letters, digits, _ and -",
            reason="INVALID_NAME",
            metadata={"field": what},
        )
