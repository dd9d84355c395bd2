"""Watching what a store says to its database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa

from session_store.sql.database.prepared import Prepared


@contextmanager
def watched(note: Callable[[str, Any], None]) -> Iterator[None]:
    """Tell `note` of each statement, with the parameters of one of its rows."""
    form_of = Prepared._form

    def prepared(self: Prepared, db: sa.Connection, values: Any) -> Any:
        form = form_of(self, db, values)
        note(form.text, form.arguments(values))
        return form

    def executed(_db: Any, _cursor: Any, text: str, values: Any, *_: Any) -> None:
        note(text, values[0] if isinstance(values, list) else values)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Prepared, "_form", prepared)
        sa.event.listen(sa.Engine, "before_cursor_execute", executed)
        try:
            yield
        finally:
            sa.event.remove(sa.Engine, "before_cursor_execute", executed)
