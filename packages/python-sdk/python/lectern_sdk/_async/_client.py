"""The client that calls any operation by its id."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, AsyncGenerator, AsyncIterator, Mapping, Sequence

import httpx

from .._deadline import Deadline
from .._errors import (
    LecternConnectionError,
    LecternError,
    create_error,
    read_error,
    unexpected_response,
)
from .._lines import LineParser
from .._multipart import Multipart, Progress
from .._options import MAX_RETRIES, TIMEOUT_SECONDS, CallOptions, Settings, UploadFile, create_settings
from .._page import Page
from .._request import Outgoing, create_headers, create_outgoing, needs_team, route_of
from .._retry import retry_delay
from .._sign import signature_headers
from .._sse import EventParser
from ._io import Scope, content_of, read_chunk, send, set_idle_limit, sleep, time_limit
from ._paged import AsyncPaged

if TYPE_CHECKING:
    from pathlib import Path

    from .. import types

# The maximum number of consecutive attempts that receive no event.
MAX_RESUMES = 5
# The server sends a heartbeat every 10 s, so a connection that is silent for this long is dead.
MAX_IDLE_SECONDS = 45.0
UPLOAD_TIMEOUT_SECONDS = 3_600.0
# Errors while a response is read: of the connection, or of what the server sent.
UNREADABLE = (
    httpx.TransportError,
    httpx.DecodingError,
    httpx.StreamError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


class AsyncClient:
    """Calls any operation by its id. The resources of `AsyncLectern` are built on it."""

    def __init__(
        self,
        *,
        base_url: str | None = None,
        key: str | None = None,
        sign: bool = False,
        team_id: str | None = None,
        max_retries: int = MAX_RETRIES,
        timeout: float | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        self._settings: Settings = create_settings(
            base_url=base_url, key=key, sign=sign, team_id=team_id, max_retries=max_retries, timeout=timeout
        )
        self._http = httpx.AsyncClient() if http_client is None else http_client
        self._owns_http = http_client is None
        self._team_id = team_id
        self._last_timestamp = 0
        self._lock = threading.Lock()

    async def aclose(self) -> None:
        """Closes the connections. A client that you passed as `http_client` stays open."""
        if self._owns_http:
            await self._http.aclose()

    async def team_id(self, options: CallOptions | None = None) -> str:
        """Returns the id of the key's team, which is requested once."""
        options = options or {}
        return await self._find_team(options, Deadline(options.get("deadline")))

    async def _find_team(self, options: CallOptions, deadline: Deadline) -> str:
        if self._team_id is None:
            # Without `user`: the key's own team.
            waiting: CallOptions = {"timeout": options["timeout"]} if "timeout" in options else {}
            own = await self._fetch(create_outgoing("getOwnKey", {}, {}, None, {}), waiting, deadline)
            self._team_id = str(own["data"]["teamId"])
        return self._team_id

    async def call(
        self,
        operation: types.OperationId,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, Any] = {},
        body: Any = None,
        options: CallOptions | None = None,
    ) -> Any:
        """Returns the `data` of the response. A body of None is no body."""
        answer = await self.answer(operation, path=path, query=query, body=body, options=options)
        return answer.get("data")

    async def answer(
        self,
        operation: types.OperationId,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, Any] = {},
        body: Any = None,
        options: CallOptions | None = None,
    ) -> dict[str, Any]:
        """Returns the response: `data`, `meta` and, if the record has one, the `etag` for `if_match`."""
        deadline = Deadline((options or {}).get("deadline"))
        outgoing = await self._outgoing(operation, path, query, body, options or {}, deadline)
        return await self._fetch(outgoing, options or {}, deadline)

    def list(
        self,
        operation: types.OperationId,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, Any] = {},
        options: CallOptions | None = None,
    ) -> AsyncPaged[Any]:
        """Returns a list. Iteration yields the items of all pages, and `page()` returns one page."""

        async def read(number: int | None) -> Page[Any]:
            parameters = query if number is None else {**query, "page": number}
            answer = await self.answer(operation, path=path, query=parameters, options=options)
            try:
                meta = answer["meta"]
                return Page(answer["data"], meta["page"], meta["limit"], meta["total"], meta["hasMore"])
            except KeyError as cause:
                raise unexpected_response(200) from cause

        return AsyncPaged(read)

    async def events(
        self,
        operation: types.OperationId,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, Any] = {},
        body: Any = None,
        options: CallOptions | None = None,
        scope: Scope | None = None,
    ) -> AsyncGenerator[Any, None]:
        """Yields the events of a stream and raises the error it fails with.

        A broken stream resumes after the last event that had an id, or restarts if that is safe.
        """
        options, scope = options or {}, scope or Scope()
        deadline = Deadline(options.get("deadline"))
        outgoing = await self._outgoing(operation, path, query, body, options, deadline)
        outgoing = replace(outgoing, headers={**outgoing.headers, "Accept": "text/event-stream"})
        route = route_of(operation)
        last_id: str | None = None
        attempts = 0
        while True:
            is_open = False
            try:
                request = outgoing if last_id is None else _resumed(outgoing, last_id)
                response = await self._open(request, options, deadline)
                is_open = True
                try:
                    scope.enter(response, deadline)
                    parser = EventParser()
                    chunks = response.aiter_bytes()
                    while (chunk := await read_chunk(chunks, deadline.limit(MAX_IDLE_SECONDS))) is not None:
                        for received in parser.feed(chunk):
                            data = json.loads(received.data)
                            if received.event == "error":
                                raise _stream_error(data)
                            # An empty id resets it.
                            last_id = received.id or None
                            attempts = 0
                            event = {"event": received.event, "data": data}
                            yield event if last_id is None else {**event, "id": last_id}
                            if received.event == route.terminal or scope.is_closed:
                                return
                finally:
                    scope.leave()
                    await response.aclose()
                raise LecternConnectionError("The stream ended early.")
            except (LecternError, LecternConnectionError) as error:
                failure = error
            except UNREADABLE as cause:
                # An invalid argument, not a network failure.
                if not is_open:
                    raise
                failure = LecternConnectionError("The stream was interrupted.")
                failure.__cause__ = cause
            if scope.is_closed:
                return
            deadline.remaining()
            can_resume = (last_id is not None or route.restartable) and attempts < MAX_RESUMES
            delay = retry_delay(failure, attempts, repeatable=True) if can_resume else None
            if delay is None:
                raise failure
            await sleep(deadline.limit(delay))
            attempts += 1

    async def lines(
        self,
        operation: types.OperationId,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, Any] = {},
        options: CallOptions | None = None,
    ) -> AsyncGenerator[Any, None]:
        """Yields the records of a response with JSON Lines."""
        options = options or {}
        deadline = Deadline(options.get("deadline"))
        outgoing = await self._outgoing(operation, path, query, None, options, deadline)
        response = await self._open(outgoing, options, deadline)
        parser = LineParser()
        try:
            chunks = response.aiter_bytes()
            while (chunk := await read_chunk(chunks, deadline.limit(MAX_IDLE_SECONDS))) is not None:
                for record in parser.feed(chunk):
                    yield record
            parser.end()
        except UNREADABLE as cause:
            raise LecternConnectionError("The response was interrupted.") from cause
        finally:
            await response.aclose()

    async def search_all(
        self, body: Mapping[str, Any], options: CallOptions | None
    ) -> AsyncGenerator[types.SearchResult, None]:
        """Yields all results of a search, requesting pages as needed."""
        page, limit = body.get("page", 1), body.get("limit", 100)
        while True:
            found = await self.call("searchDocuments", body={**body, "page": page, "limit": limit}, options=options)
            for result in found["results"]:
                yield result
            if len(found["results"]) < limit:
                return
            page += 1

    async def upload(
        self,
        connector_id: str,
        files: Sequence[UploadFile | Path],
        metadata: Mapping[str, Any] | None,
        on_progress: Progress | None,
        options: CallOptions | None,
    ) -> Any:
        """Uploads files to a connector."""
        options = options or {}
        body = Multipart(files, metadata, on_progress)
        key = options.get("idempotency_key")
        # Not generated by default: with a key, the server must buffer the whole upload before it starts.
        headers = {"Content-Type": body.content_type, **({} if key is None else {"Idempotency-Key": key})}
        outgoing = replace(
            create_outgoing("uploadFiles", {"id": connector_id}, {}, None, {}),
            headers=headers,
            body=body,
            repeatable=key is not None,
        )
        waiting = options.copy()
        waiting.setdefault("timeout", UPLOAD_TIMEOUT_SECONDS)
        answer = await self._fetch(outgoing, waiting, Deadline(options.get("deadline")))
        return answer.get("data")

    async def _outgoing(
        self,
        operation: str,
        path: Mapping[str, str],
        query: Mapping[str, Any],
        body: Any,
        options: CallOptions,
        deadline: Deadline,
    ) -> Outgoing:
        if needs_team(operation, path):
            path = {**path, "teamId": await self._find_team(options, deadline)}
        return create_outgoing(operation, path, query, body, options)

    async def _fetch(self, outgoing: Outgoing, options: CallOptions, deadline: Deadline) -> dict[str, Any]:
        """Sends a request with retries and returns the body of its response."""
        headers = create_headers(outgoing, self._settings, options)
        attempt = 0
        while True:
            timeout = Deadline(deadline.limit(self._timeout(outgoing, options)))
            try:
                response = await self._send_once(outgoing, headers, timeout)
                return _read_answer(response, await _read_body(response, timeout))
            except (LecternError, LecternConnectionError) as error:
                failure = error
            await self._wait(failure, attempt, outgoing, deadline)
            attempt += 1

    async def _open(self, outgoing: Outgoing, options: CallOptions, deadline: Deadline) -> httpx.Response:
        """Sends a request with retries and returns the response as soon as it starts."""
        headers = create_headers(outgoing, self._settings, options)
        attempt = 0
        while True:
            try:
                timeout = Deadline(deadline.limit(self._timeout(outgoing, options)))
                response = await self._send_once(outgoing, headers, timeout)
                # From now on, the server sends heartbeats.
                set_idle_limit(response, MAX_IDLE_SECONDS)
                return response
            except (LecternError, LecternConnectionError) as error:
                failure = error
            await self._wait(failure, attempt, outgoing, deadline)
            attempt += 1

    def _timeout(self, outgoing: Outgoing, options: CallOptions) -> float:
        for seconds in (options.get("timeout"), self._settings.timeout, outgoing.timeout):
            if seconds is not None:
                return seconds
        return TIMEOUT_SECONDS

    async def _wait(
        self, failure: LecternError | LecternConnectionError, attempt: int, outgoing: Outgoing, deadline: Deadline
    ) -> None:
        """Waits before the next attempt. Raises the failure if there is none."""
        deadline.remaining()
        # A POST that timed out is not retried: it can still be running and using model tokens.
        timed_out = isinstance(failure, LecternConnectionError) and failure.is_timeout
        repeatable = outgoing.repeatable and not (outgoing.method == "POST" and timed_out)
        delay = retry_delay(failure, attempt, repeatable=repeatable)
        if delay is None or attempt >= self._settings.max_retries:
            raise failure
        await sleep(deadline.limit(delay))

    async def _send_once(self, outgoing: Outgoing, headers: Mapping[str, str], timeout: Deadline) -> httpx.Response:
        """Sends a request once. Returns the response, which is open, or raises its error."""
        base, body = self._settings.base_url, outgoing.body
        sent = {**headers, **self._signature(body)}
        if isinstance(body, Multipart):
            sent["Content-Length"] = str(body.size)
        seconds = timeout.limit(float("inf"))
        try:
            request = self._http.build_request(
                outgoing.method,
                f"{base}{outgoing.path}",
                headers=[(name.encode("ascii"), value.encode("latin-1")) for name, value in sent.items()],
                content=content_of(body),
                timeout=time_limit(seconds),
            )
            response = await send(self._http, request, seconds)
            if response.is_success:
                return response
            if 300 <= response.status_code < 400:
                await response.aclose()
                raise LecternConnectionError(
                    f"{base} redirects to another URL. The key is not sent there. "
                    "Set base_url to the URL of the Lectern server itself."
                )
            raise read_error(response.status_code, response.headers, await _read_body(response, timeout))
        except (httpx.TransportError, httpx.DecodingError) as cause:
            raise LecternConnectionError(f"Cannot connect to Lectern at {base}. Is it running?") from cause

    def _signature(self, body: bytes | Multipart | None) -> dict[str, str]:
        """Signs a body. The server accepts a signature only once, so each attempt has its own."""
        settings = self._settings
        if not settings.sign or settings.key is None:
            return {}
        with self._lock:
            # Unique: the server rejects the second of two equal requests with equal timestamps as a replay.
            self._last_timestamp = max(int(time.time() * 1_000), self._last_timestamp + 1)
            at = self._last_timestamp
        return signature_headers(settings.key, body.read() if isinstance(body, Multipart) else body or b"", at)


def _resumed(outgoing: Outgoing, last_id: str) -> Outgoing:
    return replace(outgoing, headers={**outgoing.headers, "Last-Event-ID": last_id}, repeatable=True)


def _stream_error(data: Any) -> LecternError:
    return create_error(data["code"], data["message"], status=200, request_id=data.get("requestId"))


async def _read_body(response: httpx.Response, timeout: Deadline) -> bytes:
    try:
        parts = []
        chunks: AsyncIterator[bytes] = response.aiter_bytes()
        while (chunk := await read_chunk(chunks, timeout.limit(float("inf")))) is not None:
            parts.append(chunk)
        return b"".join(parts)
    finally:
        await response.aclose()


def _read_answer(response: httpx.Response, body: bytes) -> dict[str, Any]:
    """Checks that a response is an object with `meta`, which every response of the API has."""
    try:
        answer = json.loads(body)
        if not isinstance(answer, dict) or not isinstance(answer.get("meta"), dict):
            raise TypeError("The body is not an API response.")
    except (ValueError, TypeError, RecursionError) as cause:
        raise unexpected_response(response.status_code) from cause
    etag = response.headers.get("etag")
    return answer if etag is None else {**answer, "etag": etag}
