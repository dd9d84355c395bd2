"""show_pic: where a picture comes from."""

from __future__ import annotations

from urllib.parse import urlsplit

from executor_service.scripts.loading.bundle import ASSETS_FOLDER, path_problem
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.section import Section
from executor_service.scripts.model.actions import PictureConfig
from executor_service.scripts.model.rules import Rule
from executor_service.scripts.model.wording import nearest, quoted


def check_picture(section: Section, made: PictureConfig, reader: Reader) -> PictureConfig:
    """Return a show_pic; a source that cannot be shown is reported."""
    source = made.source
    problem = _problem(source) if source else ""
    if problem:
        section.findings.error(section.spot_of("source"), problem, Rule.BAD_SOURCE)
    elif source.startswith(ASSETS_FOLDER):
        _check_file(source, section, reader)
    return made


def _problem(source: str) -> str:
    """Return why `source` is no place of a picture; "" when it is one."""
    if "{" in source:
        return "`source` is fixed; a placeholder cannot stand in it"
    if not source.startswith(ASSETS_FOLDER):
        if _is_https(source):
            return ""
        wanted = f"write an https address, or a path below {ASSETS_FOLDER}"
        return f"`source` is {quoted(source)}; {wanted}"
    unsafe = path_problem(source)
    return f"`source` is {quoted(source)}; {unsafe}" if unsafe else ""


def _check_file(source: str, section: Section, reader: Reader) -> None:
    context = reader.spotter.context
    known = context.environment.assets
    if known is None or source in known or source in context.files:
        return
    own = [path for path in context.files if path.startswith(ASSETS_FOLDER)]
    meant = nearest(source, (*own, *known))
    hint = f"did you mean `{meant}`?" if meant else f"put it into {ASSETS_FOLDER} beside the script"
    message = f"there is no file {quoted(source)}; {hint}"
    section.findings.error(section.spot_of("source"), message, Rule.MISSING_FILE)


def _is_https(source: str) -> bool:
    try:
        parts = urlsplit(source)
        plain = source.isprintable() and " " not in source
        return parts.scheme == "https" and bool(parts.hostname) and plain
    except ValueError:
        return False
