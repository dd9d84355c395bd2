"""The messages of prompts, stored once for each session and hour; the ledger refers to them.

A prompt repeats its system text and the window of earlier messages: three quarters of what a turn
stored were repetitions. A session's parts are its own, so that an erasure finds them all.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b

import orjson
import sqlalchemy as sa
from sqlalchemy import Integer, Text, bindparam, select

from heartrule.domain.keys import SessionKey
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.schema import json_pairs
from session_store.sql.database.statements import at, insert_new, of
from session_store.sql.database.tables_beside import prompt_parts

# Parts one transaction deletes, so that no other writer waits long.
DELETE_BATCH = 2_000
# Bytes of a name's hash: twelve characters, and parts of one session and hour never meet by chance.
_HASH_BYTES = 9
_HOUR_S = 3600
# Before the name of a prompt that is no JSON array of messages, and is one part.
_WHOLE = "="
# Lines of the last message from this length on are parts of their own: most are a template's.
_LONG_LINE = 20
_LINE_END = "\\n"  # as JSON writes it

# All parts of a prompt in one parameter: a row for each costs ten times as much on PostgreSQL.
_PAIRS = json_pairs(bindparam("parts", type_=Text)).table_valued("key", "value")
_NEW = select(
    sa.cast(bindparam("at_tenant"), Text),
    sa.cast(bindparam("at_session"), Text),
    sa.cast(bindparam("at_hour"), Integer),
    _PAIRS.c.key,
    _PAIRS.c.value,
).where(sa.true())  # SQLite reads ON CONFLICT as a join's ON without it
_INSERT = Prepared(insert_new(prompt_parts).from_select(list(prompt_parts.c), _NEW))
_FIND = select(prompt_parts.c.hour, prompt_parts.c.name, prompt_parts.c.text).where(
    of(prompt_parts),
    prompt_parts.c.hour.in_(bindparam("hours", expanding=True)),
    prompt_parts.c.name.in_(bindparam("names", expanding=True)),
)
_ROW = sa.tuple_(*prompt_parts.primary_key.columns)
_OLD = select(*prompt_parts.primary_key.columns).where(prompt_parts.c.hour < bindparam("before"))
_DELETE = prompt_parts.delete().where(_ROW.in_(_OLD.limit(DELETE_BATCH)))
# No string has this: JSON escapes its quotes. Whatever is cut here is joined to what it was.
_NEXT = re.compile(r',(?=\{")')
# Between the parts of a message; messages are apart by blanks.
_PART = "."
_NAME = re.compile(r"[\w-]+")


def store(db: sa.Connection, key: SessionKey, prompts: Iterable[tuple[str, datetime]]) -> list[str]:
    """Store what is new of prompts and return for each the names that `texts_of` reads it by."""
    texts: dict[int, dict[str, str]] = {}
    named: list[str] = []
    salted = _salted(key)
    for prompt, made_at in prompts:
        messages = _messages(prompt)
        names = {
            part: _name(salted, part) for message in messages or [[prompt]] for part in message
        }
        texts.setdefault(_hour(made_at), {}).update((name, part) for part, name in names.items())
        of_messages = [_PART.join(names[part] for part in message) for message in messages]
        named.append(" ".join(of_messages) if messages else _WHOLE + names[prompt])
    for hour, parts in texts.items():
        _INSERT.run(db, at(key) | {"at_hour": hour, "parts": orjson.dumps(parts).decode()})
    return named


def texts_of(
    db: sa.Connection, key: SessionKey, named: Sequence[tuple[str, datetime]]
) -> list[str]:
    """Return the prompts of these names and times; empty for no names or for parts that went."""
    wanted = {name for names, _ in named for name in _NAME.findall(names)}
    if not wanted:
        return [""] * len(named)
    hours = {_hour(made_at) for _, made_at in named}
    rows = db.execute(_FIND, at(key) | {"hours": sorted(hours), "names": sorted(wanted)})
    found = {(row.hour, row.name): row.text for row in rows}
    return [_joined(names, _hour(made_at), found) for names, made_at in named]


def delete_before(db: sa.Connection, before: datetime) -> int:
    """Delete a batch of parts whose hour ended before a moment; return how many it was."""
    return db.execute(_DELETE, {"before": _hour(before)}).rowcount


def _joined(names: str, hour: int, found: Mapping[tuple[int, str], str]) -> str:
    if not all((hour, name) in found for name in _NAME.findall(names)):
        return ""
    if names.startswith(_WHOLE):
        return found[hour, names.removeprefix(_WHOLE)]
    messages = [
        "".join(found[hour, name] for name in message.split(_PART)) for message in names.split()
    ]
    return f"[{','.join(messages)}]" if messages else ""


def _messages(prompt: str) -> list[list[str]]:
    """Return the parts of a JSON array's objects; nothing for any other text."""
    inner = prompt[1:-1]
    if not inner or (prompt[0], prompt[-1]) != ("[", "]"):
        return []
    *texts, last = _NEXT.split(inner)
    return [*([text] for text in texts), _lines(last)]


def _lines(message: str) -> list[str]:
    """Return a message in pieces: long lines, and the short lines between them."""
    pieces = [""]
    for line in message.split(_LINE_END):
        ended = line + _LINE_END
        if len(line) < _LONG_LINE:
            pieces[-1] += ended
        else:
            pieces += [ended, ""]
    whole = [piece for piece in pieces if piece]
    return [*whole[:-1], whole[-1].removesuffix(_LINE_END)]


def _salted(key: SessionKey) -> blake2b:
    """Return the hash of a session: the same text has another name in another one."""
    salt = blake2b(key.session_id.encode(), digest_size=16).digest()
    return blake2b(digest_size=_HASH_BYTES, salt=salt)


def _name(salted: blake2b, part: str) -> str:
    """Return a part's name."""
    digest = salted.copy()
    digest.update(part.encode())
    return urlsafe_b64encode(digest.digest()).decode()


def _hour(moment: datetime) -> int:
    return int(moment.timestamp()) // _HOUR_S
