"""Which turns of a killed process never ended, on answers of a database written by hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.chaos.databases import Row
from tests.chaos.faults.kill import never_ended


@dataclass
class WrittenAnswers:
    """A database that answers with one list of turns after another, then with the last one."""

    answers: list[list[str]]
    kind: str = "sqlite"
    address: str = ""
    asked: list[str] = field(default_factory=list)

    def rows(self, query: str, *_values: object) -> list[Row]:
        self.asked.append(query)
        turns = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [(turn,) for turn in turns]


async def test_a_turn_that_ended_and_is_asked_for_again_has_ended() -> None:
    """As one that failed, which its client repeats before anybody looks a second time."""
    database = WrittenAnswers([["t1"], [], ["t1"]])
    assert await never_ended(database, ("t1",), within_s=5.0) == ()


async def test_a_turn_that_runs_all_the_time_never_ended() -> None:
    """Turns of others do not count."""
    database = WrittenAnswers([["t1", "t2"]])
    assert await never_ended(database, ("t1",), within_s=0.05) == ("t1",)
