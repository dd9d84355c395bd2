"""What the readers of a script share while they work on one file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice

from executor_service.scripts.checking.board import DeclarationBoard, Order, Owner, Yields
from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.checking.placeholders import Read, reads_of
from executor_service.scripts.loading.tree import ScalarNode
from executor_service.scripts.model.findings import At, Findings, Spot
from executor_service.scripts.model.limits import MAX_PLACEHOLDERS, Amounts, Counted
from executor_service.scripts.model.script import Technique
from heartrule.domain.output_type import OutputType
from heartrule.words.words import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedTechnique:
    """A technique that loaded without errors, and what its users are checked against."""

    technique: Technique
    types: Mapping[str, OutputType]
    """Of its output variables."""
    lists: frozenset[str]
    """Those of them that hold a list of records."""
    height: int
    """1, or one more than the highest technique it uses."""
    actions: int
    """Its actions, those of the techniques it uses included."""


@dataclass(slots=True, kw_only=True)
class ReadContext:
    """Grows while a file is read: findings, declarations, and who reads which variable."""

    findings: Findings
    environment: LintEnvironment
    use_technique: Callable[[str, Spot, ReadContext], LoadedTechnique | None]
    """Returns the technique of an id, read when it is first asked for; None without one that loads.

    Its mistakes are reported in its own file, or at the spot.
    """
    board: DeclarationBoard
    amounts: Amounts
    """Of all files of the bundle."""
    text: str = ""
    """The whole file."""
    files: Collection[str] = ()
    """Paths of the bundle."""
    chain: tuple[str, ...] = ()
    """The techniques that are being read, each because the one before uses it."""
    given: frozenset[str] = frozenset()
    """Input parameters of the technique in this file."""
    scheme: str = ""
    scheme_spot: Spot = field(default_factory=At)
    actions: int = 0
    """Actions met so far."""
    inner_actions: int = 0
    """Those of the techniques they use."""
    height: int = 0
    """Of the highest technique used so far."""
    reads: list[PlacedRead] = field(default_factory=list)
    yields: Yields = field(default_factory=Yields)
    outputs: list[tuple[str, Spot]] = field(default_factory=list)
    """What actions gather, and where that is written; the fields of forms are not among them."""
    lists: set[str] = field(default_factory=set)
    """Variables that hold a list of records."""
    conditions: list[ScalarNode] = field(default_factory=list)
    """The texts of conditions that were understood."""
    compared: list[tuple[str, str, Spot]] = field(default_factory=list)
    """Variable, word and place of custom conditions that ask for one value."""
    constants: list[tuple[Spot, Words, bool | None]] = field(default_factory=list)
    """Conditions that read no variable: of a phase or an action, and with which value."""

    def types_at(self, owner: Owner, names: Iterable[str]) -> dict[str, OutputType]:
        """Return the types of variables at one place; one of which nothing tells is absent.

        That is the declared type, else that of the nearest output, else that of its first value.
        """
        types = {}
        for name in names:
            kind = self.board.explicit_type(name, owner) or self.yields.type_at(name, owner)
            if kind is None:
                declared = next(self.board.look_up(name, owner), None)
                kind = declared.type if declared else None
            if kind is not None:
                types[name] = kind
        return types

    def take(self, what: Counted, spot: Spot) -> None:
        """Count one thing of the bundle; see `Amounts.take`."""
        self.amounts.take(what, spot, self.findings)

    def note(self, placed: PlacedRead) -> None:
        """Note who reads a variable."""
        self.take(Counted.READS, placed.read.spot)
        self.reads.append(placed)


@dataclass(frozen=True, slots=True)
class PlacedRead:
    """A read, whose variables it sees, and the moment until which they can have been set."""

    read: Read
    owner: Owner
    until: Order


def bounded_reads(node: ScalarNode, context: ReadContext) -> tuple[Read, ...]:
    """Return what a text reads; one that reads more than it may is reported."""
    reads = tuple(islice(reads_of(node, context.text), MAX_PLACEHOLDERS + 1))
    if len(reads) > MAX_PLACEHOLDERS:
        context.findings.report("too_many_reads", reads[-1].spot, most=MAX_PLACEHOLDERS)
    return reads[:MAX_PLACEHOLDERS]
