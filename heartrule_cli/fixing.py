"""Puts right in script files what findings say can be put right without their author."""

from __future__ import annotations

import codecs
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from executor_service.scripts.model.findings import Located
from executor_service.scripts.model.repairs import FindingRepair, repaired
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.scripts import count_text
from heartrule_cli.text import clean

_Counts = Counter[tuple[str, str, str]]
_SUFFIX = ".fixing"


def fixed(paths: Iterable[Path], find: Callable[[Path], Iterable[Located]]) -> Iterator[str]:
    """FindingRepair each script, and what it uses; yield a line for each name with its count.

    Args:
        paths: The scripts.
        find: Returns what is found in one of them, in the files that their author knows.

    Raises:
        Failure: A file cannot be written.
    """
    counts: _Counts = Counter()
    for path in paths:
        while any(_repair(file, repairs, counts) for file, repairs in _by_file(find(path)).items()):
            pass  # a repair may have waited for another, or stood behind the last that is listed
    for (file, was, now), count in counts.items():
        change = f"`{was}` is now `{now}`" if now else f"`{was}` is taken out, as it stood twice"
        yield clean(f"{file}: {change} ({count_text(count, 'time')})")


def _by_file(found: Iterable[Located]) -> dict[str, list[FindingRepair]]:
    repairs: dict[str, list[FindingRepair]] = {}
    for each in found:
        if each.repair is not None:
            repairs.setdefault(each.file, []).append(each.repair)
    return repairs


def _repair(file: str, repairs: Iterable[FindingRepair], counts: _Counts) -> bool:
    """Write a file anew with its repairs; False where none could be made."""
    path = Path(file).resolve()
    data = path.read_bytes()
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    text, made = repaired(data.decode("utf-8-sig"), repairs)
    if made:
        _write(path, mark + text.encode())
    counts.update((file, each.was, each.now) for each in made)
    return bool(made)


def _write(path: Path, data: bytes) -> None:
    """Replace a file as a whole: one that is cut short would be lost."""
    beside = path.with_name(path.name + _SUFFIX)
    try:
        beside.write_bytes(data)
        shutil.copymode(path, beside)
        Path(beside).replace(path)
    except OSError as error:
        raise Failure(clean(f"{path}: {error.strerror or error}"), code=WRONG) from None
