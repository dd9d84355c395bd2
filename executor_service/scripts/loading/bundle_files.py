"""Adapter: collects a script and what it uses from a disk."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from pathlib import Path

from executor_service.scripts.loading.bundle import (
    AGENTS_FOLDER,
    GLOBALS_FILE,
    MAX_BUNDLE_BYTES,
    MAX_FILES,
    REHEARSALS_FOLDER,
    SCRIPT_SUFFIXES,
    SKILLS_FOLDER,
    WORKFLOWS_FOLDER,
    Bundle,
    make_bundle,
    path_problem,
)
from executor_service.scripts.model.kinds import ID
from heartrule.domain.errors import InvalidRequest, NotFound
from heartrule.domain.pictures import LARGEST_ASSET, picture_type

# A larger picture would be sent again with each version of its script, so it is uploaded once.
LARGEST_SENT_ALONG = 65_536
# Of files in the folder `workflows`; the check refuses all but the first.
_WORKFLOW_SUFFIXES = frozenset({".yaml", ".yml", ".json"})
# Of files in the folder `agents`; the check refuses what is of no agent.
_AGENT_SUFFIXES = frozenset({".yaml", ".yml", ".md", ".txt"})


def read_bundle(path: Path | str) -> Bundle:
    """Return the bundle of the script at `path`: the file, and what it uses of what lies beside.

    That is the global.yaml, the techniques of the folder `skills` it names, those these name, all
    of the folders `workflows`, `agents` and `rehearsals`, and the pictures of the folder `assets`;
    large ones are only named, by their hash, and are to be uploaded by themselves. A file that is
    not there is left to the loader to report.

    Raises:
        NotFound: There is no such file.
        InvalidRequest: It is not a readable file, or the bundle is too large.
    """
    script = Path(path)
    files = {script.name: _read(script)}
    beside = script.with_name(GLOBALS_FILE)
    if beside.name not in files and beside.is_file():
        files[beside.name] = _read(beside)
    _add_skills(files, script)
    _add_folder(files, script, WORKFLOWS_FOLDER, _WORKFLOW_SUFFIXES)
    _add_folder(files, script, REHEARSALS_FOLDER, SCRIPT_SUFFIXES)
    files |= read_agent_files(script.parent)
    assets = _add_assets(files, script)
    return make_bundle(files, main=script.name, assets=assets)


def _add_skills(files: dict[str, bytes], script: Path) -> None:
    inside = script.parent.name == SKILLS_FOLDER  # a technique itself: others lie beside it
    folder = script.parent if inside else script.with_name(SKILLS_FOLDER)
    waiting = sorted(mentioned_skills(files[script.name]))
    while waiting and len(files) <= MAX_FILES:
        name = f"{SKILLS_FOLDER}/{waiting.pop()}.yaml"
        beside = folder / name.rpartition("/")[2]
        if name not in files and beside != script and beside.is_file():
            files[name] = _read(beside)
            waiting += sorted(mentioned_skills(files[name]))


def _add_folder(
    files: dict[str, bytes], script: Path, folder: str, suffixes: Collection[str]
) -> None:
    for path in sorted(script.parent.joinpath(folder).glob("*")):
        if path.suffix in suffixes and path.is_file() and len(files) <= MAX_FILES:
            files[f"{folder}{path.name}"] = _read(path)


def read_agent_files(folder: Path) -> dict[str, bytes]:
    """Return the files of agents below the folder `agents` of a folder.

    Raises:
        InvalidRequest: One of them cannot be read.
    """
    return _below_agents(folder / AGENTS_FOLDER, AGENTS_FOLDER)


def read_agent_folder(folder: Path) -> dict[str, bytes]:
    """Return the files of one agent's folder, as they are in a bundle.

    Raises:
        InvalidRequest: One of them cannot be read.
    """
    return _below_agents(folder, f"{AGENTS_FOLDER}{folder.name}/")


def _below_agents(folder: Path, named: str) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in inside.parts)
        if path.suffix in _AGENT_SUFFIXES and not hidden and path.is_file():
            files[f"{named}{inside.as_posix()}"] = _read(path)
            if len(files) > MAX_FILES:
                break
    return files


def _add_assets(files: dict[str, bytes], script: Path) -> dict[str, str]:
    """Add the small pictures, and return the hashes of the large ones."""
    large = {}
    named = sorted({path for data in files.values() for path in mentioned_assets(data)})
    for name in named[:MAX_FILES]:
        beside = script.parent / name
        if not beside.is_file():
            continue
        data = _read(beside, LARGEST_ASSET)
        if len(data) > LARGEST_ASSET:
            problem = f"{beside}: a picture has at most {LARGEST_ASSET:,} bytes"
            raise InvalidRequest(problem, reason="ASSET_TOO_LARGE")
        if len(data) > LARGEST_SENT_ALONG and picture_type(data):
            large[name] = hashlib.sha256(data).hexdigest()
        else:
            files[name] = data
    return large


def _read(path: Path, most: int = MAX_BUNDLE_BYTES) -> bytes:
    """Return the file's bytes, at most one more than `most`."""
    try:
        with path.open("rb") as file:
            return file.read(most + 1)
    except FileNotFoundError:
        raise NotFound("script", str(path)) from None
    except OSError as error:
        raise InvalidRequest(
            f"{path} cannot be read: {error.strerror or error}", reason="UNREADABLE_FILE"
        ) from error


_SKILL = re.compile(rf"""\bskill["']?[ ]*:[ ]*["']?({ID})""")
_ASSET = re.compile(r"""\bsource["']?[ ]*:[ ]*["']?(assets/[^\s"',}\]#]+(?:[ ][^\s"',}\]#:]+)*)""")


def mentioned_skills(data: bytes) -> frozenset[str]:
    """Return the ids under `skill:`; one in a remark is among them, which does no harm."""
    return frozenset(_SKILL.findall(data.decode(errors="replace")))


def mentioned_assets(data: bytes) -> frozenset[str]:
    """Return the safe paths below assets/ under `source:`."""
    found = (path.strip() for path in _ASSET.findall(data.decode(errors="replace")))
    return frozenset(path for path in found if not path_problem(path))
