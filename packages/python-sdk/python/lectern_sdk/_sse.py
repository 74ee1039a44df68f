"""Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html)."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Iterator

from ._errors import LecternConnectionError

# The maximum length of an incomplete event in characters.
MAX_EVENT_LENGTH = 16 * 1024 * 1024


@dataclass(frozen=True)
class ServerSentEvent:
    event: str
    data: str
    id: str | None
    """The last event id of the stream so far."""


class EventParser:
    """Parses the bytes of a stream, which can be split anywhere."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line: list[str] = []
        self._line_length = 0
        self._after_cr = False
        self._is_first = True
        self._event = ""
        self._data: list[str] = []
        self._data_length = 0
        self._id: str | None = None

    def feed(self, chunk: bytes) -> Iterator[ServerSentEvent]:
        """Yields the events that the chunk completes."""
        text = self._decoder.decode(chunk)
        if self._is_first and text:
            self._is_first = False
            text = text.removeprefix("\ufeff")
        if self._after_cr and text:
            self._after_cr = False
            text = text.removeprefix("\n")
        if text.endswith("\r"):
            # The next chunk may begin with the second half of this line break.
            self._after_cr = True
        *complete, rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for line in complete:
            event = self._read("".join([*self._line, line]))
            self._line, self._line_length = [], 0
            if event is not None:
                yield event
        self._line.append(rest)
        self._line_length += len(rest)
        if self._line_length + self._data_length > MAX_EVENT_LENGTH:
            raise LecternConnectionError(f"An event exceeds {MAX_EVENT_LENGTH} characters.")

    def _read(self, line: str) -> ServerSentEvent | None:
        if line == "":
            event, data = self._event, self._data
            self._event, self._data, self._data_length = "", [], 0
            return ServerSentEvent(event or "message", "\n".join(data), self._id) if data else None
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
            self._data_length += len(value) + 1
        elif name == "id" and "\0" not in value:
            self._id = value
        return None
