"""Waiting and reading with a time limit."""

from __future__ import annotations

import socket
import threading
import time
from typing import Iterator, Union

import httpx

from .._deadline import Deadline
from .._errors import LecternConnectionError
from .._multipart import Multipart

Content = Union[bytes, Iterator[bytes], None]


def sleep(seconds: float) -> None:
    time.sleep(seconds)


def content_of(body: bytes | Multipart | None) -> Content:
    return iter(body) if isinstance(body, Multipart) else body


def time_limit(seconds: float) -> float | None:
    """The limit of each step: connecting, sending, and waiting for the next bytes."""
    return seconds


def set_idle_limit(response: httpx.Response, seconds: float) -> None:
    """Changes the limit for the next bytes after the response has started."""
    response.request.extensions["timeout"]["read"] = seconds


def send(client: httpx.Client, request: httpx.Request, seconds: float) -> httpx.Response:
    """Sends a request and returns the response as soon as its headers have arrived."""
    try:
        return client.send(request, stream=True, follow_redirects=False)
    except httpx.TimeoutException as cause:
        raise timeout_error(seconds) from cause


def read_chunk(chunks: Iterator[bytes], seconds: float) -> bytes | None:
    """Returns the next bytes of a response, or None at its end."""
    started = time.monotonic()
    try:
        chunk = next(chunks, None)
    except httpx.TimeoutException as cause:
        raise timeout_error(seconds) from cause
    if time.monotonic() - started > seconds:
        raise timeout_error(seconds)
    return chunk


def timeout_error(seconds: float) -> LecternConnectionError:
    return LecternConnectionError(f"No response within {seconds:.3g} s.", is_timeout=True)


class Scope:
    """The lifetime of a stream. Another thread can close it while one is waiting for an event."""

    def __init__(self) -> None:
        self.is_closed = False
        self._lock = threading.Lock()
        self._response: httpx.Response | None = None
        self._timer: threading.Timer | None = None

    def enter(self, response: httpx.Response, deadline: Deadline) -> None:
        """A response belongs to the stream from now on."""
        left = deadline.remaining()
        with self._lock:
            self._response = response
            if left is not None:
                self._timer = threading.Timer(left, self._interrupt)
                self._timer.daemon = True
                self._timer.start()
        if self.is_closed:
            self._interrupt()

    def leave(self) -> None:
        """The response is closed."""
        with self._lock:
            self._response = None
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def close(self) -> None:
        self.is_closed = True
        self._interrupt()

    def _interrupt(self) -> None:
        """Ends the connection. A thread that reads from it then gets an error."""
        with self._lock:
            stream = None if self._response is None else self._response.extensions.get("network_stream")
            connection = None if stream is None else stream.get_extra_info("socket")
            if isinstance(connection, socket.socket):
                try:
                    # Not the method of a TLS socket, which another thread must not call during a read.
                    socket.socket.shutdown(connection, socket.SHUT_RDWR)
                except OSError:
                    pass
