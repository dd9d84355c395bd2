"""Bundles: safe paths, sizes, and a version that follows from the content alone."""

from __future__ import annotations

import hashlib

import pytest

from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.loading.bundle import MAX_BUNDLE_BYTES, bundle_version, make_bundle
from executor_service.scripts.loading.loader import load_script
from heartrule.domain.errors import InvalidRequest

BAD_PATHS = [
    *("", "/etc/passwd", "../a.yaml", "a/../b.yaml", "./a.yaml", "a//b.yaml", "a/", "."),
    *("a\\b.yaml", "C:a.yaml", "a\nb.yaml", "a\x00.yaml", "\ud800.yaml", "名" * 90 + ".yaml"),
]


@pytest.mark.parametrize("path", BAD_PATHS)
def test_a_path_that_could_leave_its_folder_is_refused(path: str) -> None:
    """Only plain relative paths are taken, and the error names the one that is not."""
    with pytest.raises(InvalidRequest) as caught:
        make_bundle({path: b"x", "script.yaml": b"y"}, main="script.yaml")
    assert [path] == [violation.field for violation in caught.value.violations]


def test_chinese_names_and_folders_are_paths() -> None:
    """A counsellor names files as she likes."""
    bundle = make_bundle({"脚本/首次会谈.yaml": b"x", "脚本/图.png": b"y"})
    assert bundle.main == "脚本/首次会谈.yaml"


def test_a_bundle_has_at_most_a_mebibyte() -> None:
    """All files together count."""
    half = b"x" * (MAX_BUNDLE_BYTES // 2)
    assert make_bundle({"a.yaml": half, "b.png": half}).files
    with pytest.raises(InvalidRequest, match="bytes in all"):
        make_bundle({"a.yaml": half, "b.png": half + b"x"})


def test_the_only_script_needs_no_name() -> None:
    """global.yaml and other files are no scripts."""
    files = {"b.yml": b"x", "global.yaml": b"y", "a.png": b"z"}
    assert make_bundle(files).main == "b.yml"


@pytest.mark.parametrize("files", [{}, {"global.yaml": b""}, {"a.yaml": b"", "b.yaml": b""}])
def test_none_or_several_scripts_need_a_name(files: dict[str, bytes]) -> None:
    """Which script is meant is never guessed."""
    with pytest.raises(InvalidRequest, match="exactly one script"):
        make_bundle(files)


def test_the_version_is_the_hash_of_sorted_paths_and_bytes_with_lengths() -> None:
    """Anyone can compute it: each path and content is preceded by its length in eight bytes."""
    parts = [b"a.yaml", b"one", "图.png".encode(), b""]
    plain = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    version = bundle_version({"图.png": b"", "a.yaml": b"one"})
    assert hashlib.sha256(plain).hexdigest() == version


def test_equal_content_has_one_version_in_any_order() -> None:
    """The order of the files does not count."""
    one, other = {"a.yaml": b"1", "b": b"2"}, {"b": b"2", "a.yaml": b"1"}
    assert make_bundle(one).version == make_bundle(other).version


def test_where_a_file_ends_counts() -> None:
    """Bytes moved from one file or name to the next make another version."""
    versions = {
        bundle_version({"a": b"bc"}),
        bundle_version({"ab": b"c"}),
        bundle_version({"a": b"b", "c": b""}),
        bundle_version({"a": b"", "b": b"c"}),
    }
    assert len(versions) == 4


def test_a_bundle_cannot_be_changed() -> None:
    """Its version would no longer be true."""
    bundle = make_bundle({"a.yaml": b"x"})
    with pytest.raises(TypeError):
        bundle.files["a.yaml"] = b"y"  # type: ignore[index]  # that is the point


@pytest.mark.parametrize("main", [None, "c.yaml", "global.yaml", "../x.yaml"])
def test_loading_says_which_script_it_cannot_find(main: str | None) -> None:
    """A name that is not in the bundle, or none where several are, is one error."""
    files = {"a.yaml": b"", "b.yaml": b"", "global.yaml": b"", "../x.yaml": b""}
    result = load_script(files, main=main, environment=LintEnvironment())
    assert (result.script, len(result.errors)) == (None, 1)
    assert (main or "bundle") == result.errors[0].file
