"""How this command was called, so that the commands it suggests can be typed unchanged."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

DEFAULT_ADDRESS = "127.0.0.1:50051"


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """Builds commands that continue, start or show a session."""

    program: str
    address: str = ""
    """The executor's, if it goes on running; empty if it ends with this command."""

    def resume(self, session_id: str) -> str:
        """Return the command that continues a session."""
        command = "chat" if self.address else "run"
        return f"{self.program} {command} --session {shlex.quote(session_id)}{self._place()}"

    def begin(self, script: str) -> str:
        """Return the command that starts a session with a script."""
        return f"{self.program} chat --script {script}{self._place()}"

    def examples(self) -> str:
        """Return the command that publishes the scripts that ship."""
        return f"{self.program} publish --examples{self._place()}"

    def show(self, session_id: str) -> str:
        """Return the command that shows a session."""
        return f"{self.program} show {shlex.quote(session_id)}{self._place()}"

    def _place(self) -> str:
        if self.address in {"", DEFAULT_ADDRESS}:
            return ""
        return f" --address {shlex.quote(self.address)}"


def program_name() -> str:
    """Return what to type for this program: its name where the shell finds it, else its path."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return f"{Path(sys.executable).name} -m heartrule_cli"
    found = shutil.which(called.name)
    if found and Path(found).resolve() == called.resolve():
        return called.name
    short = os.path.relpath(called)
    return shlex.quote(short if len(short) < len(str(called)) else str(called))
