"""Streams of events."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, AsyncIterator, Generic, Mapping, TypeVar

from .._errors import LecternConnectionError
from .._options import CallOptions
from ._client import AsyncClient
from ._io import Scope

if TYPE_CHECKING:
    from typing_extensions import Self

    from .. import types
    from .._finals import FinalReply, FinalRun

E = TypeVar("E")


class AsyncEventStream(Generic[E]):
    """A stream of events, which can be read once. Use it in `async with` to close it when you leave early."""

    def __init__(
        self,
        client: AsyncClient,
        operation: types.OperationId,
        *,
        path: Mapping[str, str] = {},
        body: Any = None,
        options: CallOptions | None = None,
    ) -> None:
        self._scope = Scope()
        self._events = client.events(operation, path=path, body=body, options=options, scope=self._scope)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> E:
        event: E = await self._events.__anext__()
        return event

    async def aclose(self) -> None:
        """Ends the stream. The server stops the reply."""
        self._scope.close()
        try:
            await self._events.aclose()
        except (RuntimeError, ValueError):
            # Another thread or task is reading, and ends as soon as it notices.
            pass

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def _incomplete() -> LecternConnectionError:
    return LecternConnectionError("The stream ended before its last event. Was it read before?")


class AsyncReplyStream(AsyncEventStream["types.StreamChatEvent"]):
    """The stream of a reply."""

    async def text(self) -> AsyncIterator[str]:
        """Yields the text of the reply, piece by piece."""
        async for event in self:
            if event["event"] == "content_delta":
                yield event["data"]["delta"]

    async def final(self) -> FinalReply:
        """Reads the whole stream and returns the reply."""
        start: types.ReplyMessageStart | None = None
        sources: list[types.ChatSource] = []
        content: list[str] = []
        async for event in self:
            if event["event"] == "message_start":
                start = event["data"]
            elif event["event"] == "content_delta":
                content.append(event["data"]["delta"])
            elif event["event"] == "sources":
                sources = event["data"]["sources"]
            elif event["event"] == "message_end" and start is not None:
                return {
                    "id": start["id"],
                    "conversationId": start["conversationId"],
                    "content": "".join(content),
                    "sources": sources,
                    "answer_confidence": event["data"]["answer_confidence"],
                    "usage": event["data"]["usage"],
                }
        raise _incomplete()


class AsyncRunStream(AsyncEventStream["types.ExecuteAgentEvent"]):
    """The stream of an agent's run."""

    async def text(self) -> AsyncIterator[str]:
        """Yields the text of the answer, piece by piece."""
        async for event in self:
            if event["event"] == "content":
                yield event["data"]["content"]

    async def final(self) -> FinalRun:
        """Reads the whole stream and returns the run."""
        start: types.RunRunStart | None = None
        content: list[str] = []
        async for event in self:
            if event["event"] == "run_start":
                start = event["data"]
            elif event["event"] == "content":
                content.append(event["data"]["content"])
            elif event["event"] == "run_complete" and start is not None:
                return {
                    "runId": start["runId"],
                    "conversationId": start["conversationId"],
                    "content": "".join(content),
                    "usage": event["data"]["usage"],
                }
        raise _incomplete()
