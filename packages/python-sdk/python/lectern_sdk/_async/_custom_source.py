"""Pushes items of your own system to a connector of the type `custom`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncGenerator, AsyncIterable, Iterable

from .._errors import LecternConnectionError, LecternError
from .._options import NOT_GIVEN, CallOptions, NotGiven
from .._pushes import Batch, PushSummary, per_request
from ._lectern import AsyncLectern

if TYPE_CHECKING:
    from .. import types


class AsyncCustomSource:
    """Pushes items of your own system, in batches and with retries.

    A push that failed can be repeated: changes that arrived are ignored.
    """

    def __init__(self, lectern: AsyncLectern, connector_id: str) -> None:
        self._items = lectern.items
        self._connector_id = connector_id

    async def push(
        self,
        changes: Iterable[types.ItemChange] | AsyncIterable[types.ItemChange],
        *,
        options: CallOptions | None = None,
    ) -> PushSummary:
        """Pushes changes. Invalid ones fail alone: check `failures`."""
        return await self._push(changes, NOT_GIVEN, per_request(options))

    async def replace_all(
        self,
        items: Iterable[types.ItemChange] | AsyncIterable[types.ItemChange],
        *,
        confirm_deletions: bool = False,
        options: CallOptions | None = None,
    ) -> PushSummary:
        """Pushes everything that exists; then Lectern deletes the items that were not among it.

        If the iteration or a request fails, or the id of an item is not valid, nothing is deleted.

        Args:
            items: All items of your system.
            confirm_deletions: Deletes the missing items even if they are most of them.
        """
        request = per_request(options)
        snapshot = (await self._items.start_snapshot(self._connector_id, options=request))["id"]
        try:
            pushed = await self._push(items, snapshot, request)
            if any(failure["id"] is None for failure in pushed.failures):
                pushed.snapshot = await self._items.cancel_snapshot(self._connector_id, snapshot, options=request)
            else:
                pushed.snapshot = await self._items.complete_snapshot(
                    self._connector_id, snapshot, confirm_deletions=confirm_deletions, options=request
                )
        except Exception:
            # An open snapshot does no harm: it expires, or the next one replaces it.
            try:
                await self._items.cancel_snapshot(self._connector_id, snapshot, options=request)
            except (LecternError, LecternConnectionError):
                pass
            raise
        return pushed

    async def _push(
        self,
        changes: Iterable[types.ItemChange] | AsyncIterable[types.ItemChange],
        snapshot: str | NotGiven,
        options: CallOptions,
    ) -> PushSummary:
        summary = PushSummary()
        batch = Batch()
        async for change in _each(changes):
            full = batch.add(change)
            if full:
                summary.add(await self._items.push(self._connector_id, snapshot=snapshot, items=full, options=options))
        if batch.items:
            last = batch.items
            summary.add(await self._items.push(self._connector_id, snapshot=snapshot, items=last, options=options))
        return summary


async def _each(
    changes: Iterable[types.ItemChange] | AsyncIterable[types.ItemChange],
) -> AsyncGenerator[types.ItemChange, None]:
    source: Any = changes
    if hasattr(source, "__aiter__"):
        async for change in source:
            yield change
    else:
        for change in source:
            yield change
