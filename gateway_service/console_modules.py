"""The console's own modules as one: a browser asks once for what is written in sixty files.

Nothing is compiled: each module becomes a function that returns what it exports, in the order in
which they need each other. Vendored modules, and what is imported when it is needed, stay apart.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

_IMPORT = re.compile(r"^import \{([^}]*)\} from '([^']+)';$", re.MULTILINE)
_LATER = re.compile(r"\bimport\('([^']+)'\)")
_DECLARED = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
_LISTED = re.compile(r"^export \{([^}]*)\};$", re.MULTILINE)
_OWN = "app/"


def joined(folder: Path, first: str = "app/main.js") -> str:
    """Return one module that does what `first` and all that it imports do.

    Raises:
        ValueError: Two modules import each other, or a statement is of no form that is known.
    """
    joining = _Joining(folder)
    joining.add(first, ())
    vendored = [
        f"import * as {name} from './{path}';" for path, name in joining.names.items()
        if not path.startswith(_OWN)
    ]  # fmt: skip
    return "\n".join([*vendored, *joining.written, ""])


@dataclass(slots=True)
class _Joining:
    """The modules met so far: the name of each, and the text of our own."""

    folder: Path
    names: dict[str, str] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)

    def add(self, path: str, importers: tuple[str, ...]) -> None:
        """Write a module behind those that it imports, unless it is written already."""
        if path in importers:
            raise ValueError(f"modules import each other: {' → '.join((*importers, path))}")
        if path in self.names:
            return
        if path.startswith(_OWN):
            text = (self.folder / path).read_text("utf-8")
            for found in _IMPORT.finditer(text):
                self.add(_place(path, found[2]), (*importers, path))
            text = _function_of(path, text, self.names)
            self.written.append(f"const m{len(self.names)} = {text};")
        self.names[path] = f"m{len(self.names)}"


def _function_of(path: str, text: str, names: Mapping[str, str]) -> str:
    exported = [found[1] for found in _DECLARED.finditer(text)]
    exported += [name for found in _LISTED.finditer(text) for name in _items(found[1])]
    body = _IMPORT.sub(
        lambda found: f"const {{ {_taken(found[1])} }} = {names[_place(path, found[2])]};", text
    )
    body = _LISTED.sub("", _DECLARED.sub("", body))
    body = _LATER.sub(lambda found: f"import('./{_place(path, found[1])}')", body)
    if left := re.search(r"^(?:import|export)\b.*", body, re.MULTILINE):
        raise ValueError(f"{path}: this form is not known: {left[0]}")
    return f"(() => {{ // {path}\n{body}\nreturn {{ {', '.join(exported)} }};\n}})()"


def _place(path: str, named: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), named))


def _items(listed: str) -> Iterator[str]:
    return (item.strip() for item in listed.split(",") if item.strip())


def _taken(listed: str) -> str:
    return ", ".join(item.replace(" as ", ": ") for item in _items(listed))
