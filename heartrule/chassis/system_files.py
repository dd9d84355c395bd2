"""Finds `_system`: the prompts, example scripts and word rules that ship with HeartRule."""

from __future__ import annotations

from pathlib import Path

import heartrule
from heartrule.chassis.settings import Settings

FOLDER = "_system"


class SystemFilesSettings(Settings):
    """The one setting about system files."""

    system_dir: Path | None = None
    """A folder of prompts, scripts and rules that replaces the one shipped; empty: that one."""


def system_dir(override: Path | None = None) -> Path:
    """Return the folder `_system`: the override, else that of the checkout, else of the package.

    Raises:
        FileNotFoundError: The override, or every known place, is no folder.
    """
    package = Path(heartrule.__file__).resolve().parent
    places = [override] if override else [package.parent / FOLDER, package / FOLDER]
    for place in places:
        if place.is_dir():
            return place.resolve()
    looked = ", ".join(str(place) for place in places)
    raise FileNotFoundError(f"no folder {FOLDER}: looked at {looked}")
