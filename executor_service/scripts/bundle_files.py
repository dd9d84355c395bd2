"""Adapter: collects a script and what lies beside it from a disk."""

from __future__ import annotations

from pathlib import Path

from executor_service.scripts.bundle import GLOBALS_FILE, MAX_BUNDLE_BYTES, Bundle, make_bundle
from heartrule.domain.errors import InvalidRequest, NotFound


def read_bundle(path: Path | str) -> Bundle:
    """Return the bundle of the script at `path`: the file, and the global.yaml beside it.

    Raises:
        NotFound: There is no such file.
        InvalidRequest: It is not a readable file, or the bundle is too large.
    """
    script = Path(path)
    files = {script.name: _read(script)}
    beside = script.with_name(GLOBALS_FILE)
    if beside.name not in files and beside.is_file():
        files[beside.name] = _read(beside)
    return make_bundle(files, main=script.name)


def _read(path: Path) -> bytes:
    """Return the file's bytes, at most one more than a bundle may hold."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_BUNDLE_BYTES + 1)
    except FileNotFoundError:
        raise NotFound("script", str(path)) from None
    except OSError as error:
        raise InvalidRequest(
            f"{path} cannot be read: {error.strerror or error}", reason="UNREADABLE_FILE"
        ) from error
