"""Waiting and reading with a time limit."""

from __future__ import annotations

import asyncio
from typing import AsyncIterator, Awaitable, TypeVar, Union

import httpx

from .._deadline import Deadline
from .._errors import LecternConnectionError
from .._multipart import Multipart

Content = Union[bytes, AsyncIterator[bytes], None]
T = TypeVar("T")


async def sleep(seconds: float) -> None:
    await asyncio.sleep(seconds)


def content_of(body: bytes | Multipart | None) -> Content:
    return _read_files(body) if isinstance(body, Multipart) else body


async def _read_files(body: Multipart) -> AsyncIterator[bytes]:
    chunks = iter(body)
    # Reading a file would block the event loop.
    while chunk := await asyncio.to_thread(lambda: next(chunks, b"")):
        yield chunk


def time_limit(_seconds: float) -> float | None:
    """asyncio limits all waits, so httpx has no limits of its own: two that end together interfere."""
    return None


def set_idle_limit(response: httpx.Response, seconds: float) -> None:
    """asyncio limits each read."""


async def send(client: httpx.AsyncClient, request: httpx.Request, seconds: float) -> httpx.Response:
    """Sends a request and returns the response as soon as its headers have arrived."""
    responses: list[httpx.Response] = []

    async def start() -> httpx.Response:
        responses.append(await client.send(request, stream=True, follow_redirects=False))
        return responses[0]

    try:
        return await _within(start(), seconds)
    except BaseException:
        # The caller was canceled at the moment in which the response arrived.
        for response in responses:
            await response.aclose()
        raise


async def read_chunk(chunks: AsyncIterator[bytes], seconds: float) -> bytes | None:
    """Returns the next bytes of a response, or None at its end."""
    try:
        return await _within(chunks.__anext__(), seconds)
    except StopAsyncIteration:
        return None


async def _within(work: Awaitable[T], seconds: float) -> T:
    """Waits for work, and cancels it after a time, or with the task of the caller.

    The work has a task of its own: before anyio 4, httpx does not support `asyncio.timeout`.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task}, timeout=seconds)
        if task.done():
            return task.result()
        raise timeout_error(seconds)
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task})
            if not task.cancelled():
                task.exception()


def timeout_error(seconds: float) -> LecternConnectionError:
    return LecternConnectionError(f"No response within {seconds:.3g} s.", is_timeout=True)


class Scope:
    """The lifetime of a stream. Tasks are canceled by asyncio, so there is nothing to interrupt."""

    is_closed = False

    def enter(self, response: httpx.Response, deadline: Deadline) -> None:
        """A response belongs to the stream from now on."""

    def leave(self) -> None:
        """The response is closed."""

    def close(self) -> None:
        self.is_closed = True
