"""Random steps of turns, the same for the same seed."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

from heartrule.domain.conversation import Role
from heartrule.domain.events import Outcome
from heartrule.domain.problem import Degradation
from heartrule.domain.variables import VariableScope
from session_store.records import InstanceState, StepCommit, TurnSnapshot
from tests.support.store_builders import (
    LONG,
    at_round,
    call,
    instance,
    judged,
    last_step,
    said,
    step,
    variable,
)
from tests.support.store_forms import any_request
from tests.support.store_safety import any_safety
from tests.support.store_variables import defining, leaving, writing
from tests.support.strategies import decision

INSTANCES = {"ai_1": "t1", "ai_2": "t2"}
"""Action instances and their topics: an instance stays in the topic it was made in."""
SCOPES = (
    (VariableScope.TOPIC, "t1"),
    (VariableScope.TOPIC, "t2"),
    (VariableScope.PHASE, "p1"),
    (VariableScope.SESSION, ""),
    (VariableScope.GLOBAL, ""),
)


class RandomSteps:
    """The dice of a play, and what it has made so far."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)
        self._made = 0

    def _step(self, snapshot: TurnSnapshot) -> StepCommit:
        """Return a random step of the snapshot's turn."""
        name = self.dice.choice(["ai_1"] * 5 + ["ai_2"])
        topic, place = INSTANCES[name], list(INSTANCES).index(name)
        round_no = self._next()
        scope, scope_id = self.dice.choice(SCOPES)
        value = variable(
            self.dice.choice("xyz"), self.dice.choice([0, "二", None]), scope, scope_id
        )
        roles = [Role.ASSISTANT, Role.ASSISTANT, Role.SYSTEM]
        messages = [
            said(f"text {self._next()}", message_id=self._id("msg"), role=self.dice.choice(roles))
            for _ in range(self.dice.randrange(3))
        ]
        ends = self.dice.choice([None, None, Outcome.WAITING, Outcome.WAITING])
        if self.dice.random() < 0.02:
            ends = Outcome.SESSION_COMPLETED
        make = last_step(snapshot, *messages, outcome=ends) if ends else step(snapshot, *messages)
        state = self.dice.choice([InstanceState.RUNNING] * 9 + [InstanceState.COMPLETED])
        used = snapshot.advice.advice_id if snapshot.advice else ""
        return replace(
            make,
            position=at_round(round_no, action_instance_id=name, topic_id=topic),
            instances=(instance(name, place, state=state, topic_id=topic),) * self._chance(),
            variables=(replace(value, archived=self._chance()),) * self._chance(),
            operations=(writing(value),) * self.dice.randrange(3),
            scopes_left=(leaving(value),) * (scope_id == "t2"),
            definitions=(defining(value),) * self._chance(),
            result=judged(round_no, action_instance_id=name) if self._chance() else None,
            strategy=decision(round_no) if self._chance() else None,
            **any_request(self.dice, self._next()),
            inputs_consumed=self._chance(),
            advice_consumed=used if self._chance() else "",
            calls=(call(self._id("call"), input=self._prompt()),) * self.dice.randrange(3),
            monitor_requested=self._chance(),
            monitor_owner=self.dice.choice(["", "a"]),
            monitor_ttl=LONG,
            safety=any_safety(self.dice, snapshot),
            degradations=(Degradation(stage="parse", reason="R"),) * self.dice.randrange(2),
            drafts_voided="R" * (self.dice.random() < 0.1),
        )

    def _prompt(self) -> str:
        """Return a prompt whose messages other prompts have, too."""
        texts = self.dice.choices(["hello", "a long line that many prompts have\n2", "二"], k=3)
        return json.dumps(texts, ensure_ascii=False, separators=(",", ":"))

    def _seldom(self) -> bool:
        return self.dice.random() < 0.1

    def _chance(self) -> bool:
        return self.dice.random() < 0.5

    def _next(self) -> int:
        self._made += 1
        return self._made

    def _id(self, kind: str) -> str:
        return f"{kind}-{self._next()}"
