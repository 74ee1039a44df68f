"""A fake server. It simulates failures; everything else is tested against a real Lectern."""

from __future__ import annotations

import json
import logging
import threading
import unittest
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Mapping
from unittest import mock

# Tests run in the debug mode of asyncio, which reports every step that takes long on a busy machine.
logging.getLogger("asyncio").setLevel(logging.ERROR)

META = {"requestId": "req_1"}


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Response:
    """What a handler responds with."""

    def __init__(self, handler: BaseHTTPRequestHandler) -> None:
        self._handler = handler

    def start(self, status: int, headers: Mapping[str, str]) -> None:
        self._handler.send_response(status)
        for name, value in headers.items():
            self._handler.send_header(name, value)
        self._handler.end_headers()

    def json(self, status: int, body: Any, headers: Mapping[str, str] = {}) -> None:
        content = json.dumps(body).encode()
        self.start(status, {"Content-Type": "application/json", "Content-Length": str(len(content)), **headers})
        self.write(content)

    def data(self, data: Any, headers: Mapping[str, str] = {}) -> None:
        self.json(200, {"data": data, "meta": META}, headers)

    def error(self, status: int, code: str, headers: Mapping[str, str] = {}) -> None:
        details = {"issues": [{"path": "query", "message": "is required"}]}
        error = {"code": code, "message": f"Failed with {code}.", "details": details}
        self.json(status, {"error": error, "meta": META}, {"X-Request-Id": "req_1", **headers})

    def events(self, *events: tuple[str, Any, str | None]) -> None:
        """Starts a stream. It ends with the handler."""
        self.start(200, {"Content-Type": "text/event-stream", "Connection": "close"})
        for name, data, identifier in events:
            first = "" if identifier is None else f"id: {identifier}\n"
            self.write(f"{first}event: {name}\ndata: {json.dumps(data)}\n\n".encode())

    def write(self, content: bytes) -> None:
        self._handler.wfile.write(content)
        self._handler.wfile.flush()


Handle = Callable[[Request, Response, int], None]


class ServerTest(unittest.IsolatedAsyncioTestCase):
    """A test with a server, whose retries do not wait."""

    def setUp(self) -> None:
        self.requests: list[Request] = []
        self.handle: Handle = lambda _request, response, _count: response.data({})
        self.released = threading.Event()
        test = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def respond(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(self.command, self.path, headers, body)
                test.requests.append(request)
                try:
                    test.handle(request, Response(self), len(test.requests))
                except OSError:
                    self.close_connection = True

            do_GET = do_POST = do_PUT = do_DELETE = respond

            def log_message(self, *_: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.addCleanup(self.released.set)
        self.enter(mock.patch("lectern_sdk._retry.FIRST_DELAY_SECONDS", 0.001))

    def enter(self, context: Any) -> Any:
        """Enters a context until the test ends."""
        result = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return result

    def wait(self) -> None:
        """Waits in a handler until the test ends."""
        self.released.wait(60)
