"""Where the services of a folder listen, told to other commands while they run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from heartrule_cli.services.folder_lock import is_taken

_NAME = "services.json"


@contextmanager
def ports_told(folder: Path, ports: Mapping[str, int]) -> Iterator[None]:
    """Keep the ports in a file of the folder for the length of the block."""
    file = folder / _NAME
    file.write_text(json.dumps(dict(ports)), encoding="utf-8")
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def ports_in(folder: Path) -> Mapping[str, int]:
    """Return the ports that services of this folder have, by name; none where none run."""
    try:
        found = json.loads((folder / _NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not is_taken(folder):  # services that were killed left their ports
        return {}
    return {name: port for name, port in found.items() if isinstance(port, int)}
