"""The first schema: every table of this release.

Nothing was released, so this migration makes the tables as the code has them: written out here they
would be kept twice and change together. The first release ends that. Its schema is then written out
below, as `alembic revision --autogenerate` gives it for an empty database, and stays: a later
migration starts from it. A test refuses a second migration beside a first that follows the code.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from session_store.sql.database.schema import metadata

revision = "0001"
down_revision = None

# Texts the planner chooses by; none of them holds text of a conversation.
_SAMPLED = frozenset({"tenant", "session_id", "outcome", "kept"})


def upgrade() -> None:
    """Make every table; keep PostgreSQL's statistics, which repeat values, from all other texts."""
    db = op.get_bind()
    # Unchecked: a table of this name that is there already is not ours, and must fail.
    metadata.create_all(db, checkfirst=False)
    if db.dialect.name != "postgresql":
        return
    for table in metadata.sorted_tables:
        for column in table.columns:
            if isinstance(column.type, sa.Text) and column.name not in _SAMPLED:
                name = f'{table.name} ALTER COLUMN "{column.name}"'
                op.execute(f"ALTER TABLE {name} SET STATISTICS 0")
