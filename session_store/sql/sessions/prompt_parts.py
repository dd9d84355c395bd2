"""The messages of prompts, stored once for each session and hour; the ledger refers to them.

A prompt repeats its system text and the window of earlier messages: three quarters of what a turn
stored were repetitions. A session's parts are its own, so that an erasure finds them all.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.keys import SessionKey
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import at, insert_new, of, owned
from session_store.sql.database.tables_beside import prompt_parts

# Parts one transaction deletes, so that no other writer waits long.
DELETE_BATCH = 2_000
# Bytes of a name's hash: twelve characters, and parts of one session and hour never meet by chance.
_HASH_BYTES = 9
_HOUR_S = 3600
# Before the names of a prompt that is no JSON array of messages, and is one part.
_WHOLE = "="

_INSERT = Prepared(insert_new(prompt_parts))
_FIND = select(prompt_parts.c.hour, prompt_parts.c.name, prompt_parts.c.text).where(
    of(prompt_parts), prompt_parts.c.name.in_(bindparam("names", expanding=True))
)
_ROW = sa.tuple_(*prompt_parts.primary_key.columns)
_OLD = select(*prompt_parts.primary_key.columns).where(prompt_parts.c.hour < bindparam("before"))
_DELETE = prompt_parts.delete().where(_ROW.in_(_OLD.limit(DELETE_BATCH)))
_DECODER = json.JSONDecoder()


def store(db: sa.Connection, key: SessionKey, prompts: Iterable[tuple[str, datetime]]) -> list[str]:
    """Store what is new of prompts and return for each the names that `texts_of` reads it by."""
    rows: dict[tuple[int, str], dict[str, object]] = {}
    named: list[str] = []
    for prompt, made_at in prompts:
        parts = _messages(prompt)
        names = [_name(key, part) for part in parts or [prompt]]
        for name, part in zip(names, parts or [prompt], strict=True):
            row = {"hour": _hour(made_at), "name": name, "text": part}
            rows[_hour(made_at), name] = owned(key) | row
        named.append(" ".join(names) if parts else _WHOLE + names[0])
    _INSERT.run_each(db, list(rows.values()))
    return named


def texts_of(
    db: sa.Connection, key: SessionKey, named: Sequence[tuple[str, datetime]]
) -> list[str]:
    """Return the prompts of these names and times; empty for no names or for parts that went."""
    wanted = {name for names, _ in named for name in names.removeprefix(_WHOLE).split()}
    if not wanted:
        return [""] * len(named)
    rows = db.execute(_FIND, at(key) | {"names": sorted(wanted)})
    found = {(row.hour, row.name): row.text for row in rows}
    return [_joined(names, _hour(made_at), found) for names, made_at in named]


def delete_before(db: sa.Connection, before: datetime) -> int:
    """Delete a batch of parts whose hour ended before a moment; return how many it was."""
    return db.execute(_DELETE, {"before": _hour(before)}).rowcount


def _joined(names: str, hour: int, found: Mapping[tuple[int, str], str]) -> str:
    parts = [found.get((hour, name)) for name in names.removeprefix(_WHOLE).split()]
    texts = [part for part in parts if part is not None]
    if not texts or len(texts) < len(parts):
        return ""
    return texts[0] if names.startswith(_WHOLE) else f"[{','.join(texts)}]"


def _messages(prompt: str) -> list[str]:
    """Return the texts of a JSON array's elements; nothing where they do not make the prompt."""
    parts: list[str] = []
    place = 1
    try:
        while place < len(prompt):
            _, end = _DECODER.raw_decode(prompt, place)
            parts.append(prompt[place:end])
            place = end + 1  # behind the comma, or the end
    except ValueError:
        return []
    return parts if f"[{','.join(parts)}]" == prompt else []


def _name(key: SessionKey, part: str) -> str:
    """Return a part's name; the same text has another one in another session."""
    salt = blake2b(key.session_id.encode(), digest_size=16).digest()
    digest = blake2b(part.encode(), digest_size=_HASH_BYTES, salt=salt).digest()
    return urlsafe_b64encode(digest).decode()


def _hour(moment: datetime) -> int:
    return int(moment.timestamp()) // _HOUR_S
