"""A bundle: relative path → bytes of all a script needs; its version is the hash over them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from types import MappingProxyType

from executor_service.scripts.model.findings import Located
from heartrule.domain.errors import FieldViolation, InvalidRequest
from heartrule.domain.pictures import picture_type
from heartrule.words.words import Words, say

MAX_BUNDLE_BYTES = 1_048_576
"""Largest bundle: the bytes of its files together."""
MAX_FILES = 1_000
"""Most files of a bundle."""
# As UTF-8; file systems take names of up to 255 bytes.
MAX_PATH_BYTES = 255
# Beside a script: what declares global variables, its techniques, pictures, workflows, agents and
# written conversations.
GLOBALS_FILE = "global.yaml"
SKILLS_FOLDER = "skills"
ASSETS_FOLDER = "assets/"
WORKFLOWS_FOLDER = "workflows/"
AGENTS_FOLDER = "agents/"
REHEARSALS_FOLDER = "rehearsals/"
_TECHNIQUE = re.compile(rb"""^["']?technique_id["']?[ ]*:""", re.MULTILINE)
SCRIPT_SUFFIXES = (".yaml", ".yml")
_LENGTH_BYTES = 8  # fixed, so that no path and content can pass for another pair
_ASSET_MARK = b"\0asset"
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """Files that are safe to store under their paths; made by `make_bundle`."""

    files: Mapping[str, bytes]
    main: str
    """Path of the script."""
    version: str
    """SHA-256 over the sorted paths and bytes, as hex; equal bundles have equal versions."""
    assets: Mapping[str, str] = field(default_factory=dict)
    """Path below assets/ → SHA-256 of a picture that was uploaded."""


def make_bundle(
    files: Mapping[str, bytes],
    *,
    main: str | None = None,
    assets: Mapping[str, str] | None = None,
) -> Bundle:
    """Check paths and sizes and return the bundle; what the files say is not looked at.

    Args:
        files: Relative path → bytes.
        main: Path of the script; None where there is one script only.
        assets: Path below assets/ → hash of a picture that is not among the files.

    Raises:
        InvalidRequest: A path is not a safe relative one, the files are too many or too large,
            or no single script can be chosen; each violation names the path.
    """
    problems = [
        FieldViolation(field=path, description=str(problem))
        for path in files
        if (problem := path_problem(path))
    ]
    problems += _size_problems(files)
    named = dict(sorted((assets or {}).items()))
    problems += _asset_problems(files, named)
    chosen = find_main(files) if main is None else main
    if chosen is None or chosen not in files:
        problems.append(
            FieldViolation(
                field=main or "main",
                description="name one script of the bundle, or send exactly one script",
            )
        )
    if problems or chosen is None:
        raise InvalidRequest(
            f"not a bundle: {problems[0].field}: {problems[0].description}",
            reason="INVALID_BUNDLE",
            violations=problems,
        )
    frozen = MappingProxyType({path: bytes(data) for path, data in sorted(files.items())})
    version = bundle_version(frozen, named)
    return Bundle(files=frozen, main=chosen, version=version, assets=MappingProxyType(named))


def completed(bundle: Bundle, added: Mapping[str, bytes]) -> Bundle:
    """Return the bundle with what it uses of the installation, so that its version pins that too.

    Raises:
        InvalidRequest: It becomes too large.
    """
    if not added:
        return bundle
    return make_bundle({**bundle.files, **added}, main=bundle.main, assets=bundle.assets)


def bundle_version(files: Mapping[str, bytes], assets: Mapping[str, str] | None = None) -> str:
    """Return the SHA-256 over the files, each path and content preceded by its length.

    Assets follow: for each a mark no path can hold, its path and its hash, in the same way.
    """
    digest = hashlib.sha256()
    for path, data in sorted((path.encode(), data) for path, data in files.items()):
        for part in (path, data):
            digest.update(len(part).to_bytes(_LENGTH_BYTES, "big"))
            digest.update(part)
    for name, sha256 in sorted((assets or {}).items()):
        for part in (_ASSET_MARK, name.encode(), sha256.encode()):
            digest.update(len(part).to_bytes(_LENGTH_BYTES, "big"))
            digest.update(part)
    return digest.hexdigest()


def path_problem(path: str) -> Words | None:
    """Return why `path` is no safe relative path; None when it is one."""
    if not path:
        return say("path.empty")
    if not path.isprintable() or "\\" in path or ":" in path:
        return say("path.signs")
    if len(path.encode(errors="replace")) > MAX_PATH_BYTES:
        return say("path.too_long", most=MAX_PATH_BYTES)
    if any(part in {"", ".", ".."} for part in path.split("/")):
        return say("path.not_relative")
    return None


def find_main(files: Mapping[str, bytes]) -> str | None:
    """Return the path of the only script; None where there is none, or more than one."""
    scripts = [
        path
        for path, data in files.items()
        if path.endswith(SCRIPT_SUFFIXES)
        and not path.startswith((WORKFLOWS_FOLDER, AGENTS_FOLDER, REHEARSALS_FOLDER))
        and not is_globals(path)
        and not is_technique(path, data)
    ]
    return scripts[0] if len(scripts) == 1 else None


def is_globals(path: str) -> bool:
    """Return whether `path` is a global.yaml."""
    return PurePosixPath(path).name == GLOBALS_FILE


def is_technique(path: str, data: bytes) -> bool:
    """Return whether a file lies in a folder `skills`, or names a technique_id."""
    if not path.endswith(SCRIPT_SUFFIXES):
        return False
    if path.startswith((AGENTS_FOLDER, REHEARSALS_FOLDER)):
        return False
    return SKILLS_FOLDER in path.split("/")[:-1] or _TECHNIQUE.search(data) is not None


def system_skill_path(skill: str) -> str:
    """Return the path that a technique of the installation has in a bundle."""
    return f"_system/{SKILLS_FOLDER}/{skill}.yaml"


def globals_path(main: str) -> str:
    """Return where the global.yaml of a script lies: beside it."""
    return str(PurePosixPath(main).with_name(GLOBALS_FILE))


def own_pictures(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a bundle that lie below assets/."""
    return {path: data for path, data in files.items() if path.startswith(ASSETS_FOLDER)}


def workflow_files(files: Mapping[str, bytes], main: str) -> dict[str, bytes]:
    """Return what lies below workflows/, techniques aside; nothing where the script lies there."""
    if main.startswith(WORKFLOWS_FOLDER):
        return {}
    return {
        path: data
        for path, data in files.items()
        if path.startswith(WORKFLOWS_FOLDER) and not is_technique(path, data)
    }


def agent_files(files: Mapping[str, bytes], main: str) -> dict[str, bytes]:
    """Return what lies below agents/; nothing where the script lies there."""
    if main.startswith(AGENTS_FOLDER):
        return {}
    return {path: data for path, data in files.items() if path.startswith(AGENTS_FOLDER)}


def rehearsal_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the conversations that lie beside the script, by path."""
    return {
        path: files[path]
        for path in sorted(files)
        if path.startswith(REHEARSALS_FOLDER) and path.endswith(SCRIPT_SUFFIXES)
    }


def hashes_of(bundle: Bundle) -> dict[str, str]:
    """Return the hash of every picture of a bundle by its path, whether it lies in it or not."""
    own = {path: sha256_of(data) for path, data in own_pictures(bundle.files).items()}
    return {**own, **bundle.assets}


def sha256_of(data: bytes) -> str:
    """Return the name an asset of these bytes has."""
    return hashlib.sha256(data).hexdigest()


def asset_findings(bundle: Bundle, uploaded: Collection[str]) -> tuple[Located, ...]:
    """Return an error for each file that is no picture, and each hash without an upload."""
    found = [
        (path, say("asset.no_picture"))
        for path, data in own_pictures(bundle.files).items()
        if not picture_type(data)
    ]
    found += [
        (path, say("asset.not_uploaded", sha256=sha256))
        for path, sha256 in bundle.assets.items()
        if sha256 not in uploaded
    ]
    return tuple(
        Located(file=path, line=0, column=0, message=str(words), words=words)
        for path, words in found
    )


def _asset_problems(
    files: Mapping[str, bytes], assets: Mapping[str, str]
) -> Iterator[FieldViolation]:
    for path, sha256 in assets.items():
        unsafe = path_problem(path)
        problem = "" if unsafe is None else str(unsafe)
        if not problem and not path.startswith(ASSETS_FOLDER):
            problem = f"a picture lies below {ASSETS_FOLDER}"
        if not problem and path in files:
            problem = "the path is among the files too; keep one of them"
        if not problem and not _SHA256.fullmatch(sha256):
            problem = "an asset is named by its SHA-256: 64 hex digits in lower case"
        if problem:
            yield FieldViolation(field=path, description=problem)


def _size_problems(files: Mapping[str, bytes]) -> Iterator[FieldViolation]:
    size = sum(map(len, files.values()))
    for number, what, most in (
        (len(files), "files", MAX_FILES),
        (size, "bytes in all", MAX_BUNDLE_BYTES),
    ):
        if number > most:
            shown = f"{number:,} {what}; a bundle has at most {most:,}"
            yield FieldViolation(field="files", description=shown)
