"""Requests, before they are sent."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field
from typing import Any, Mapping
from urllib.parse import quote, urlencode

from ._json import encode
from ._multipart import Multipart
from ._options import CallOptions, Settings
from ._routes import ROUTES

# Operations that return a complete chat reply. The server limits them to 120 s, and the client waits longer.
REPLY_TIMEOUT_SECONDS = 130.0
REPLIES = ("chat", "regenerate")
# Path segments that URL parsers resolve, even if encoded. They would call a different operation.
DOT_SEGMENTS = (".", "..")
HEADER_VALUE = re.compile("[\t\x20-\x7e\x80-\xff]*")


@dataclass(frozen=True)
class Route:
    method: str
    path: str
    safe: bool
    """True if the operation changes nothing."""
    idempotency_key: bool
    terminal: str = ""
    """The last event of a complete stream."""
    restartable: bool = False
    """True if a broken stream can be requested again from the start."""


@dataclass(frozen=True)
class Outgoing:
    """A request without its key."""

    method: str
    path: str
    """Includes the query string."""
    repeatable: bool
    """True if sending the request twice is safe."""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | Multipart | None = None
    timeout: float | None = None
    """The default timeout of this operation in seconds."""


def route_of(operation: str) -> Route:
    route = ROUTES.get(operation)
    if route is None:
        raise ValueError(f"The operation {operation!r} does not exist.")
    return Route(**route)


def needs_team(operation: str, path: Mapping[str, str]) -> bool:
    return "{teamId}" in route_of(operation).path and "teamId" not in path


def fill_path(template: str, values: Mapping[str, str]) -> str:
    """Fills a path template. Raises for an invalid id."""

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        value = values.get(name)
        if not isinstance(value, str) or value == "":
            raise ValueError(f"{name} must be a non-empty string.")
        if value in DOT_SEGMENTS:
            raise ValueError(f'{name} must be an id, but it is "{value}".')
        return quote(value, safe="")

    return re.sub(r"\{(\w+)\}", fill, template)


def _query_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def create_outgoing(
    operation: str, path: Mapping[str, str], query: Mapping[str, Any], body: Any, options: CallOptions
) -> Outgoing:
    """Creates the request of an operation. A body of None is no body."""
    route = route_of(operation)
    if_match = options.get("if_match")
    headers = {}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if if_match is not None:
        headers["If-Match"] = if_match
    if route.idempotency_key:
        headers["Idempotency-Key"] = options.get("idempotency_key") or secrets.token_hex(16)
    parameters = urlencode([(name, _query_value(value)) for name, value in query.items()])
    return Outgoing(
        method=route.method,
        path=fill_path(route.path, path) + (f"?{parameters}" if parameters else ""),
        headers=headers,
        body=None if body is None else encode(body),
        timeout=REPLY_TIMEOUT_SECONDS if operation in REPLIES else None,
        # If the response to the first attempt was lost, that attempt may have changed the record. A
        # retry would then fail with `precondition_failed`.
        repeatable=route.safe or (route.method != "POST" and if_match is None) or route.idempotency_key,
    )


def create_headers(outgoing: Outgoing, settings: Settings, options: CallOptions) -> dict[str, str]:
    """Creates all headers except the signature. Raises for a value that HTTP cannot transport."""
    headers = dict(outgoing.headers)
    # Forms of other sites cannot send the header that a session requires.
    name, value = ("X-Lectern-CSRF", "1") if settings.key is None else ("X-Service-Key", settings.key)
    headers[name] = value
    user = options.get("user")
    if user is not None:
        headers["X-Service-User"] = user
    for name, value in headers.items():
        headers[name] = value.strip()
        if not HEADER_VALUE.fullmatch(headers[name]):
            raise ValueError(
                f"{name} contains a character that is not allowed in a header. Use Latin-1 characters only."
            )
    return headers
