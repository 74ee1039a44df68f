"""Pushes to connectors of the type `custom`."""

from __future__ import annotations

import asyncio
import json
from typing import Any, AsyncIterator, Iterator
from unittest import mock

from lectern_sdk import AsyncCustomSource, AsyncLectern, CustomSource, Lectern, NotFoundError, PushSummary
from support import Request, Response, ServerTest


def change(number: int, **fields: Any) -> Any:
    return {"action": "delete", "id": f"item {number}", "revision": 1, **fields}


class CustomSourceTest(ServerTest):
    def setUp(self) -> None:
        super().setUp()
        self.handle = self.respond
        self.lectern = Lectern(self.url, "lectern_sk_x", team_id="team_1")
        self.addCleanup(self.lectern.close)
        self.source = CustomSource(self.lectern, "con_1")

    def respond(self, request: Request, response: Response, _count: int) -> None:
        path = request.path.split("/con_1/")[1]
        if path.startswith("items"):
            items = json.loads(request.body)["items"]
            results = [
                {"id": None if item["id"] == "" else item["id"], "status": "failed" if item["id"] == "" else "accepted"}
                for item in items
            ]
            accepted = sum(result["status"] == "accepted" for result in results)
            response.data({"accepted": accepted, "ignored": 0, "failed": 0, "jobId": "job_1", "results": results})
        else:
            status = "cancelled" if request.method == "DELETE" else "completed" if "complete" in path else "open"
            response.data({"id": "snap_1", "status": status})

    def sent(self) -> list[tuple[str, str]]:
        return [(request.method, request.path.split("/con_1/")[1]) for request in self.requests]

    async def test_pushes_in_batches(self) -> None:
        async def changes() -> AsyncIterator[Any]:
            for number in range(205):
                yield change(number)

        synchronous = await asyncio.to_thread(
            self.source.push, (change(number) for number in range(205)), options={"idempotency_key": "k"}
        )
        async with AsyncLectern(self.url, "lectern_sk_x", team_id="team_1") as lectern:
            source = AsyncCustomSource(lectern, "con_1")
            results = [synchronous, await source.push(changes()), await source.push([change(1)])]
        self.assertEqual([result.accepted for result in results], [205, 205, 1])
        self.assertEqual(results[0], PushSummary(accepted=205, job_id="job_1"))
        sizes = [len(json.loads(request.body)["items"]) for request in self.requests]
        self.assertEqual(sizes, [100, 100, 5, 100, 100, 5, 1])
        keys = {request.headers.get("idempotency-key") for request in self.requests}
        self.assertNotIn("k", keys)

    async def test_splits_long_changes(self) -> None:
        self.enter(mock.patch("lectern_sdk._pushes.MAX_CHARACTERS", 150))
        await asyncio.to_thread(self.source.push, [change(1), change(2, x="x" * 200), change(3)])
        self.assertEqual(len(self.requests), 3)

    async def test_completes_a_snapshot(self) -> None:
        result = await asyncio.to_thread(self.source.replace_all, [change(1)], confirm_deletions=True)
        self.assertEqual(result.snapshot, {"id": "snap_1", "status": "completed"})
        self.assertEqual(
            self.sent(),
            [("POST", "snapshots"), ("POST", "items?snapshot=snap_1"), ("POST", "snapshots/snap_1/complete")],
        )
        self.assertEqual(json.loads(self.requests[-1].body), {"confirmDeletions": True})

    async def test_cancels_a_snapshot_with_an_invalid_id(self) -> None:
        result = await asyncio.to_thread(self.source.replace_all, [change(1), change(2, id="")])
        self.assertEqual([failure["id"] for failure in result.failures], [None])
        self.assertEqual(result.snapshot, {"id": "snap_1", "status": "cancelled"})
        self.assertEqual(self.sent()[-1], ("DELETE", "snapshots/snap_1"))

    async def test_cancels_a_snapshot_after_a_failure(self) -> None:
        def broken() -> Iterator[Any]:
            yield change(1)
            raise OSError("The source failed.")

        with self.assertRaises(OSError):
            await asyncio.to_thread(self.source.replace_all, broken())
        self.assertEqual(self.sent(), [("POST", "snapshots"), ("DELETE", "snapshots/snap_1")])
        self.requests.clear()
        self.handle = lambda request, response, count: (
            response.error(404, "not_found") if "/items" in request.path else self.respond(request, response, count)
        )
        with self.assertRaises(NotFoundError):
            await asyncio.to_thread(self.source.replace_all, [change(1)])
        self.assertEqual(self.sent()[-1], ("DELETE", "snapshots/snap_1"))
