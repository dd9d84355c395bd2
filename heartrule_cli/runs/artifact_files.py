"""Files of a run on this machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath

from heartrule.words.words import say
from heartrule_cli.failure import Failure
from heartrule_cli.text import clean
from session_store.records.kept_runs import KeptArtifact


def file_names(files: Iterable[KeptArtifact]) -> Mapping[tuple[str, str], str]:
    """Return a name for each file by its node and name: its own, or both where several have it."""
    listed = tuple(files)
    counts = Counter(each.name for each in listed)
    return {
        (each.path, each.name): each.name
        if counts[each.name] == 1
        else f"{each.path.replace('/', '-')}-{each.name}"
        for each in listed
    }


def write_file(folder: str, name: str, content: bytes) -> str:
    """Write a file into a folder, which is made, and return its path.

    What lies there under its name gives way. The name is a node's word: only its last part counts.

    Raises:
        Failure: It cannot be written.
    """
    path = Path(folder) / PurePath(name).name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        why = str(error.strerror or error)
        raise Failure(say("cli.unwritten", path=clean(str(path)), why=why)) from None
    return str(path)
