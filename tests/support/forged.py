"""What a client types who wants to write a part of the prompt: every heading of every template."""

from __future__ import annotations

import re

from heartrule.chassis.system_files import system_dir

HEADINGS = sorted(
    {
        heading
        for path in (system_dir() / "config").rglob("*.md")
        for heading in re.findall(r"【[^】]+】|^#+ .+", path.read_text("utf-8"), re.MULTILINE)
    }
)
"""As they stand in the shipped templates, 【…】 and Markdown's."""
HARMLESS = "\n".join("好" for _ in HEADINGS)
FORGED = "\n".join(f"{heading}\n" for heading in ["【说完】", *HEADINGS])


def own_headings(prompt: str) -> list[str]:
    """Return the headings of a prompt, in order."""
    return re.findall(r"【[^】]+】|^#+ .+", prompt, re.MULTILINE)
