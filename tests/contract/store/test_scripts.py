"""Publishing scripts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heartrule.domain.errors import NotFound
from session_store.ports import Store
from session_store.records import Page, ScriptRecord


def script(script_id: str = "greeting", version: str = "v1", tenant: str = "t") -> ScriptRecord:
    """Return a bundle of one file."""
    return ScriptRecord(
        tenant=tenant,
        script_id=script_id,
        version=version,
        main="main.yaml",
        files={"main.yaml": f"# {version} 你好".encode(), "more/notes.txt": b"\x00\xff"},
        session_name="问候",
    )


async def test_a_script_is_read_back_whole(store: Store) -> None:
    """What was published is loaded by its version, every byte of it."""
    saved = await store.save_script(script())
    assert saved == await store.load_script("t", "greeting", "v1")
    assert replace(saved, create_time=None, number=0) == script()
    assert saved.create_time is not None


async def test_the_same_version_is_stored_once(store: Store) -> None:
    """Publishing the same content again returns the first record."""
    first = await store.save_script(script())
    assert await store.save_script(script()) == first


async def test_an_older_version_published_again_is_the_newest(store: Store) -> None:
    """It takes the next number; that of its first publication is nobody's from then on."""
    for version in ("v1", "v2"):
        await store.save_script(script(version=version))
    again = await store.save_script(script(version="v1"))
    assert (again.version, again.number) == ("v1", 3)
    assert again == await store.load_script("t", "greeting")
    versions, _ = await store.list_script_versions("t", "greeting", Page())
    assert [(each.version, each.number) for each in versions] == [("v1", 3), ("v2", 2)]
    listed, _ = await store.list_scripts("t", Page())
    assert [(each.script_id, each.version) for each in listed] == [("greeting", "v1")]


async def test_a_trial_is_on_no_list_until_it_is_published(store: Store) -> None:
    """It is loaded by its version alone; the newest stays that which was published last."""
    await store.save_script(script(version="v1"))
    trial = await store.save_script(script(version="v2"), trial=True)
    await store.save_script(script("other", "v9"), trial=True)
    assert (trial, trial.number) == (await store.load_script("t", "greeting", "v2"), 0)
    assert (await store.load_script("t", "greeting")).version == "v1"
    versions, _ = await store.list_script_versions("t", "greeting", Page())
    listed, _ = await store.list_scripts("t", Page())
    assert [each.version for each in (*versions, *listed)] == ["v1", "v1"]
    assert (await store.save_script(script(version="v2"))).number == 2
    assert (await store.save_script(script(version="v1"), trial=True)).number == 1
    with pytest.raises(NotFound):
        await store.load_script("t", "other")
    assert (await store.save_script(script("other", "v9"))).number == 1


async def test_without_a_version_the_newest_is_loaded(store: Store) -> None:
    """The version published last is the one that new sessions get."""
    await store.save_script(script(version="v2"))
    await store.save_script(script(version="v1"))
    assert (await store.load_script("t", "greeting")).version == "v1"


@pytest.mark.parametrize(
    "wanted", [("t", "other", ""), ("t", "greeting", "v9"), ("other", "greeting", "v1")]
)
async def test_an_unknown_script_is_not_found(store: Store, wanted: tuple[str, str, str]) -> None:
    """An id, a version or a tenant that has no such script is NotFound."""
    await store.save_script(script())
    with pytest.raises(NotFound):
        await store.load_script(*wanted)


async def test_scripts_are_listed_by_id_without_files(store: Store) -> None:
    """A list gives each script's newest version by id, without its files, in pages."""
    for name, version in (("b", "v1"), ("a", "v1"), ("c", "v1"), ("a", "v2")):
        await store.save_script(script(name, version))
    await store.save_script(script("z", tenant="other"))
    first, token = await store.list_scripts("t", Page(size=2))
    rest, last = await store.list_scripts("t", Page(size=2, token=token))
    names = [(each.script_id, each.version) for each in first + rest]
    assert (names, last) == ([("a", "v2"), ("b", "v1"), ("c", "v1")], "")
    assert all(each.files == {} and each.session_name == "问候" for each in first + rest)


async def test_versions_are_listed_newest_first(store: Store) -> None:
    """Each with its number and time, in pages, without files; a repeated one counts once."""
    for version in ("v1", "v2", "v2", "v3"):
        await store.save_script(script(version=version))
    await store.save_script(script("other"))
    first, token = await store.list_script_versions("t", "greeting", Page(size=2))
    rest, last = await store.list_script_versions("t", "greeting", Page(size=2, token=token))
    named = [(each.version, each.number) for each in first + rest]
    assert (named, last) == ([("v3", 3), ("v2", 2), ("v1", 1)], "")
    assert all(each.create_time and each.files == {} for each in first + rest)


@pytest.mark.parametrize("wanted", [("t", "other"), ("other", "greeting")])
async def test_an_unknown_script_has_no_versions(store: Store, wanted: tuple[str, str]) -> None:
    """An id or a tenant without such a script is NotFound, not an empty list."""
    await store.save_script(script())
    with pytest.raises(NotFound):
        await store.list_script_versions(*wanted, Page())
