"""How large and how deep a payload may be (document 002, section 3.1; RESOLUTIONS D11)."""

from __future__ import annotations

import json
from collections.abc import Mapping

from heartrule.domain.decisions import FindingCode, RuleFinding
from heartrule.domain.json_value import JsonValue, inside, is_deeper, levels_in

MOST_BYTES = 1_048_576
"""Of compact UTF-8 JSON."""
MOST_LEVELS = 32
"""Of mappings and lists, the payload itself counted; a plan with loops has a dozen."""
LONGEST_KEY = 200
"""Characters of an object's key, which stands in the path of each fault below it."""
FEW_VALUES = 4_096
"""Values and keys of a payload that is read in some milliseconds, whatever is wrong with it."""
FEW_CHARACTERS = 65_536
"""Characters of its texts and keys together."""
SIZE_LIMITS = "3.1.3 resource limits"


def size_findings(payload: JsonValue) -> tuple[RuleFinding, ...]:
    """Return what is too deep or too large; never corrected (D4)."""
    if is_too_deep(payload):
        # Its bytes are not counted: the encoder recurses.
        return (_too_large(f"the payload is nested deeper than {MOST_LEVELS} levels"),)
    if _has_long_key(payload):
        return (_too_large(f"a key of the payload has more than {LONGEST_KEY} characters"),)
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    size = len(text.encode(errors="surrogatepass"))
    if size > MOST_BYTES:
        return (_too_large(f"the payload has {size} bytes, at most {MOST_BYTES} are allowed"),)
    return ()


def is_small(payload: JsonValue) -> bool:
    """Return whether a payload has few values and characters; it counts no further than that."""
    left, values, characters = [payload], 1, 0
    while left and values <= FEW_VALUES and characters <= FEW_CHARACTERS:
        each = left.pop()
        if isinstance(each, str):
            characters += len(each)
        elif isinstance(each, Mapping | list | tuple):
            values += len(each)
            # What has too many values is not copied here, only to be left unread.
            if values <= FEW_VALUES:
                left += inside(each)
                characters += sum(map(len, each)) if isinstance(each, Mapping) else 0
    return values <= FEW_VALUES and characters <= FEW_CHARACTERS


def is_too_deep(payload: JsonValue) -> bool:
    """Return whether a payload is nested deeper than `MOST_LEVELS`."""
    return is_deeper(payload, MOST_LEVELS)


def _has_long_key(payload: JsonValue) -> bool:
    holders = (each for level in levels_in(payload) for each in level if isinstance(each, Mapping))
    return any(len(key) > LONGEST_KEY for each in holders for key in each)


def _too_large(message: str) -> RuleFinding:
    return RuleFinding(FindingCode.TOO_LARGE, "", message, SIZE_LIMITS)
