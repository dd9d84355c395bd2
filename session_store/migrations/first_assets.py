"""The assets of the first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from session_store.migrations.columns import integer, key, text
from session_store.sql.types import Moment


def make_assets() -> None:
    """Make the table; what stands here never changes once it is released."""
    op.create_table(
        "assets",
        key("tenant"),
        key("sha256"),
        text("mime_type"),
        integer("size"),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("create_time", Moment, nullable=False),
    )
