"""Loaded scripts by version, kept in memory."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from executor_service.library import StoredScripts
from heartrule.domain.errors import NotFound, NotReady
from heartrule.domain.replacement import ActionReplacement
from session_store.records import ScriptRecord
from session_store.sql.store import SqlStore
from tests.support.scripts import ask_script


@dataclass
class Shelf(SqlStore):
    """A store that counts how often a version is read."""

    text: str = field(default_factory=ask_script)
    reads: list[str] = field(default_factory=list)

    async def load_script(self, tenant: str, script_id: str, version: str = "") -> ScriptRecord:
        """Return the text under any version but `gone`."""
        self.reads.append(version)
        if version == "gone":
            raise NotFound("script", script_id)
        return ScriptRecord(
            tenant=tenant,
            script_id=script_id,
            version=version,
            main="script.yaml",
            files={"script.yaml": self.text.encode()},
        )


async def test_a_version_is_loaded_once() -> None:
    """What was published never changes, so it is read once."""
    shelf = Shelf()
    library = StoredScripts(shelf)
    first = await library.get("default", "asking", "v1")
    assert await library.get("default", "asking", "v1") is first
    assert shelf.reads == ["v1"]


async def test_versions_and_tenants_are_kept_apart() -> None:
    """The key is all three names."""
    shelf = Shelf()
    library = StoredScripts(shelf)
    for tenant, version in (("a", "v1"), ("b", "v1"), ("a", "v2")):
        await library.get(tenant, "asking", version)
    assert len(shelf.reads) == 3


async def test_the_least_recently_used_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded: what is used stays, what is not is read again when wanted."""
    monkeypatch.setattr("executor_service.library._KEPT", 2)
    shelf = Shelf()
    library = StoredScripts(shelf)
    for version in ("v1", "v2", "v1", "v3", "v1", "v2"):
        await library.get("default", "asking", version)
    assert shelf.reads == ["v1", "v2", "v3", "v2"]


async def test_an_unknown_version_is_not_found() -> None:
    """Nothing is kept of a version that is not there."""
    with pytest.raises(NotFound):
        await StoredScripts(Shelf()).get("default", "asking", "gone")


async def test_a_version_this_release_cannot_read_says_so() -> None:
    """The session fails by name instead of half-running."""
    with pytest.raises(NotReady) as caught:
        await StoredScripts(Shelf(text="session: {}")).get("default", "asking", "v1")
    assert caught.value.reason == "SCRIPT_NO_LONGER_LOADS"


async def test_a_scheme_removed_since_does_not_stop_a_published_script() -> None:
    """It falls back to the default templates when it runs; loading it again does not refuse it."""
    text = ask_script().replace("session_id: asking", "session_id: asking\n  template_scheme: gone")
    script = await StoredScripts(Shelf(text=text)).get("default", "asking", "v1")
    assert script.template_scheme == "gone"


async def test_a_replaced_config_is_another_script() -> None:
    """It is kept beside the version's own, and read again for every other config."""
    shelf = Shelf()
    library = StoredScripts(shelf)
    tried = ActionReplacement(
        phase_id="p1", topic_id="t1", action_id="say_bye", config={"content": "慢走"}
    )
    own = await library.get("default", "asking", "v1")
    replaced = await library.get("default", "asking", "v1", (tried,))
    assert "慢走" in str(replaced.phases[0].topics[0].actions[1].config)
    assert "慢走" not in str(own)
    assert await library.get("default", "asking", "v1", (tried,)) is replaced
    assert shelf.reads == ["v1", "v1"]
