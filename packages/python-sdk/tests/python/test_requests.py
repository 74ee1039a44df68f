"""Retries, errors and time limits of requests."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import os
import tempfile
import threading
from collections import UserList
from pathlib import Path
from typing import Any
from unittest import mock

import httpx
from lectern_sdk import (
    AsyncLectern,
    ConflictError,
    InvalidRequestError,
    Lectern,
    LecternConnectionError,
    LecternError,
    NotFoundError,
    RateLimitError,
    ServerError,
    UploadFile,
)
from support import ServerTest


class RequestTest(ServerTest):
    def lectern(self, **settings: Any) -> Lectern:
        lectern = Lectern(self.url, "lectern_sk_x", **settings)
        self.addCleanup(lectern.close)
        return lectern

    async def both(self, call: Any, **settings: Any) -> list[Any]:
        """Calls a method of both clients and returns their results, or the errors that they raise."""
        results: list[Any] = []
        try:
            results.append(await asyncio.to_thread(call, self.lectern(**settings)))
        except Exception as error:
            results.append(error)
        async with AsyncLectern(self.url, "lectern_sk_x", **settings) as lectern:
            try:
                results.append(await call(lectern))
            except Exception as error:
                results.append(error)
        return results

    async def test_retries_a_read_after_503_and_429(self) -> None:
        codes = {1: (503, "unavailable"), 2: (429, "rate_limited"), 4: (503, "unavailable"), 5: (429, "rate_limited")}
        self.handle = lambda _request, response, count: (
            response.error(*codes[count], {"Retry-After": "0"}) if count in codes else response.data({"id": "col_1"})
        )
        self.assertEqual(await self.both(lambda one: one.collections.get("col_1")), [{"id": "col_1"}] * 2)
        self.assertEqual(len(self.requests), 6)

    async def test_retries_a_post_with_the_same_idempotency_key(self) -> None:
        self.handle = lambda _request, response, count: (
            response.error(503, "unavailable") if count % 2 else response.data({"id": "col_1"})
        )
        await self.both(lambda one: one.collections.create(name="Handbook"))
        keys = [request.headers["idempotency-key"] for request in self.requests]
        self.assertEqual([keys[0], keys[2]], [keys[1], keys[3]])
        self.assertNotEqual(keys[0], keys[2])

    async def test_gives_up_after_the_last_retry(self) -> None:
        self.handle = lambda _request, response, _count: response.error(503, "unavailable")
        for error in await self.both(lambda one: one.keys.own(), max_retries=1):
            self.assertIsInstance(error, ServerError)
        self.assertEqual(len(self.requests), 4)

    async def test_does_not_wait_longer_than_a_minute(self) -> None:
        self.handle = lambda _request, response, _count: response.error(429, "rate_limited", {"Retry-After": "61"})
        for error in await self.both(lambda one: one.keys.own()):
            self.assertIsInstance(error, RateLimitError)
            self.assertEqual(error.retry_after_seconds, 61)
        self.assertEqual(len(self.requests), 2)

    async def test_does_not_retry_a_conditional_update(self) -> None:
        self.handle = lambda request, response, _count: (
            response.data({"id": "col_1"}, {"ETag": '"a.b"'})
            if request.method == "GET"
            else response.error(503, "unavailable")
        )
        lectern = self.lectern()
        read = lectern.client.answer("getCollection", path={"id": "col_1"})
        self.assertEqual(read["etag"], '"a.b"')
        with self.assertRaises(ServerError):
            lectern.collections.update("col_1", name="Travel", options={"if_match": read["etag"]})
        self.assertEqual([request.headers.get("if-match") for request in self.requests], [None, '"a.b"'])

    async def test_raises_the_class_of_the_code(self) -> None:
        classes = [
            (400, "invalid_request", InvalidRequestError),
            (404, "not_found", NotFoundError),
            (409, "conflict", ConflictError),
            (418, "new_code", LecternError),
            (500, "new_code", ServerError),
        ]
        for status, code, kind in classes:

            def respond(_request: Any, response: Any, _count: int, status: int = status, code: str = code) -> None:
                response.error(status, code)

            self.handle = respond
            for error in await self.both(lambda one: one.collections.get("col_1")):
                self.assertIs(type(error), kind)
                self.assertEqual((error.code, error.status, error.request_id), (code, status, "req_1"))
                self.assertEqual(error.issues, [{"path": "query", "message": "is required"}])
                self.assertEqual(str(error), f"Failed with {code}.")

    async def test_reports_a_page_of_a_proxy(self) -> None:
        for status in (200, 502):
            def respond(_request: Any, response: Any, _count: int, status: int = status) -> None:
                response.start(status, {"Content-Length": "6"})
                response.write(b"<html>")

            self.handle = respond
            for error in await self.both(lambda one: one.keys.own(), max_retries=0):
                self.assertIsInstance(error, LecternConnectionError)
                self.assertEqual(str(error), f"Unexpected response (HTTP {status}). Is this a Lectern server?")

    async def test_reports_a_list_without_pages(self) -> None:
        self.handle = lambda _request, response, _count: response.data([])
        with self.assertRaisesRegex(LecternConnectionError, "Unexpected response"):
            self.lectern().collections.list().page()

    async def test_sends_any_sequence_as_a_list(self) -> None:
        self.lectern().search.documents(query="leave", collections=UserList(["col_1"]))
        self.assertEqual(json.loads(self.requests[0].body), {"query": "leave", "collections": ["col_1"]})

    async def test_does_not_follow_a_redirect(self) -> None:
        self.handle = lambda _request, response, _count: response.json(307, {}, {"Location": "http://127.0.0.1:1/"})
        for error in await self.both(lambda one: one.keys.own(), max_retries=0):
            self.assertIn("redirects to another URL", str(error))

    async def test_reports_a_server_that_does_not_run(self) -> None:
        with Lectern("http://127.0.0.1:1", "lectern_sk_x", max_retries=0) as lectern:
            with self.assertRaisesRegex(LecternConnectionError, "Cannot connect to Lectern at http://127.0.0.1:1"):
                lectern.keys.own()

    async def test_does_not_retry_a_post_that_timed_out(self) -> None:
        self.handle = lambda _request, _response, _count: self.wait()
        # Long enough to connect on a busy machine.
        for error in await self.both(lambda one: one.collections.create(name="Handbook"), timeout=2):
            self.assertIsInstance(error, LecternConnectionError)
            self.assertTrue(error.is_timeout)
        self.assertEqual(len(self.requests), 2)

    async def test_limits_the_whole_call_by_its_deadline(self) -> None:
        self.handle = lambda _request, response, _count: response.error(429, "rate_limited", {"Retry-After": "30"})
        for error in await self.both(lambda one: one.keys.own(options={"deadline": 0.2})):
            self.assertIsInstance(error, LecternConnectionError)
            self.assertTrue(error.is_timeout)

    async def test_limits_a_body_that_arrives_slowly(self) -> None:
        def respond(_request: Any, response: Any, _count: int) -> None:
            response.start(200, {"Content-Length": "1000"})
            while not self.released.wait(0.02):
                response.write(b" ")

        self.handle = respond
        for error in await self.both(lambda one: one.keys.own(options={"timeout": 0.2}), max_retries=0):
            self.assertIsInstance(error, LecternConnectionError)
            self.assertTrue(error.is_timeout)

    async def test_stays_usable_after_canceled_calls(self) -> None:
        self.handle = lambda request, response, _count: (
            response.data({"teamId": "team_1"}) if request.path.endswith("/key") else self.wait()
        )
        async with AsyncLectern(self.url, "lectern_sk_x") as lectern:
            calls = [asyncio.create_task(lectern.collections.get(f"col_{number}")) for number in range(20)]
            while len(self.requests) < 20:
                await asyncio.sleep(0.01)
            for call in calls:
                call.cancel()
            results = await asyncio.gather(*calls, return_exceptions=True)
            self.assertTrue(all(isinstance(result, asyncio.CancelledError) for result in results))
            self.assertEqual(await lectern.keys.own(), {"teamId": "team_1"})

    async def test_requests_the_team_once(self) -> None:
        self.handle = lambda request, response, _count: response.data(
            {"teamId": "team_1"} if request.path.endswith("/key") else {"id": "conv_1"}
        )
        lectern = self.lectern()
        lectern.conversations.get("conv_1", options={"user": "ada@example.com"})
        lectern.conversations.get("conv_1")
        paths = [(request.path, request.headers.get("x-service-user")) for request in self.requests]
        conversation = "/api/v1/teams/team_1/conversations/conv_1"
        expected = [("/api/v1/key", None), (conversation, "ada@example.com"), (conversation, None)]
        self.assertEqual(paths, expected)

    async def test_reads_pages_as_needed(self) -> None:
        def respond(request: Any, response: Any, _count: int) -> None:
            page = int(httpx.URL(request.path).params.get("page", 1))
            meta: dict[str, Any] = {"page": page, "limit": 2, "total": 5, "hasMore": page < 3}
            items = [{"id": f"col_{page}_{at}"} for at in range(2 if page < 3 else 1)]
            response.json(200, {"data": items, "meta": meta})

        self.handle = respond
        lectern = self.lectern()
        page = lectern.collections.list(limit=2).page()
        self.assertEqual((len(page.items), page.total, page.has_more), (2, 5, True))
        self.assertEqual(len(self.requests), 1)
        self.assertEqual([one["id"] for one in lectern.collections.list(page=2)], ["col_2_0", "col_2_1", "col_3_0"])
        async with AsyncLectern(self.url, "lectern_sk_x") as lectern_async:
            self.assertEqual(len([one async for one in lectern_async.collections.list()]), 5)

    async def test_iterates_over_all_results(self) -> None:
        def respond(request: Any, response: Any, _count: int) -> None:
            page = json.loads(request.body)["page"]
            response.data({"results": [{"id": f"doc_{page}_{at}"} for at in range(2 if page < 3 else 1)]})

        self.handle = respond
        self.assertEqual(len(list(self.lectern().search.all(query="leave", limit=2))), 5)
        self.assertEqual(len(self.requests), 3)

    async def test_signs_each_attempt_differently(self) -> None:
        self.handle = lambda _request, response, count: (
            response.error(503, "unavailable") if count == 1 else response.data({})
        )
        self.lectern(sign=True).collections.create(name="Handbook")
        for request in self.requests:
            message = request.headers["x-service-timestamp"].encode() + b"." + request.body
            expected = hmac.new(b"lectern_sk_x", message, hashlib.sha256).hexdigest()
            self.assertEqual(request.headers["x-service-signature"], expected)
        self.assertNotEqual(*(request.headers["x-service-timestamp"] for request in self.requests))

    async def test_uploads_files_with_progress(self) -> None:
        self.handle = lambda _request, response, count: (
            response.error(503, "unavailable") if count == 1 else response.data({"jobId": "job_1"})
        )
        folder = self.enter(tempfile.TemporaryDirectory())
        path = Path(folder, 'a "b".txt')
        path.write_bytes(b"x" * 600_000)
        progress: list[tuple[int, int]] = []
        uploaded = self.lectern(sign=True).files.upload(
            "con_1",
            [path, UploadFile("hr/travel.md", "# Travel", "text/markdown")],
            metadata={"author": "Ada"},
            on_progress=lambda sent, total: progress.append((sent, total)),
            options={"idempotency_key": "upload-1"},
        )
        self.assertEqual(uploaded, {"jobId": "job_1"})
        self.assertEqual(len(self.requests), 2)
        self.assertEqual(progress[-1], (len(self.requests[1].body),) * 2)
        self.assertIn(b'filename="a %22b%22.txt"', self.requests[1].body)
        self.assertIn(b'filename="hr/travel.md"\r\nContent-Type: text/markdown\r\n\r\n# Travel\r\n', self.requests[1].body)
        async with AsyncLectern(self.url, "lectern_sk_x") as lectern:
            await lectern.files.upload("con_1", [path])
        self.assertIn(b"\r\n\r\n" + b"x" * 600_000 + b"\r\n--", self.requests[2].body)

    async def test_does_not_retry_an_upload_without_a_key(self) -> None:
        self.handle = lambda _request, response, _count: response.error(503, "unavailable")
        with self.assertRaises(ServerError):
            self.lectern().files.upload("con_1", [UploadFile("a.md", b"a")])
        self.assertEqual(len(self.requests), 1)

    async def test_rejects_invalid_arguments_before_sending(self) -> None:
        for url in ("lectern.example.com", "localhost:8080", "http://", ""):
            with self.assertRaises(ValueError):
                Lectern(url, "lectern_sk_x")
        lectern = self.lectern()
        for identifier in ("", ".", ".."):
            with self.assertRaises(ValueError):
                lectern.collections.get(identifier)
        with self.assertRaisesRegex(ValueError, "X-Service-User"):
            lectern.keys.own(options={"user": "żółw@example.com"})
        with self.assertRaises(ValueError):
            lectern.documents.create("col_1", title="a", content="a", metadata={"size": float("nan")})
        with self.assertRaises(ValueError):
            Lectern(self.url, sign=True)
        self.assertEqual(self.requests, [])

    async def test_reads_the_environment_if_no_url_is_given(self) -> None:
        with mock.patch.dict(os.environ, {"LECTERN_URL": self.url, "LECTERN_KEY": "lectern_sk_env\n"}):
            for lectern in (Lectern(), Lectern(self.url)):
                with lectern:
                    lectern.keys.own()
        headers = [request.headers.get("x-service-key") for request in self.requests]
        self.assertEqual(headers, ["lectern_sk_env", None])
        with mock.patch.dict(os.environ, {"LECTERN_URL": ""}), self.assertRaisesRegex(ValueError, "base_url is missing"):
            Lectern()

    async def test_is_used_by_many_threads(self) -> None:
        lectern = self.lectern(sign=True)
        threads = [threading.Thread(target=lectern.collections.create, kwargs={"name": "a"}) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len({request.headers["x-service-signature"] for request in self.requests}), 16)
