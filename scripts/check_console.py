#!/usr/bin/env python3
"""Check the types of the console's own modules, or rewrite them in one style.

`types` runs TypeScript over the modules' JSDoc, `format` runs prettier. Both tools are pinned in
scripts/console_check/package.json and installed beside it by the first use; needs npm. Without npm
nothing is done, and REQUIRE_ALL=1 makes that a failure.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / "scripts" / "console_check"
STATIC = ROOT / "gateway_service" / "console" / "static"
INSTALLED = TOOLS / "node_modules"
# Modules with logic name every type; what a view is given, the contract's, may be open.
PROJECTS = ("tsconfig.json", "tsconfig.views.json")
STAMP = INSTALLED / ".installed.json"


def run(*command: str, cwd: Path) -> None:
    """Run a command in a folder; a failure ends us with its code."""
    done = subprocess.run(command, cwd=cwd, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(done.returncode)


def install() -> None:
    """Install the pinned tools, unless they are there."""
    wanted = (TOOLS / "package.json").read_text("utf-8")
    if STAMP.exists() and STAMP.read_text("utf-8") == wanted:
        return
    quiet = ("--silent", "--no-package-lock", "--no-audit", "--no-fund")
    run("npm", "install", *quiet, cwd=TOOLS)
    STAMP.write_text(wanted, "utf-8")


def types() -> None:
    """Check the modules beside the types of what is vendored, which is minified where it lies."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        shutil.copytree(STATIC / "app", work / "app")
        shutil.copytree(TOOLS / "vendor", work / "vendor")
        for name in (*PROJECTS, "types.d.ts"):
            shutil.copy(TOOLS / name, work)
        (work / "node_modules").symlink_to(INSTALLED)
        for project in PROJECTS:
            run(str(INSTALLED / ".bin" / "tsc"), "--project", project, cwd=work)


def format_() -> None:
    """Rewrite the modules without templates, and the styles.

    In a template prettier takes a line break for a space, and htm leaves it out.
    """
    modules = (STATIC / "app").rglob("*.js")
    plain = [str(each) for each in modules if "html`" not in each.read_text("utf-8")]
    written = (*plain, "docs/*.js", "console.css")
    style = ("--config", str(TOOLS / "prettier.json"), "--log-level", "warn")
    run(str(INSTALLED / ".bin" / "prettier"), "--write", *style, *written, cwd=STATIC)


def main() -> None:
    """Do what the first argument names."""
    commands = {"types": types, "format": format_}
    command = commands.get(" ".join(sys.argv[1:]))
    if command is None:
        sys.exit(f"usage: check_console.py {'|'.join(commands)}")
    if not shutil.which("npm"):
        told = "no npm: the console's modules are not checked"
        sys.exit(told) if os.environ.get("REQUIRE_ALL") else print(f"skipped, {told}")
        return
    install()
    command()


if __name__ == "__main__":
    main()
