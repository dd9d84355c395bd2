"""The files of `_system` as we ship them, read once in a process: reading them takes a second."""

from __future__ import annotations

from functools import cache

from executor_service.installation import Installation, read_installation
from heartrule.chassis.system_files import system_dir
from heartrule.safety.screen import SafetyScreen

SAFETY_FILES = system_dir() / "safety"


@cache
def shipped_installation() -> Installation:
    """Return the templates, words and rules we ship."""
    return read_installation(system_dir())


@cache
def shipped_screen() -> SafetyScreen:
    """Return the screen with the rules we ship."""
    return shipped_installation().crisis._rules.screen
