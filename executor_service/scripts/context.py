"""What the readers of a script share while they work on one file."""

from __future__ import annotations

from dataclasses import dataclass, field

from executor_service.scripts.declarations import DeclarationBoard, Owner
from executor_service.scripts.environment import LintEnvironment
from executor_service.scripts.findings import Findings
from executor_service.scripts.placeholders import Read, reads_of
from executor_service.scripts.section import Section
from executor_service.scripts.tree import Node, ScalarNode

MAX_ACTIONS = 5_000
"""Most actions of one script."""


@dataclass(slots=True, kw_only=True)
class ReadContext:
    """Grows while a file is read: findings, declarations, and who reads which variable."""

    findings: Findings
    environment: LintEnvironment
    text: str
    """The whole file."""
    board: DeclarationBoard
    scheme: str = ""
    actions: int = 0
    """Actions met so far."""
    reads: list[PlacedRead] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PlacedRead:
    """A read, and the action or topic it belongs to."""

    read: Read
    topic: Owner
    action: int | None
    """Index within the topic; None when every action of the topic is told the text."""


@dataclass(frozen=True, slots=True)
class Spotter:
    """Notes what one action, or one topic, reads."""

    context: ReadContext
    topic: Owner
    action: int | None = None

    def texts(self, section: Section, *keys: str) -> None:
        """Note the placeholders in the texts under `keys`."""
        for key in keys:
            node = section.node(key)
            if isinstance(node, ScalarNode):
                for read in reads_of(node, self.context.text):
                    self._note(read)

    def name(self, node: Node | None) -> None:
        """Note that the variable named by `node` is read."""
        if isinstance(node, ScalarNode):
            self._note(Read(name=node.text.strip(), spot=node))

    def _note(self, read: Read) -> None:
        self.context.reads.append(PlacedRead(read, self.topic, self.action))
