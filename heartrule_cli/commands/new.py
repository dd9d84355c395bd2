"""`heartrule new NAME`: writes a small script with comments, which checks clean and runs."""

from __future__ import annotations

import json
import re
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from executor_service.scripts.model.kinds import ID
from heartrule.words.language import language_in
from heartrule.words.words import say
from heartrule_cli.arguments.invocation import program_name
from heartrule_cli.failure import WRONG, Failure, of_file
from heartrule_cli.text import clean, table_lines

_STARTERS = Path(__file__).parent.parent / "starters"
# The name of the script that the starters hold.
_OWN_NAME = "my_script"
_SHOWN_NAME = re.compile(r"(session_name: )[^#\n]*[^#\n ]")
_LONGEST = 60
# What decides on the language of programs, the strongest first.
_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def new(args: Namespace, environ: Mapping[str, str]) -> int:
    """Write NAME.yaml into this folder, or the folder that NAME begins with.

    Raises:
        Failure: The name has no letter, or there is such a file.
    """
    path = Path(args.name)
    if path.suffix not in {".yaml", ".yml"}:
        path = path.with_name(path.name + ".yaml")
    text = starter(path.stem, language_of(environ))
    if path.exists():
        raise Failure(say("cli.new.exists", path=clean(str(path))), code=WRONG)
    with of_file(path, code=WRONG), path.open("x", encoding="utf-8") as file:
        file.write(text)
    program, language = program_name(), language_in(environ)
    print(clean(say("cli.written", path=str(path)).told(language)))
    commands = (say("cli.new.check"), "check"), (say("cli.new.talk"), "run")
    table = [(what.told(language), f"{program} {command} {path}") for what, command in commands]
    print(*map(clean, table_lines(table)), sep="\n")
    return 0


def starter(name: str, language: str) -> str:
    """Return the text of a new script, in `zh` or `en`; a Chinese name is also its name for people.

    Raises:
        Failure: No letter or digit is in the name.
    """
    text = (_STARTERS / f"starter.{language}.yaml").read_text(encoding="utf-8")
    script_id = id_of(name)
    if script_id != name:
        shown = json.dumps(name, ensure_ascii=False)
        text = _SHOWN_NAME.sub(lambda found: found[1] + shown, text)
    return text.replace(_OWN_NAME, script_id)


def id_of(name: str) -> str:
    """Return the name that programs have for a script: Chinese signs by their sounds.

    Raises:
        Failure: No letter or digit is in the name.
    """
    if re.fullmatch(ID, name):
        return name
    from pypinyin import lazy_pinyin

    words = re.findall(r"[A-Za-z0-9-]+", " ".join(lazy_pinyin(name)))
    found = "_".join(words)[:_LONGEST]
    if not found:
        raise Failure(say("cli.new.no_letter", name=clean(name)), code=WRONG)
    return found


def language_of(environ: Mapping[str, str]) -> str:
    """Return `en` where the terminal is set to English, else `zh`, as the prompts are Chinese."""
    words = (environ.get(name, "") for name in _LOCALE_VARIABLES)
    return "en" if next(filter(None, words), "").startswith("en") else "zh"
