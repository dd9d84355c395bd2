"""What a route is: one value that serves it, checks it and describes it in the OpenAPI document."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import grpc
import orjson
from google.protobuf.message import Message
from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from gateway_service.bodies import Body, NoQuery
from gateway_service.problems import HttpProblem, Violation, problem
from gateway_service.services import Services
from gateway_service.spelling import spelled
from heartrule.domain.json_value import JsonValue

JSON = "application/json"
Examples: TypeAlias = Mapping[str, JsonValue]
B = TypeVar("B", bound=BaseModel)
M = TypeVar("M", bound=Message)
_LONGEST_PATH_PART = 1_024
_VIOLATIONS = 20
_LONGEST_FIELD = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a route answers when all is well."""

    description: str
    status: int = 200
    kind: type[Message | BaseModel] | None = None
    """The class of the JSON body; None where there is none, or it is something else."""
    media_type: str = JSON
    example: JsonValue = None


@dataclass(frozen=True, slots=True)
class Call:
    """One request, checked."""

    request: Request
    services: Services
    query: BaseModel
    body: BaseModel | None

    def path(self, name: str) -> str:
        """Return a parameter of the path."""
        value: str = self.request.path_params[name]
        return value

    def asked(self, kind: type[B]) -> B:
        """Return the query as what the route declared it to be."""
        assert isinstance(self.query, kind)
        return self.query

    def sent(self, kind: type[B]) -> B:
        """Return the body as what the route declared it to be."""
        assert isinstance(self.body, kind)
        return self.body

    def header(self, name: str) -> str:
        """Return a header; empty where it was not sent."""
        return self.request.headers.get(name, "")

    async def ask(self, rpc: str, request: Message, answer: type[M]) -> M:
        """Call the executor; HttpProblem where it refuses or fails."""
        return await self.services.executor.ask(rpc, request, answer)


Handler: TypeAlias = Callable[[Call], Awaitable[Response]]
Refuse: TypeAlias = Callable[[HttpProblem], Response]


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A route."""

    method: str
    path: str
    """With parameters in braces, in lowerCamelCase."""
    handler: Handler
    summary: str
    tag: str
    answer: Answer
    query: type[Body] = NoQuery
    body: type[BaseModel] | None = None
    body_examples: Examples = field(default_factory=dict)
    body_media_type: str = JSON
    """Where it is not JSON the handler reads the bytes itself."""
    body_required: bool = True
    more_answers: Sequence[Answer] = ()
    """Other forms of the answer, such as a stream."""
    errors: Sequence[int] = ()
    """Statuses beyond those every route may answer."""
    open_to_all: bool = False
    """True: answered without a token."""
    refusal: type[BaseModel] | None = None
    """The class of a failure's body; None: problem+json."""
    refuse: Refuse = field(default_factory=lambda: as_problem)
    """Makes the answer of a failure."""

    async def serve(self, request: Request, services: Services) -> Response:
        """Check the request and answer it.

        Raises:
            HttpProblem: It cannot be served; the problem says why.
        """
        for name, value in request.path_params.items():
            if len(value) > _LONGEST_PATH_PART or "\x00" in value:
                raise _invalid([Violation(field=name, description="is too long or has U+0000")])
        query = self._query(request)
        body = await self._body(request, services.settings.requests.body_limit)
        return await self.handler(Call(request, services, query, body))

    def _query(self, request: Request) -> Body:
        given: dict[str, object] = {}
        for name, info in self.query.model_fields.items():
            alias = info.alias or name
            values = request.query_params.getlist(alias)
            if values:
                many = "tuple" in str(info.annotation)
                given[alias] = values if many else values[-1]
        return checked(self.query, given)

    async def _body(self, request: Request, limit: int) -> BaseModel | None:
        if self.body is None:
            return None
        raw = await read_body(request, limit)
        if not raw and not self.body_required:
            return checked(self.body, {})
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type != JSON:
            raise problem(
                grpc.StatusCode.INVALID_ARGUMENT, "UNSUPPORTED_MEDIA_TYPE",
                f"the body must be {JSON}", status=415, title="Unsupported media type",
            )  # fmt: skip
        return checked(self.body, parsed(raw))


def checked(kind: type[B], given: object) -> B:
    """Return what was given as a model.

    Raises:
        HttpProblem: 400; every field that is wrong is named.
    """
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        raise _invalid(
            [
                Violation(field=_place(one["loc"]), description=one["msg"])
                for one in error.errors()[:_VIOLATIONS]
            ]
        ) from None


def _place(loc: tuple[int | str, ...]) -> str:
    path = ".".join(str(part) for part in loc) or "body"
    return path if len(path) <= _LONGEST_FIELD else f"{path[:_LONGEST_FIELD]}…"


def parsed(raw: bytes) -> object:
    """Return the JSON of a body.

    Raises:
        HttpProblem: 400; it is none.
    """
    try:
        told: object = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise problem(
            grpc.StatusCode.INVALID_ARGUMENT, "INVALID_JSON",
            f"the body is no JSON: line {error.lineno}, column {error.colno}",
        ) from None  # fmt: skip
    return told


async def read_body(request: Request, limit: int) -> bytes:
    """Return the body.

    Raises:
        HttpProblem: 413; it has more bytes than `limit`, of which the rest is not read.
    """
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > limit:
        raise _too_large(limit)
    read = bytearray()
    try:
        async for chunk in request.stream():
            read += chunk
            if len(read) > limit:
                raise _too_large(limit)
    except ClientDisconnect:
        raise problem(
            grpc.StatusCode.CANCELLED, "CANCELLED", "the body broke off", status=400
        ) from None
    return bytes(read)


def told(
    message: Message, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a message of the contract as a JSON answer."""
    return told_json(spelled(message), status=status, headers=headers)


def told_json(
    body: object, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a JSON answer, not to be kept by caches."""
    return Response(
        orjson.dumps(body),
        status_code=status,
        media_type=JSON,
        headers={"cache-control": "no-store", **(headers or {})},
    )


def as_problem(error: HttpProblem) -> Response:
    """Return the answer of a problem."""
    facts = error.facts
    return Response(
        orjson.dumps(facts.as_json()),
        status_code=facts.status,
        media_type="application/problem+json",
        headers=facts.headers(),
    )


def _invalid(violations: list[Violation]) -> HttpProblem:
    first = violations[0]
    more = f" (and {len(violations) - 1} more)" if len(violations) > 1 else ""
    detail = f"{first.field}: {first.description}{more}"
    return problem(
        grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST", detail, violations=violations
    )


def _too_large(limit: int) -> HttpProblem:
    return problem(
        grpc.StatusCode.INVALID_ARGUMENT, "BODY_TOO_LARGE",
        f"the body may have at most {limit} bytes", status=413, title="Too large",
        metadata={"limit_bytes": str(limit)},
    )  # fmt: skip
