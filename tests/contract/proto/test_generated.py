"""heartrule/v1 is what the protos give, and imports in silence."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in folder.iterdir() if path.is_file()}


def test_the_generated_code_is_fresh(tmp_path: Path) -> None:
    """Generating anew gives the same files with the same text, none more and none less."""
    script = ROOT / "scripts/gen_protos.py"
    subprocess.run([sys.executable, script, "--out", tmp_path], check=True)
    assert texts(tmp_path / "heartrule/v1") == texts(ROOT / "heartrule/v1")


def test_the_generated_code_imports_without_a_warning() -> None:
    """A fresh interpreter in which warnings are errors imports every module."""
    modules = [path.stem for path in sorted((ROOT / "heartrule/v1").glob("*_pb2*.py"))]
    code = "\n".join(f"import heartrule.v1.{module}" for module in modules)
    subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=ROOT, check=True)
    assert "conversation_service_pb2_grpc" in modules
