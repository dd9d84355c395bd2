"""Bodies and queries of rehearsals."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from gateway_service.bodies import Name, QueryParameters, Required, ScriptFiles


class RehearsalQuery(QueryParameters):
    """How a session is written as a rehearsal."""

    title: Name = ""
    """One sentence: what it shows; empty: the script's name."""


class RehearseScript(ScriptFiles):
    """A script to rehearse."""

    paths: Annotated[tuple[Required, ...], Field(max_length=20)] = ()
    """Conversations to play; none: all below `rehearsals/`."""
