"""Which of several wordings is said: the first one that the client has not read lately. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from heartrule.model.reply.prose import plain_words


def first_unsaid(wordings: Sequence[str], said: Sequence[str]) -> str:
    """Return the first wording that is none of the messages before; empty: all were said."""
    before = {plain_words(each) for each in said}
    return next((each for each in wordings if plain_words(each) not in before), "")


def least_recent(wordings: Sequence[str], said: Sequence[str]) -> str:
    """Return the first wording that was not said, else the one said longest ago.

    Args:
        wordings: At least one.
        said: Messages before, oldest first.
    """
    last = {plain_words(each): at for at, each in enumerate(said)}
    return min(wordings, key=lambda each: last.get(plain_words(each), -1))
