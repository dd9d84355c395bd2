"""How routes are served: in the event loop, without a thread for each request."""

from __future__ import annotations

from inspect import iscoroutinefunction

import pytest
from fastapi.routing import APIRoute, iter_route_contexts

from gateway_service.app import make_api

ROUTES = [
    context.route
    for context in iter_route_contexts(make_api().routes)
    if isinstance(context.route, APIRoute)
]


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.methods} {route.path}")
def test_no_request_waits_for_a_thread(route: APIRoute) -> None:
    """FastAPI hands plain functions to a thread, which costs a first text half a millisecond."""
    called = [route.endpoint, *(each.call for each in route.dependant.dependencies)]
    assert [each for each in called if not iscoroutinefunction(each)] == []
