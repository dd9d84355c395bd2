"""The screen's figures on the development sentences do not fall below what was reached."""

from __future__ import annotations

import pytest

from tests.support.safety_cases import parts
from tests.support.safety_figures import goals, screened
from tests.support.shipped_files import shipped_screen

# At least, except for false alarms and frozen positions: at most. These are the figures reached,
# which no change of the rules may worsen; the goals are in docs/explanation/safety.md.
REACHED = {
    "en": {
        "plainly stated": 0.88,
        "false alarms": 0.032,
        "about others": 0.8,
        "about others, frozen": 0.011,
        "oblique, displaced, past": 0.6,
    },
    "zh": {
        "plainly stated": 0.955,
        "false alarms": 0.033,
        "about others": 0.87,
        "about others, frozen": 0.03,
        "oblique, displaced, past": 0.66,
    },
}
AT_MOST = {"false alarms", "about others, frozen"}
LANGUAGES = [language for language, held_out in parts() if not held_out]


@pytest.mark.parametrize("language", LANGUAGES)
def test_figures_do_not_fall(language: str) -> None:
    """Each figure of the development part is as good as the one written down."""
    found = goals(screened(shipped_screen(), language))
    worse = {
        name: str(found[name])
        for name, reached in REACHED[language].items()
        if (found[name].rate > reached if name in AT_MOST else found[name].rate < reached)
    }
    assert worse == {}
