"""Streams: events, resuming, closing and time limits."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from lectern_sdk import AsyncLectern, Lectern, LecternConnectionError, ServerError
from support import ServerTest

USAGE = {"promptTokens": 1, "completionTokens": 2, "totalTokens": 3}
REPLY: list[tuple[str, Any, str | None]] = [
    ("message_start", {"id": "msg_1", "conversationId": "conv_1"}, "1"),
    ("content_delta", {"delta": "Thirty "}, "2"),
    ("content_delta", {"delta": "days [1]."}, "3"),
    ("sources", {"sources": [{"id": "doc_1", "title": "Leave"}]}, "4"),
    ("message_end", {"usage": USAGE, "answer_confidence": None}, "5"),
]
FINAL = {
    "id": "msg_1",
    "conversationId": "conv_1",
    "content": "Thirty days [1].",
    "sources": [{"id": "doc_1", "title": "Leave"}],
    "answer_confidence": None,
    "usage": USAGE,
}


class StreamTest(ServerTest):
    def setUp(self) -> None:
        super().setUp()
        self.handle = lambda _request, response, _count: response.events(*REPLY)
        self.lectern = Lectern(self.url, "lectern_sk_x", team_id="team_1")
        self.addCleanup(self.lectern.close)

    def asynchronous(self) -> AsyncLectern:
        return AsyncLectern(self.url, "lectern_sk_x", team_id="team_1")

    async def test_can_be_read_as_text_or_as_a_whole(self) -> None:
        self.assertEqual(list(self.lectern.chat.stream(message="Leave?").text()), ["Thirty ", "days [1]."])
        self.assertEqual(self.lectern.chat.stream(message="Leave?").final(), FINAL)
        async with self.asynchronous() as lectern:
            pieces = [piece async for piece in lectern.chat.stream(message="Leave?").text()]
            self.assertEqual(pieces, ["Thirty ", "days [1]."])
            self.assertEqual(await lectern.chat.stream(message="Leave?").final(), FINAL)

    async def test_sends_nothing_before_it_is_read(self) -> None:
        self.lectern.chat.stream(message="Leave?")
        self.lectern.collections.list()
        self.assertEqual(self.requests, [])

    async def test_resumes_after_the_last_event(self) -> None:
        def respond(request: Any, response: Any, count: int) -> None:
            at = int(request.headers.get("last-event-id", 0))
            response.events(*REPLY[at : at + 2])

        self.handle = respond
        self.assertEqual(self.lectern.chat.stream(message="Leave?").final(), FINAL)
        async with self.asynchronous() as lectern:
            self.assertEqual(await lectern.chat.stream(message="Leave?").final(), FINAL)
        ids = [request.headers.get("last-event-id") for request in self.requests]
        self.assertEqual(ids, [None, "2", "4"] * 2)
        self.assertEqual({request.body for request in self.requests}, {b'{"message":"Leave?"}'})

    async def test_does_not_repeat_a_reply_without_ids(self) -> None:
        self.handle = lambda _request, response, _count: response.events(("message_start", {}, None))
        with self.assertRaisesRegex(LecternConnectionError, "ended early"):
            list(self.lectern.chat.stream(message="Leave?"))
        self.assertEqual(len(self.requests), 1)

    async def test_restarts_a_sync_and_gives_up_after_five_attempts(self) -> None:
        def respond(_request: Any, response: Any, count: int) -> None:
            if count == 3:
                response.events(("progress", {"status": "running"}, None), ("end", {"status": "completed"}, None))
            else:
                response.events()

        self.handle = respond
        self.assertEqual(self.lectern.sync.done("con_1", "job_1"), {"status": "completed"})
        self.handle = lambda _request, response, _count: response.events()
        self.requests.clear()
        with self.assertRaises(LecternConnectionError):
            self.lectern.sync.done("con_1", "job_1")
        self.assertEqual(len(self.requests), 6)

    async def test_raises_the_error_of_the_stream(self) -> None:
        error = {"code": "upstream_error", "message": "The model failed.", "requestId": "req_7"}
        self.handle = lambda _request, response, _count: response.events(("error", error, None))
        with self.assertRaises(ServerError) as raised:
            self.lectern.chat.stream(message="Leave?").final()
        self.assertEqual((raised.exception.status, raised.exception.request_id), (200, "req_7"))

    async def test_reports_what_lectern_does_not_send(self) -> None:
        for content in (b"event: message_start\ndata: {\n\n", b"event: error\ndata: []\n\n", b"event: error\ndata: {}\n\n"):

            def respond(_request: Any, response: Any, _count: int, content: bytes = content) -> None:
                response.events()
                response.write(content)

            self.handle = respond
            with self.assertRaisesRegex(LecternConnectionError, "interrupted"):
                list(self.lectern.chat.stream(message="Leave?"))

    def waiting(self, _request: Any, response: Any, _count: int) -> None:
        response.events(REPLY[0])
        # Comments keep the connection alive.
        while not self.released.wait(0.02):
            response.write(b": heartbeat\n\n")

    async def test_is_closed_by_another_thread(self) -> None:
        self.handle = self.waiting
        stream = self.lectern.chat.stream(message="Leave?")
        self.assertEqual(next(stream)["event"], "message_start")
        threading.Timer(0.1, stream.close).start()
        self.assertEqual(list(stream), [])
        self.assertEqual(len(self.requests), 1)

    async def test_is_closed_without_heartbeats(self) -> None:
        def respond(_request: Any, response: Any, _count: int) -> None:
            response.events(REPLY[0])
            self.wait()

        self.handle = respond
        stream = self.lectern.chat.stream(message="Leave?")
        next(stream)
        threading.Timer(0.1, stream.close).start()
        self.assertEqual(list(stream), [])
        self.assertEqual(len(self.requests), 1)

    async def test_closes_the_connection_when_it_is_left(self) -> None:
        closed = threading.Event()

        def respond(request: Any, response: Any, count: int) -> None:
            try:
                self.waiting(request, response, count)
            except OSError:
                closed.set()
                raise

        self.handle = respond
        with self.lectern.chat.stream(message="Leave?") as stream:
            next(stream)
        self.assertTrue(closed.wait(20))
        closed.clear()
        async with self.asynchronous() as lectern:
            async with lectern.chat.stream(message="Leave?") as events:
                await events.__anext__()
            self.assertTrue(await asyncio.to_thread(closed.wait, 20))

    async def test_is_canceled_with_its_task(self) -> None:
        self.handle = self.waiting
        async with self.asynchronous() as lectern:
            started = asyncio.Event()

            async def read() -> None:
                async for _ in lectern.chat.stream(message="Leave?"):
                    started.set()

            task = asyncio.create_task(read())
            await started.wait()
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

    async def test_ends_at_its_deadline(self) -> None:
        def silent(_request: Any, response: Any, _count: int) -> None:
            response.events(REPLY[0])
            self.wait()

        for handle in (self.waiting, silent):
            self.handle = handle
            with self.assertRaises(LecternConnectionError) as raised:
                list(self.lectern.chat.stream(message="Leave?", options={"deadline": 0.3}))
            self.assertTrue(raised.exception.is_timeout)
            async with self.asynchronous() as lectern:
                with self.assertRaises(LecternConnectionError) as raised:
                    async for _ in lectern.chat.stream(message="Leave?", options={"deadline": 0.3}):
                        pass
                self.assertTrue(raised.exception.is_timeout)

    async def test_rejects_an_invalid_argument_without_reconnecting(self) -> None:
        with self.assertRaisesRegex(ValueError, "X-Service-User"):
            self.lectern.sync.done("con_1", "job_1", options={"user": "żółw@example.com"})
        async with self.asynchronous() as lectern:
            with self.assertRaises(ValueError):
                await lectern.sync.done("", "job_1")
        self.assertEqual(self.requests, [])

    async def test_does_not_show_the_key(self) -> None:
        self.assertNotIn("lectern_sk_x", f"{vars(self.lectern.client)!r}")

    async def test_reads_json_lines(self) -> None:
        def respond(_request: Any, response: Any, _count: int) -> None:
            response.start(200, {"Content-Type": "application/x-ndjson", "Connection": "close"})
            for chunk in (b'{"id":"a', b'udit_1"}\n{"id":', b'"\xc3', b'\xa9"}\n'):
                response.write(chunk)

        self.handle = respond
        expected = [{"id": "audit_1"}, {"id": "é"}]
        self.assertEqual(list(self.lectern.analytics.export_audit()), expected)
        async with self.asynchronous() as lectern:
            self.assertEqual([record async for record in lectern.analytics.export_audit()], expected)
