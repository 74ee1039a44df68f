"""Lists with pages."""

from __future__ import annotations

from typing import AsyncIterator, Awaitable, Callable, Generic, TypeVar

from .._page import Page

T = TypeVar("T")


class AsyncPaged(Generic[T]):
    """A list. Iteration yields the items of the requested page and of all later pages."""

    def __init__(self, read: Callable[[int | None], Awaitable[Page[T]]]) -> None:
        self._read = read
        self._first: Page[T] | None = None

    async def page(self) -> Page[T]:
        """Returns the requested page."""
        if self._first is None:
            self._first = await self._read(None)
        return self._first

    async def __aiter__(self) -> AsyncIterator[T]:
        page = await self.page()
        while True:
            for item in page.items:
                yield item
            if not page.has_more or not page.items:
                return
            page = await self._read(page.page + 1)
