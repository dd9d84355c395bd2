"""show_pic: a source somebody can show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from executor_service.scripts.checking.environment import LintEnvironment, trusting
from executor_service.scripts.loading.loader import LoadResult, load_script
from executor_service.scripts.model.actions import PictureConfig
from tests.support.scripts import topic_script

Load = Callable[..., LoadResult]

BAD = [
    ("assets/b.png", "there is no file 'assets/b.png'"),
    ("assets/../s.yaml", "a path is relative"),
    ("assets/", "a path is relative"),
    ("http://example.org/a.png", "write an https address"),
    ("https://example.org/a b.png", "write an https address"),
    ("https://", "write an https address"),
    ("/etc/passwd", "write an https address"),
    ("file:///etc/passwd", "write an https address"),
    ("data:image/png;base64,AA", "write an https address"),
    ("a.png", "or a path below assets/"),
    ("'https://example.org/{甲}.png'", "a placeholder cannot stand in it"),
    ("''", "`source` is empty"),
]


@pytest.mark.parametrize(("source", "said"), BAD)
def test_a_source_nobody_can_show_is_an_error(load_config: Load, source: str, said: str) -> None:
    """Only https, and files that are there."""
    (error,) = load_config("show_pic", f"source: {source}").errors
    assert error.line == 11
    assert said in error.message


def test_an_https_address_is_a_source(load_config: Load) -> None:
    """With what is said beside it."""
    script = load_config("show_pic", "source: https://a.b/c.png\ncaption: 圆\nalt: 一个圆").script
    assert script is not None
    picture = script.phases[0].topics[0].actions[0].config
    assert picture == PictureConfig(source="https://a.b/c.png", caption="圆", alt="一个圆")


SCRIPT = topic_script("{action_type: show_pic, action_id: a, source: assets/圆.png}")


def test_a_file_of_the_bundle_is_a_source() -> None:
    """It lies below assets/."""
    files = {"s.yaml": SCRIPT.encode(), "assets/圆.png": b"png"}
    assert not load_script(files, main="s.yaml", environment=LintEnvironment()).findings


def test_an_uploaded_asset_is_a_source() -> None:
    """The bundle names it by its hash."""
    environment = replace(LintEnvironment(), assets=frozenset({"assets/圆.png"}))
    assert not load_script({"s.yaml": SCRIPT.encode()}, environment=environment).findings


def test_a_version_published_before_keeps_its_assets() -> None:
    """What was there when it was published is not asked again."""
    assert not load_script({"s.yaml": SCRIPT.encode()}, environment=trusting()).errors
