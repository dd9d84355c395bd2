"""The two layers of templates, found by file and reloaded when changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from heartrule.domain.errors import InvalidRequest, NotFound
from heartrule.model.template import InvalidTemplate
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


@pytest.mark.parametrize(
    ("present", "answers"),
    [
        (["default", "default/en", "custom/cbt", "custom/cbt/en"], "custom/cbt/en"),
        (["default", "default/en", "custom/cbt"], "custom/cbt"),
        (["default", "default/en"], "default/en"),
        (["default"], "default"),
    ],
)
def test_a_language_has_a_folder_in_each_layer(
    tmp_path: Path, present: list[str], answers: str
) -> None:
    """The scheme counts before the language, and the language before Chinese."""
    for layer in present:
        write(tmp_path, layer, layer)
    store = TemplateStore(tmp_path)
    assert store.get("ai_ask", "cbt", "en").layer == answers
    assert not store.get("ai_ask", "cbt", "zh").layer.endswith("/en")


@pytest.mark.parametrize("text", ["no front matter", "---\ntemplate: [a\n---\n", "\udcff"])
def test_another_file_stands_for_a_broken_one(tmp_path: Path, text: str) -> None:
    """A file that breaks the rules is passed over, and named; a repaired one answers again."""
    write(tmp_path, "default", "默认")
    path = write(tmp_path, "custom/cbt", "认知")
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    store = TemplateStore(tmp_path)
    found = store.get("ai_ask", "cbt")
    assert (found.layer, found.instead_of) == ("default", "custom/cbt/ai_ask_v1.md")
    assert [each.source for each in store.broken()] == ["custom/cbt/ai_ask_v1.md"]
    write(tmp_path, "custom/cbt", "认知")
    assert store.get("ai_ask", "cbt").instead_of == ""
    assert store.broken() == ()


def test_a_broken_default_is_an_error(tmp_path: Path) -> None:
    """Nothing stands for the last file that could answer."""
    write(tmp_path, "default", "默认").write_text("x", encoding="utf-8")
    with pytest.raises(InvalidTemplate):
        TemplateStore(tmp_path).get("ai_ask")
