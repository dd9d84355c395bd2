"""The two layers of templates, found by file and reloaded when changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from heartrule.domain.errors import InvalidRequest, NotFound
from heartrule.model.template_store import TemplateStore

TEXT = """---
template: ai_ask
version: 1
fields: {{content: 话}}
---
<!-- section: system -->
{words}
<!-- section: turn -->
x
"""


def write(root: Path, layer: str, words: str) -> Path:
    path = root / layer / "ai_ask_v1.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(TEXT.format(words=words), encoding="utf-8")
    return path


def test_scheme_wins(tmp_path: Path) -> None:
    """The scheme's own file answers, and its layer is recorded."""
    write(tmp_path, "default", "默认")
    write(tmp_path, "custom/cbt", "认知")
    template = TemplateStore(tmp_path).get("ai_ask", "cbt")
    assert (template.section("system"), template.layer) == ("认知", "custom/cbt")


@pytest.mark.parametrize("scheme", ["", "cbt", "gone"])
def test_default_answers(tmp_path: Path, scheme: str) -> None:
    """Without a scheme, its file or its folder the default answers and says so."""
    write(tmp_path, "default", "默认")
    (tmp_path / "custom" / "cbt").mkdir(parents=True)
    assert TemplateStore(tmp_path).get("ai_ask", scheme).layer == "default"


def test_unchanged_file_is_cached(tmp_path: Path) -> None:
    """An unchanged file is not parsed again."""
    write(tmp_path, "default", "默认")
    store = TemplateStore(tmp_path)
    assert store.get("ai_ask") is store.get("ai_ask")


def test_changed_file_is_read_again(tmp_path: Path) -> None:
    """A changed file answers with its new text and hash."""
    path = write(tmp_path, "default", "一二")
    store = TemplateStore(tmp_path)
    before = store.get("ai_ask")
    write(tmp_path, "default", "三四")
    os.utime(path, ns=(1, 1))
    after = store.get("ai_ask")
    assert after.section("system") == "三四"
    assert after.content_hash != before.content_hash


def test_removed_file_falls_back(tmp_path: Path) -> None:
    """A scheme's file that is removed later gives way to the default."""
    write(tmp_path, "default", "默认")
    path = write(tmp_path, "custom/cbt", "认知")
    store = TemplateStore(tmp_path)
    store.get("ai_ask", "cbt")
    path.unlink()
    assert store.get("ai_ask", "cbt").layer == "default"


def test_missing_template(tmp_path: Path) -> None:
    """A template in neither layer is not found."""
    with pytest.raises(NotFound):
        TemplateStore(tmp_path).get("ai_ask")


@pytest.mark.parametrize("bad", ["../x", "a/b", "a b", "方案", ".", "a\n"])
def test_names_out_of_form(tmp_path: Path, bad: str) -> None:
    """Names that could leave the folder are refused, as scheme and as template."""
    store = TemplateStore(tmp_path)
    with pytest.raises(InvalidRequest):
        store.get("ai_ask", bad)
    with pytest.raises(InvalidRequest):
        store.get(bad)
    assert not store.has_scheme(bad)


def test_schemes(tmp_path: Path) -> None:
    """Schemes are the folders under custom, sorted; files are none."""
    write(tmp_path, "custom/b", "x")
    write(tmp_path, "custom/a", "x")
    (tmp_path / "custom" / "readme").write_text("x")
    store = TemplateStore(tmp_path)
    assert store.schemes() == ("a", "b")
    assert TemplateStore(tmp_path / "none").schemes() == ()
