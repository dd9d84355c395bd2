#!/usr/bin/env python3
"""Every developer's command in one place; the Makefile only names them.

Runs on a bare Python 3.11 or newer, before anything is installed: standard library only.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
SCRIPT = "_system/scripts/low_mood_assessment.yaml"
CODE = (
    "heartrule",
    "heartrule_cli",
    "executor_service",
    "gateway_service",
    "monitor_service",
    "session_store",
    "tests",
    "scripts",
)
LOCKS = {"run": "requirements.lock", "dev": "requirements-dev.lock"}
ANALYSIS_LOCK = "requirements-analysis.lock"
"""What an image of workers installs: `run` with the extra `analysis`."""
MEGABYTES = {"run": 97, "dev": 345}
"""What pip downloads for a set-up: wheels for Linux."""
UNITS = {"B": 1e-6, "kB": 1e-3, "MB": 1.0, "GB": 1e3}
PROTOS = ROOT / "protos"
GENERATED = Path("heartrule/v1")


def tool(name: str) -> str:
    """Return the path of a tool in our virtual environment."""
    return str(BIN / (name + (".exe" if os.name == "nt" else "")))


def say(text: str) -> None:
    """Print a line for a person, beside the output proper."""
    print(text, file=sys.stderr, flush=True)


def call(*command: str, quiet: bool = False) -> None:
    """Run a command from the root; a failure ends us with its exit code."""
    output = subprocess.DEVNULL if quiet else None
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, check=False)
    if done.returncode:
        say(f"failed ({done.returncode}): {' '.join(command[:6])}")
        sys.exit(done.returncode)


def existing(names: Sequence[str]) -> list[str]:
    """Return those of our folders that are there."""
    return [name for name in names if (ROOT / name).exists()]


def base_python() -> str:
    """Return a Python of at least 3.11, ours or another on the path."""
    if sys.version_info[:2] >= OLDEST:
        return sys.executable
    for name in ("python3.14", "python3.13", "python3.12", "python3.11"):
        if found := shutil.which(name):
            return found
    sys.exit("HeartRule needs Python 3.11 or newer; set PYTHON=/path/to/python3.11")


# --- set-up ---------------------------------------------------------------------------------------


def stamp_of(kind: str) -> tuple[Path, str]:
    """Return the stamp file of a set-up and what it must hold to be current."""
    lock, project = ROOT / LOCKS[kind], ROOT / "pyproject.toml"
    digest = hashlib.sha256(lock.read_bytes() + project.read_bytes()).hexdigest()
    return VENV / f".heartrule-{kind}", digest


def is_current(kind: str) -> bool:
    """Say whether a set-up of this kind, or the wider one, is in place."""
    stamp, digest = stamp_of(kind)
    if stamp.exists() and stamp.read_text() == digest:
        return True
    return kind == "run" and is_current("dev")


def make_venv() -> None:
    """Create `.venv` with pip in it, or say what the system lacks."""
    if (BIN / "pip").exists() or (BIN / "pip.exe").exists():
        return
    made = subprocess.run(
        [base_python(), "-m", "venv", "--clear", str(VENV)],
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if made.returncode:
        say(made.stdout + made.stderr)
        sys.exit("cannot make a virtual environment; on Debian: apt-get install python3-venv")


def install(kind: str) -> None:
    """Make `.venv` hold exactly what the lock of this kind names, and ourselves."""
    if is_current(kind):
        return
    say(f"Setting up .venv, once: pip downloads about {MEGABYTES[kind]} MB")
    began = time.monotonic()
    say("1/3 making a virtual environment …")
    make_venv()
    pip = (tool("python"), "-m", "pip", "install", "--disable-pip-version-check")
    packages = len(re.findall(r"^[a-z0-9]\S*==", (ROOT / LOCKS[kind]).read_text(), re.MULTILINE))
    say(f"2/3 downloading and installing {packages} packages named in {LOCKS[kind]} …")
    install_packages(pip, LOCKS[kind], packages)
    say("3/3 installing HeartRule itself …")
    call(*pip, "-qq", "--no-deps", "--no-build-isolation", "-e", ".")
    stamp, digest = stamp_of(kind)
    stamp.write_text(digest)
    say(f"ready after {time.monotonic() - began:.0f} s")


def install_packages(pip: Sequence[str], lock: str, packages: int) -> None:
    """Install what a lock names and tell how far it is; a failure ends us with what pip said."""
    command = (*pip, "--progress-bar", "off", "--require-hashes", "-r", lock)
    process = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace",
    )  # fmt: skip
    assert process.stdout is not None
    progress, said = Progress(packages, live=sys.stderr.isatty()), []
    for line in process.stdout:
        said.append(line)
        for text in progress.take(line):
            print(text, end="", file=sys.stderr, flush=True)
    if process.wait():
        say(
            "\n"
            + "".join(said[-20:])
            + "\nthe set-up failed; run the same command to go on with it"
        )
        sys.exit(process.returncode)


class Progress:
    """What of pip's output a person sees: how many packages of all, and how many megabytes."""

    def __init__(self, packages: int, *, live: bool) -> None:
        """A `live` screen has one line that changes; another gets one for each ten packages."""
        self._packages, self._live = packages, live
        self._seen, self._bytes = 0, 0.0

    def take(self, line: str) -> Iterator[str]:
        """Yield what is to be printed for a line of pip's."""
        words = line.split()
        if words[:1] == ["Installing"]:
            yield "\r\x1b[K" if self._live else ""
            yield "    all are here; unpacking them takes up to a minute more …\n"
        if words[:1] == ["Downloading"] and (size := re.search(r"\(([\d.]+) ([kMG]?B)\)", line)):
            self._bytes += float(size[1]) * UNITS[size[2]]
        if words[:1] not in (["Collecting"], ["Ignoring"], ["Requirement"]):
            return
        self._seen += 1
        told = f"    {self._seen} of {self._packages} packages, {self._bytes:.0f} MB"
        if self._live:
            yield f"\r\x1b[K{told} · {words[1].split('=')[0]}"
        elif self._seen % 10 == 0:
            yield f"{told}\n"


def setup(_: Sequence[str]) -> None:
    """Make .venv with all that development needs."""
    install("dev")


# --- run and test ---------------------------------------------------------------------------------


def run(args: Sequence[str]) -> None:
    """Become `heartrule run` with the assessment script, our standard input kept."""
    install("run")
    command = [tool("heartrule"), "run", *(args or [SCRIPT])]
    os.chdir(ROOT)
    if os.name == "nt":
        sys.exit(subprocess.run(command, check=False).returncode)
    os.execv(command[0], command)


def test(args: Sequence[str]) -> None:
    """Run the tests without long repetitions, in about nine minutes; `-m long` runs those alone."""
    pytest(args if "-m" in args else ("-m", "not long", *args))


def test_all(args: Sequence[str]) -> None:
    """Run all tests."""
    pytest(args)


def pytest(args: Sequence[str]) -> None:
    """Become pytest; its last line has the number of tests and their time."""
    install("dev")
    # One more than cores: a quarter of the time is waiting, for services and for leases to end.
    workers = str((os.cpu_count() or 1) + 1)
    own = any(arg.startswith("-n") for arg in args)
    parallel = () if own else ("-n", workers, "--dist", "loadgroup", "--no-loadscope-reorder")
    command = [tool("python"), "-m", "pytest", *parallel, *args]
    # Compiled once, and not by each of the hundred services that the tests start.
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    done = subprocess.run(command, cwd=ROOT, env=environ, stdin=subprocess.DEVNULL, check=False)
    sys.exit(done.returncode)


def bench(args: Sequence[str]) -> None:
    """Run the benchmark of all goals."""
    install("dev")
    call(tool("python"), "tests/benchmarks/bench.py", *args)


def conversations(args: Sequence[str]) -> None:
    """Play written clients against scripted models, and print what went wrong."""
    install("dev")
    call(tool("python"), "-m", "tests.conversations", *args)


def real_model(args: Sequence[str]) -> None:
    """Play the same clients against the configured provider; without one, say so and end."""
    conversations(["--real", *args])


def bench_quick(args: Sequence[str]) -> None:
    """Run it in a few minutes; the figures are rough."""
    bench(["--quick", *args])


def chaos(args: Sequence[str]) -> None:
    """Kill, stop and cut off real processes, and check what they left."""
    install("dev")
    call(tool("python"), "-m", "tests.chaos", *args)


def fuzz(args: Sequence[str]) -> None:
    """Try generated requests, scripts and model replies."""
    install("dev")
    call(tool("python"), "-m", "tests.chaos.fuzz", *args)


# --- style ----------------------------------------------------------------------------------------


def lint(_: Sequence[str]) -> None:
    """Check style and import layers."""
    install("dev")
    call(tool("ruff"), "check", "--quiet", ".")
    call(tool("ruff"), "format", "--check", "--quiet", ".")
    call(tool("lint-imports"), "--no-cache")


def type_(_: Sequence[str]) -> None:
    """Check types strictly."""
    install("dev")
    call(tool("mypy"))


def console_types(_: Sequence[str]) -> None:
    """Check the types of the console's modules; skipped where there is no npm."""
    call(base_python(), "scripts/check_console.py", "types")


def console_format(_: Sequence[str]) -> None:
    """Rewrite the console's modules and styles in one style; skipped where there is no npm."""
    call(base_python(), "scripts/check_console.py", "format")


def format_(_: Sequence[str]) -> None:
    """Rewrite code and protos in the project's style."""
    install("dev")
    call(tool("ruff"), "check", "--fix-only", "--quiet", ".")
    call(tool("ruff"), "format", "--quiet", ".")
    call(tool("buf"), "format", "-w", "protos")


def check(args: Sequence[str]) -> None:
    """Check all that must be clean."""
    for step in (lint, type_, console_types, proto_check):
        print(f"── {step.__name__.strip('_').replace('_', '-')}", flush=True)
        step(args)
    print("all clean")


# --- protos ---------------------------------------------------------------------------------------


def generate(target: Path) -> None:
    """Write the generated code of all protos below `target`."""
    call(tool("python"), "scripts/gen_protos.py", "--out", str(target))


def proto(_: Sequence[str]) -> None:
    """Generate heartrule/v1 from protos/."""
    install("dev")
    with tempfile.TemporaryDirectory() as made:
        generate(Path(made))
        for old in (ROOT / GENERATED).glob("*_pb2*.py*"):
            old.unlink()
        shutil.copytree(Path(made) / GENERATED, ROOT / GENERATED, dirs_exist_ok=True)


def stale() -> list[str]:
    """Return the names of generated files that differ from what the protos give now."""
    with tempfile.TemporaryDirectory() as made:
        generate(Path(made))
        fresh = {path.name: path.read_bytes() for path in (Path(made) / GENERATED).glob("*.py*")}
    there = {path.name: path.read_bytes() for path in (ROOT / GENERATED).glob("*.py*")}
    return sorted(name for name in fresh | there if fresh.get(name) != there.get(name))


def proto_check(_: Sequence[str]) -> None:
    """Lint the protos, check their format, that nothing broke, that generated code is fresh."""
    install("dev")
    buf, baseline = tool("buf"), PROTOS / "baseline.binpb"
    call(buf, "lint", "protos")
    call(buf, "format", "-d", "--exit-code", "protos")
    call(buf, "breaking", "protos", "--against", str(baseline.relative_to(ROOT)))
    if names := stale():
        sys.exit(f"generated code is stale (make proto): {', '.join(names)}")


# --- words ----------------------------------------------------------------------------------------


def words(_: Sequence[str]) -> None:
    """Compile the catalogues of heartrule/words for programs and for the console."""
    install("dev")
    call(tool("python"), "-m", "scripts.compile_words")


# --- locks and cleaning ---------------------------------------------------------------------------


def lock(args: Sequence[str]) -> None:
    """Write the locks anew, without index addresses; `--upgrade` takes the newest versions."""
    install("dev")
    flags = (
        "--universal", "--python-version", "3.11", "--generate-hashes", "--no-header", "--quiet",
        "--no-annotate", "--no-emit-index-url", "--no-emit-find-links", *args,
    )  # fmt: skip
    compile_ = (tool("uv"), "pip", "compile", "pyproject.toml", *flags, "--extra", "build")
    call(*compile_, "-o", LOCKS["run"], quiet=True)
    call(*compile_, "--extra", "analysis", "-c", LOCKS["run"], "-o", ANALYSIS_LOCK, quiet=True)
    dev = (*compile_, "--extra", "analysis", "--extra", "dev")
    call(*dev, "-c", ANALYSIS_LOCK, "-o", LOCKS["dev"], quiet=True)


def clean(_: Sequence[str]) -> None:
    """Remove what can be made again."""
    caches = [".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".import_linter_cache"]
    for name in [".venv", "build", "dist", *caches]:
        shutil.rmtree(ROOT / name, ignore_errors=True)
    for folder in existing(CODE):
        for cache in (ROOT / folder).rglob("__pycache__"):
            shutil.rmtree(cache, ignore_errors=True)


COMMANDS: dict[str, Callable[[Sequence[str]], None]] = {
    "setup": setup, "run": run, "test": test, "test-all": test_all, "check": check, "lint": lint,
    "format": format_, "type": type_, "console-types": console_types,
    "console-format": console_format, "proto": proto, "proto-check": proto_check, "words": words,
    "lock": lock, "bench": bench, "bench-quick": bench_quick, "conversations": conversations,
    "real-model": real_model, "chaos": chaos, "fuzz": fuzz, "clean": clean,
}  # fmt: skip


def main() -> None:
    """Carry out the command named first; the rest are its arguments."""
    name, args = (sys.argv[1], sys.argv[2:]) if len(sys.argv) > 1 else ("help", [])
    if name not in COMMANDS:
        for known, command in COMMANDS.items():
            print(f"  {known:<12} {(command.__doc__ or '').splitlines()[0]}")
        sys.exit(0 if name in {"help", "-h", "--help"} else 2)
    COMMANDS[name](args)


if __name__ == "__main__":
    main()
