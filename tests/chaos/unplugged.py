"""A network namespace with two cables: one for clients and the model, one for what is behind."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.chaos.processes import MissingTool


@dataclass(frozen=True, slots=True)
class Namespace:
    """One namespace; its number makes its names and addresses its own."""

    number: int

    @property
    def name(self) -> str:
        """What `ip netns` calls it."""
        return f"chaos{self.number}"

    @property
    def prefix(self) -> tuple[str, ...]:
        """The command that runs another one inside."""
        return ("ip", "netns", "exec", self.name)

    @property
    def inside_host(self) -> str:
        """Where those outside find what listens inside."""
        return f"10.203.{self.number}.2"

    @property
    def client_host(self) -> str:
        """Where those inside find what listens at the clients' end."""
        return f"10.203.{self.number}.1"

    @property
    def backend_host(self) -> str:
        """Where those inside find what can be unplugged."""
        return f"10.204.{self.number}.1"

    def unplug(self) -> None:
        """Pull the second cable."""
        _ip("link", "set", f"hrb{self.number}", "down")

    def plug(self) -> None:
        """Put it back."""
        _ip("link", "set", f"hrb{self.number}", "up")


@contextmanager
def namespace() -> Iterator[Namespace]:
    """Make a namespace for the length of a block.

    Raises:
        MissingTool: The system does not allow it.
    """
    if shutil.which("ip") is None or os.geteuid() != 0:
        raise MissingTool("network namespaces need root and the program ip")
    net = Namespace(os.getpid() % 200 + 20)
    try:
        _ip("netns", "add", net.name)
    except subprocess.CalledProcessError as error:
        raise MissingTool("network namespaces are not allowed here") from error
    try:
        inside = ("-n", net.name)
        _ip(*inside, "link", "set", "lo", "up")
        for cable, network in (("hra", 203), ("hrb", 204)):
            ours, theirs = f"{cable}{net.number}", f"{cable}{net.number}i"
            _ip("link", "add", ours, "type", "veth", "peer", "name", theirs, "netns", net.name)
            _ip("addr", "add", f"10.{network}.{net.number}.1/24", "dev", ours)
            _ip(*inside, "addr", "add", f"10.{network}.{net.number}.2/24", "dev", theirs)
            _ip("link", "set", ours, "up")
            _ip(*inside, "link", "set", theirs, "up")
        yield net
    finally:
        subprocess.run(["ip", "netns", "del", net.name], check=False, capture_output=True)
        for cable in ("hra", "hrb"):
            remove = ["ip", "link", "del", f"{cable}{net.number}"]
            subprocess.run(remove, check=False, capture_output=True)


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)
