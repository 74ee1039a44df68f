"""JSON Lines."""

from __future__ import annotations

import codecs
import json
from typing import Any, Iterator

from ._errors import LecternConnectionError

# The maximum length of a line in characters.
MAX_LINE_LENGTH = 16 * 1024 * 1024


class LineParser:
    """Parses the bytes of a response, which can be split anywhere."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._rest: list[str] = []
        self._length = 0

    def feed(self, chunk: bytes) -> Iterator[Any]:
        """Yields the records that the chunk completes."""
        *complete, rest = self._decoder.decode(chunk).split("\n")
        for line in complete:
            yield json.loads("".join([*self._rest, line]))
            self._rest, self._length = [], 0
        self._rest.append(rest)
        self._length += len(rest)
        if self._length > MAX_LINE_LENGTH:
            raise LecternConnectionError("A line is too long.")

    def end(self) -> None:
        """Raises if the response ended within a line."""
        if self._length > 0:
            raise LecternConnectionError("The response was interrupted.")
