"""The console's modules as one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gateway_service.console_files import FOLDER
from gateway_service.console_modules import joined

VENDORED = re.compile(r"^import \* as m\d+ from '\./vendor/preact\.js';$")


def written(folder: Path, **modules: str) -> Path:
    """Write modules below `app` and return their folder."""
    (folder / "app").mkdir()
    for name, text in modules.items():
        (folder / "app" / f"{name}.js").write_text(text, "utf-8")
    return folder


def test_each_module_stands_behind_what_it_imports(tmp_path: Path) -> None:
    """It is there once, whoever imports it, and what it exports is handed on by name."""
    top = "import { a as one } from './a.js';\nimport { b } from './b.js';\none(b);\n"
    b = "import { a } from './a.js';\nexport const b = a;\n"
    folder = written(tmp_path, main=top, a="export function a() {}\n", b=b)
    text = joined(folder)
    assert [text.count(f"// app/{name}.js") for name in ("a", "b", "main")] == [1, 1, 1]
    assert text.index("// app/a.js") < text.index("// app/b.js") < text.index("// app/main.js")
    assert "const { a: one } = m0;" in text


def test_the_consoles_own_modules_become_one() -> None:
    """Only what is vendored is imported; the editor and the drawing come when they are needed."""
    text = joined(FOLDER)
    imports = [line for line in text.splitlines() if line.startswith("import ")]
    assert [bool(VENDORED.match(line)) for line in imports] == [True]
    assert "import('./app/scripts/editor.js')" in text
    assert "import('./vendor/dagre.js')" in text
    assert "codemirror.js" not in text


@pytest.mark.parametrize(
    ("modules", "said"),
    [
        ({"main": "import { a } from './a.js';", "a": "import { b } from './main.js';"}, "each"),
        ({"main": "export default 1;"}, "this form is not known: export default 1;"),
        ({"main": "import * as all from './a.js';", "a": ""}, "this form is not known"),
    ],
)
def test_what_it_cannot_join_it_names(tmp_path: Path, modules: dict[str, str], said: str) -> None:
    """Rather than serve a page that does not run."""
    with pytest.raises(ValueError, match=said):
        joined(written(tmp_path, **modules))
