#!/usr/bin/env python3
"""Build the modules of other people that the console is served with, and note what they are.

Run by a developer after a change of scripts/console_vendor/package.json; needs npm. Its results are
committed, so that no one else builds anything: each module in the console's static/vendor folder, a
manifest with names, versions and digests, and the licences of all that went in.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "scripts" / "console_vendor"
TARGET = ROOT / "gateway_service" / "console" / "static" / "vendor"
MODULES = ("preact", "codemirror", "dagre", "eventsource", "uplot")
READY_MADE = {
    "swagger-ui.js": "swagger-ui-dist/swagger-ui-bundle.js",
    "swagger-ui.css": "swagger-ui-dist/swagger-ui.css",
    "uplot.css": "uplot/dist/uPlot.min.css",
}
"""Files by the names they get, that their packages ship built."""


def run(*command: str, cwd: Path) -> None:
    """Run a command in a folder; a failure ends us."""
    subprocess.run(command, cwd=cwd, check=True, stdin=subprocess.DEVNULL)


def bundle(work: Path) -> None:
    """Write each module as one minified file without imports."""
    for name in MODULES:
        run(
            "node_modules/.bin/esbuild",
            f"{name}.js",
            "--bundle",
            "--format=esm",
            "--minify",
            "--target=es2022",
            "--legal-comments=none",
            f"--outfile={TARGET / name}.js",
            cwd=work,
        )


def copy(work: Path) -> None:
    """Copy what is built already."""
    for name, built in READY_MADE.items():
        shutil.copyfile(work / "node_modules" / built, TARGET / name)


def packages(work: Path) -> list[tuple[str, str, str, str]]:
    """Return name, version, licence and licence text of each package that went into a module."""
    found = []
    for manifest in sorted((work / "node_modules").glob("**/package.json")):
        if manifest.parent.parent.name.startswith("."):
            continue
        if "esbuild" in str(manifest) or "@scarf" in str(manifest):  # they only build and install
            continue
        data = json.loads(manifest.read_text("utf-8"))
        if "version" not in data or "name" not in data:
            continue
        texts = sorted(manifest.parent.glob("LICENSE*"))[:1]
        texts += manifest.parent.glob("swagger-ui-bundle.js.LICENSE.txt")  # what it is built of
        text = "\n\n".join(path.read_text("utf-8").strip() for path in texts)
        found.append((data["name"], data["version"], str(data.get("license", "?")), text))
    return found


def describe(work: Path) -> None:
    """Write the manifest and the licences beside the modules."""
    all_packages = packages(work)
    manifest = {
        "packages": {name: {"version": v, "license": lic} for name, v, lic, _ in all_packages},
        "files": {
            name: hashlib.sha256((TARGET / name).read_bytes()).hexdigest()
            for name in (*(f"{module}.js" for module in MODULES), *READY_MADE)
        },
    }
    (TARGET / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")
    parts = [f"{name} {v} ({lic})\n\n{text}\n" for name, v, lic, text in all_packages]
    (TARGET / "LICENSES.txt").write_text(("\n" + "-" * 80 + "\n\n").join(parts), "utf-8")


def main() -> None:
    """Build everything anew from the pinned packages."""
    if not shutil.which("npm"):
        sys.exit("npm is needed to vendor the console's modules")
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "vendor"
        shutil.copytree(SOURCE, work)
        run("npm", "install", "--silent", "--no-package-lock", "--no-audit", "--no-fund", cwd=work)
        bundle(work)
        copy(work)
        describe(work)


if __name__ == "__main__":
    main()
