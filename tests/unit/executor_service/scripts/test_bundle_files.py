"""A bundle from a disk: the script, and the global.yaml beside it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from executor_service.scripts.loading.bundle import MAX_BUNDLE_BYTES
from executor_service.scripts.loading.bundle_files import LARGEST_SENT_ALONG, read_bundle
from heartrule.domain.errors import InvalidRequest, NotFound
from heartrule.domain.pictures import LARGEST_ASSET


def test_a_script_is_read_alone_or_with_its_globals(tmp_path: Path) -> None:
    """Other files of the folder do not come along."""
    (tmp_path / "s.yaml").write_bytes(b"one")
    (tmp_path / "other.yaml").write_bytes(b"two")
    assert read_bundle(tmp_path / "s.yaml").files == {"s.yaml": b"one"}
    (tmp_path / "global.yaml").write_bytes(b"three")
    bundle = read_bundle(str(tmp_path / "s.yaml"))
    assert (bundle.main, bundle.files) == ("s.yaml", {"s.yaml": b"one", "global.yaml": b"three"})


def test_the_skills_and_pictures_a_script_names_come_along(tmp_path: Path) -> None:
    """Those that its skills name too; what nothing names stays behind."""
    for folder in ("skills", "assets"):
        (tmp_path / folder).mkdir()
    (tmp_path / "s.yaml").write_text("- skill: one\n- {skill: 'none'}\n", "utf-8")
    (tmp_path / "skills/one.yaml").write_text("- {skill: two}\n", "utf-8")
    (tmp_path / "skills/two.yaml").write_text("- source: assets/一 图.png  # 图\n", "utf-8")
    (tmp_path / "skills/three.yaml").write_bytes(b"")
    (tmp_path / "assets/一 图.png").write_bytes(b"png")
    (tmp_path / "assets/other.png").write_bytes(b"png")
    files = read_bundle(tmp_path / "s.yaml").files
    assert sorted(files) == ["assets/一 图.png", "s.yaml", "skills/one.yaml", "skills/two.yaml"]


def test_all_workflows_beside_a_script_come_along(tmp_path: Path) -> None:
    """Nothing names them; what can be none stays behind. A technique brings none."""
    for folder in ("skills", "workflows/in", "skills/workflows"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("a.yaml", "b.json", "notes.md", "in/c.yaml"):
        (tmp_path / "workflows" / name).write_bytes(b"x")
    for name in ("s.yaml", "skills/one.yaml"):
        (tmp_path / name).write_bytes(b"y")
    files = read_bundle(tmp_path / "s.yaml").files
    assert sorted(files) == ["s.yaml", "workflows/a.yaml", "workflows/b.json"]
    assert sorted(read_bundle(tmp_path / "skills/one.yaml").files) == ["one.yaml"]


def test_a_large_picture_is_only_named(tmp_path: Path) -> None:
    """By its hash; whoever publishes uploads it. What is no picture is left to be refused."""
    (tmp_path / "assets").mkdir()
    script = "- source: assets/a.png\n- source: assets/b.png\n"
    (tmp_path / "s.yaml").write_text(script, "utf-8")
    large = b"\xff\xd8\xff" + bytes(LARGEST_SENT_ALONG)
    (tmp_path / "assets/a.png").write_bytes(large)
    (tmp_path / "assets/b.png").write_bytes(bytes(LARGEST_SENT_ALONG + 1))
    bundle = read_bundle(tmp_path / "s.yaml")
    assert sorted(bundle.files) == ["assets/b.png", "s.yaml"]
    assert bundle.assets == {"assets/a.png": hashlib.sha256(large).hexdigest()}


def test_a_picture_nobody_could_upload_is_refused(tmp_path: Path) -> None:
    """The limit of assets holds, and no more than that is read."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "s.yaml").write_text("- source: assets/a.png\n", "utf-8")
    (tmp_path / "assets/a.png").write_bytes(bytes(LARGEST_ASSET + 2))
    with pytest.raises(InvalidRequest, match="at most 8,388,608 bytes"):
        read_bundle(tmp_path / "s.yaml")


def test_a_picture_outside_the_assets_is_never_taken(tmp_path: Path) -> None:
    """A path that leaves its folder names nothing."""
    (tmp_path / "secret").write_bytes(b"x")
    (tmp_path / "s.yaml").write_text("- source: assets/../secret\n", "utf-8")
    assert list(read_bundle(tmp_path / "s.yaml").files) == ["s.yaml"]


def test_a_file_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    """The error names the path."""
    with pytest.raises(NotFound, match="none"):
        read_bundle(tmp_path / "none.yaml")


def test_a_folder_is_no_script(tmp_path: Path) -> None:
    """It cannot be read, and the error says so."""
    with pytest.raises(InvalidRequest, match="cannot be read"):
        read_bundle(tmp_path)


def test_a_file_too_large_is_not_read_whole(tmp_path: Path) -> None:
    """The limit of a bundle holds for files too."""
    (tmp_path / "s.yaml").write_bytes(b"x" * (2 * MAX_BUNDLE_BYTES))
    with pytest.raises(InvalidRequest, match="1,048,577 bytes in all"):
        read_bundle(tmp_path / "s.yaml")
