"""Bodies with files."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Sequence

from ._json import encode
from ._options import UploadFile

CHUNK_BYTES = 256 * 1024

Progress = Callable[[int, int], None]
"""Called with the number of bytes that were sent, and the size of the body."""


def _escape(text: str) -> str:
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


class Multipart:
    """A multipart/form-data body with a known size, which can be read again for a retry or a signature."""

    def __init__(
        self,
        files: Sequence[UploadFile | Path],
        metadata: Mapping[str, Any] | None,
        on_progress: Progress | None,
    ) -> None:
        boundary = f"lectern-{secrets.token_hex(16)}"
        self.content_type = f"multipart/form-data; boundary={boundary}"
        self._on_progress = on_progress
        self._parts: list[bytes | Path] = []
        if metadata is not None:
            self._add(f'--{boundary}\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n')
            self._parts.append(encode(metadata))
            self._add("\r\n")
        for file in files:
            one = UploadFile(file.name, file) if isinstance(file, Path) else file
            self._add(f"--{boundary}\r\nContent-Disposition: form-data; ")
            self._add(f'name="files"; filename="{_escape(one.name)}"\r\n')
            self._add(f"Content-Type: {_escape(one.type or 'application/octet-stream')}\r\n\r\n")
            self._parts.append(one.data.encode() if isinstance(one.data, str) else one.data)
            self._add("\r\n")
        self._add(f"--{boundary}--\r\n")
        self.size = sum(part.stat().st_size if isinstance(part, Path) else len(part) for part in self._parts)

    def _add(self, text: str) -> None:
        self._parts.append(text.encode())

    def _chunks(self) -> Iterator[bytes]:
        for part in self._parts:
            if isinstance(part, Path):
                with part.open("rb") as file:
                    while chunk := file.read(CHUNK_BYTES):
                        yield chunk
            else:
                for start in range(0, len(part), CHUNK_BYTES):
                    yield part[start : start + CHUNK_BYTES]

    def __iter__(self) -> Iterator[bytes]:
        """Yields the body and reports the progress."""
        sent = 0
        for chunk in self._chunks():
            yield chunk
            sent += len(chunk)
            if self._on_progress is not None:
                self._on_progress(sent, self.size)

    def read(self) -> bytes:
        return b"".join(self._chunks())
