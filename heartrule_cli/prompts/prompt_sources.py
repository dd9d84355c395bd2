"""Where prompts come from: a folder of system files, the one that ships, or a git revision."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar
from zipfile import ZipFile

from executor_service.actions.outgoing.outgoing_texts import load_outgoing_texts
from executor_service.exits.hints import load_exit_hints
from executor_service.installation import Installation
from executor_service.monitoring.signal_words import load_signal_words
from heartrule.chassis.system_files import system_dir
from heartrule.domain.errors import HeartRuleError
from heartrule.model.prompt_words import load_prompt_words
from heartrule.model.template import DEFAULT_LAYER, Template
from heartrule.model.template_store import TemplateStore
from heartrule.words.words import Words, say
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.text import one_line

SHIPPED = "shipped"
HEAD = "HEAD"
_CONFIG = "config"
_InUse = TypeVar("_InUse")


class TracedTemplates(TemplateStore):
    """The templates of one folder; it knows which of them were asked for."""

    def __init__(self, root: Path, scheme: str = "") -> None:
        """Find them for `scheme` where a script names none."""
        super().__init__(root)
        self._scheme = scheme
        self.used: dict[str, Template] = {}

    def get(self, name: str, scheme: str = "", language: str = "") -> Template:
        """Return the template as the base class does, and keep it under its hash."""
        found = super().get(name, scheme or self._scheme, language)
        self.used[found.content_hash] = found
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSource:
    """A folder of prompts: templates, and the engine's own words in them."""

    name: str
    """As its reader knows it."""
    config: Path
    """Holds `default` and `custom`."""


@contextmanager
def source_before(against: str, folder: Path) -> Iterator[PromptSource]:
    """Yield what the prompts of `folder`, a folder of system files, are compared with.

    Args:
        against: `shipped`, a folder, or a git revision; empty: HEAD where the prompts are under
            git, else those that ship.
        folder: The system files in use.

    Raises:
        Failure: There is no such folder or revision, or no prompts are in it.
    """
    wanted = against or _by_itself(folder)
    if wanted == SHIPPED:
        yield PromptSource(name=SHIPPED, config=system_dir() / _CONFIG)
    elif Path(wanted).is_dir():
        yield PromptSource(name=wanted, config=_config_of(Path(wanted)))
    else:
        with TemporaryDirectory() as made:
            _extract(wanted, folder, Path(made))
            yield PromptSource(name=wanted, config=Path(made) / _CONFIG)


def with_source(
    installation: Installation, source: PromptSource, scheme: str, notes: list[Words]
) -> Installation:
    """Return the installation with the prompts of a source.

    `notes` gets each file of the engine's words that this release cannot read; the words in use
    stand for it.

    Raises:
        Failure: A template is broken.
    """
    templates = TracedTemplates(source.config, scheme)
    for broken in templates.broken():
        raise Failure(one_line(f"{source.name}: {broken.message}"), code=WRONG)

    def read(load: Callable[[Path], _InUse], in_use: _InUse) -> _InUse:
        try:
            return load(source.config)
        except HeartRuleError as error:
            why = one_line(error.message.replace(f"{source.config}/", ""))
            notes.append(say("cli.prompt.words_in_use", source=one_line(source.name), why=why))
            return in_use

    return replace(
        installation,
        templates=templates,
        words=read(load_prompt_words, installation.words),
        exit_hints=read(load_exit_hints, installation.exit_hints),
        outgoing_texts=read(load_outgoing_texts, installation.outgoing_texts),
        signal_words=read(load_signal_words, installation.signal_words),
    )


def _by_itself(folder: Path) -> str:
    """Return what a folder is compared with where its reader names nothing."""
    if shutil.which("git") and _git(folder, "ls-files", f"{_CONFIG}/{DEFAULT_LAYER}", quiet=True):
        return HEAD
    if folder != system_dir():
        return SHIPPED
    raise Failure(
        say("cli.prompt.no_git_here"),
        hint=say("cli.prompt.name_folder"),
        code=WRONG,
    )


def _config_of(folder: Path) -> Path:
    for config in (folder / _CONFIG, folder):
        if (config / DEFAULT_LAYER).is_dir():
            return config
    missing = {"config": f"{_CONFIG}/{DEFAULT_LAYER}", "layer": DEFAULT_LAYER}
    none = say("cli.prompt.no_prompts", folder=one_line(str(folder)), **missing)
    raise Failure(none, code=WRONG)


def _extract(revision: str, folder: Path, made: Path) -> None:
    """Write the prompts of `folder` as they were in a revision into the folder `made`."""
    if shutil.which("git") is None:
        raise Failure(say("cli.prompt.no_git", name=one_line(revision)), code=WRONG)
    # A revision that began with a hyphen would be an option of git's.
    commit = (
        ""
        if revision.startswith("-")
        else _git(folder, "rev-parse", "--verify", f"{revision}^{{commit}}", quiet=True)
        .decode()
        .strip()
    )
    if not commit:
        raise Failure(say("cli.prompt.no_revision", name=one_line(revision)), code=WRONG)
    packed = _git(folder, "archive", "--format=zip", commit, _CONFIG)
    # A tar file is unpacked safely from Python 3.11.4 on; Debian 12 has 3.11.2.
    with ZipFile(io.BytesIO(packed)) as archive:
        archive.extractall(made)


def _git(folder: Path, *words: str, quiet: bool = False) -> bytes:
    """Return what git prints, run in a folder; with `quiet`, nothing where it refuses."""
    git = shutil.which("git") or "git"
    words = (git, "-C", str(folder), *words)
    done = subprocess.run(words, capture_output=True, check=False)  # noqa: S603 - git alone
    if done.returncode and quiet:
        return b""
    if done.returncode:
        raise Failure(one_line(done.stderr.decode(errors="replace").strip()), code=WRONG)
    return done.stdout
