"""Finds the sensitive variables of a session, which its script or a technique marks."""

from __future__ import annotations

from executor_service.ports import ScriptLibrary
from executor_service.scripts.model.actions import SkillConfig, yielded
from executor_service.scripts.model.agent_config import lands_in
from executor_service.scripts.model.script import Action, Script
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.keys import SessionKey
from heartrule.domain.sensitive import SensitiveVariables
from session_store.ports import Store
from session_store.records import SessionRecord


def sensitive_in(script: Script) -> SensitiveVariables:
    """Return the variables that outputs of the script and its techniques mark as sensitive.

    Results of runs are, where there is one at all.
    """
    actions = [action for _, _, _, action in script.walk()]
    for technique in script.techniques.values():
        actions.extend(technique.topic.actions)
    names = {each.get for action in actions for each in yielded(action.config) if each.sensitive}
    if names:  # what a run is given may be any of them, and its result may hold it
        names |= {name for action in actions if (name := lands_in(action.config))}
    # A skill's output under another name is as sensitive; skills nest, so until no name is added.
    while more := {each for action in actions for each in _outputs_of_skill(action, names)} - names:
        names |= more
    return SensitiveVariables(frozenset(names))


def _outputs_of_skill(action: Action, names: set[str]) -> list[str]:
    if not isinstance(action.config, SkillConfig):
        return []
    return [each.get for each in action.config.outputs if each.source in names]


async def sensitive_of(scripts: ScriptLibrary, record: SessionRecord) -> SensitiveVariables:
    """Return the sensitive variables of a session; all of them if its script cannot be read."""
    try:
        script = await scripts.get(
            record.key.tenant, record.script_id, record.script_version, record.replacements
        )
    except HeartRuleError:
        return SensitiveVariables(unknown=True)
    return sensitive_in(script)


class SensitiveLookup:
    """Finds the sensitive variables of one session when they are first asked for."""

    def __init__(self, sessions: Store, scripts: ScriptLibrary, key: SessionKey) -> None:
        """Read nothing yet."""
        self._sessions = sessions
        self._scripts = scripts
        self._key = key
        self._found: SensitiveVariables | None = None

    async def found(self) -> SensitiveVariables:
        """Return them; a session's script never changes, so they are read once.

        Raises:
            NotFound: There is no such session.
        """
        if self._found is None:
            record = await self._sessions.get_session(self._key)
            self._found = await sensitive_of(self._scripts, record)
        return self._found
