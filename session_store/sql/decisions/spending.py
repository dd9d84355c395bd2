"""Counters of what runs of workflows used: the session's, and the tenant's of one minute."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.keys import SessionKey
from session_store.records import Spending, SpentSoFar
from session_store.sql.database.prepared import Prepared, now_of
from session_store.sql.database.statements import Found, at, insert_new, of, owned, upsert
from session_store.sql.database.tables_of_decisions import session_spending, tenant_spending
from session_store.sql.sessions import sessions

_OF_SESSION = Prepared(select(session_spending).where(of(session_spending)))
_WRITE = Prepared(upsert(session_spending))
_THE_TENANTS = select(tenant_spending).where(tenant_spending.c.tenant == bindparam("at_tenant"))
_OF_TENANT = Prepared(_THE_TENANTS)
_LOCK_TENANT = Prepared(_THE_TENANTS.with_for_update())
_BEGIN_TENANT = Prepared(insert_new(tenant_spending))
_WRITE_TENANT = Prepared(upsert(tenant_spending))


def spent(db: sa.Connection, key: SessionKey) -> SpentSoFar:
    """Return what runs used; NotFound for a deleted session."""
    sessions.read(db, key)
    of_tenant = _OF_TENANT.row(db, {"at_tenant": key.tenant})
    return _so_far(_OF_SESSION.row(db, at(key)), of_tenant, minute_of(now_of(db)))


def spend(db: sa.Connection, spending: Spending) -> bool:
    """Count what is about to be used; False, and nothing is counted, where it passes a limit.

    Whichever processes call this at once, no limit is passed. What is counted stays so: a turn
    that is taken back has used it all the same, and a fork has used nothing yet.
    """
    key = spending.key
    locked = sessions.lock(db, key)  # before the tenant's row, so that no two wait for each other
    minute, of_tenant = minute_of(locked.now), None
    if spending.api_calls:
        none = {"tenant": key.tenant, "minute": minute, "api_calls": 0}
        _BEGIN_TENANT.run(db, none)
        of_tenant = _LOCK_TENANT.row(db, {"at_tenant": key.tenant})
        minute = max(minute, of_tenant.minute)  # another session's may have begun since
    before = _so_far(_OF_SESSION.row(db, at(key)), of_tenant, minute)
    after = SpentSoFar(
        llm_tokens=before.llm_tokens + spending.llm_tokens,
        api_calls=before.api_calls + spending.api_calls,
        tenant_api_calls=before.tenant_api_calls + spending.api_calls,
    )
    if _passes(spending, after):
        return False
    counted = {"llm_tokens": after.llm_tokens, "api_calls": after.api_calls}
    _WRITE.run(db, owned(key) | counted)
    if of_tenant is not None:
        calls = {"minute": minute, "api_calls": after.tenant_api_calls}
        _WRITE_TENANT.run(db, {"tenant": key.tenant} | calls)
    return True


def _passes(spending: Spending, after: SpentSoFar) -> bool:
    """Return whether one of what is used more of is beyond its limit."""
    limits = spending.limits
    counters = (
        (spending.llm_tokens, after.llm_tokens, limits.llm_tokens),
        (spending.api_calls, after.api_calls, limits.api_calls),
        (spending.api_calls, after.tenant_api_calls, limits.tenant_api_calls),
    )
    return any(added and most is not None and used > most for added, used, most in counters)


def _so_far(of_session: Found, of_tenant: Found, minute: datetime) -> SpentSoFar:
    in_minute = of_tenant is not None and of_tenant.minute >= minute
    return SpentSoFar(
        llm_tokens=of_session.llm_tokens if of_session else 0,
        api_calls=of_session.api_calls if of_session else 0,
        tenant_api_calls=of_tenant.api_calls if in_minute else 0,
    )


def minute_of(now: datetime) -> datetime:
    """Return the beginning of the minute."""
    return now.replace(second=0, microsecond=0)
