"""Arguments of the client and of its calls."""

from __future__ import annotations

import enum
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Mapping, TypedDict, Union

TIMEOUT_SECONDS = 60.0
MAX_RETRIES = 2


class NotGiven(enum.Enum):
    """The type of `NOT_GIVEN`."""

    NOT_GIVEN = "NOT_GIVEN"

    def __repr__(self) -> str:
        return "NOT_GIVEN"

    def __bool__(self) -> bool:
        return False


NOT_GIVEN = NotGiven.NOT_GIVEN
"""The default of optional arguments: the field is omitted. `None` is the JSON value null."""


class CallOptions(TypedDict, total=False):
    """The options of a call."""

    user: str
    """The email address of the end user on whose behalf a secret key makes the request."""
    idempotency_key: str
    """Makes a POST safe to repeat. Generated if omitted."""
    if_match: str
    """
    The ETag of the record as you read it (`client.answer`). An update or deletion fails with
    `precondition_failed` if the record has changed since.
    """
    timeout: float
    """
    Seconds for the response or the start of a stream, for each attempt. Default: 60; 130 for a
    complete chat reply, 3,600 for an upload.
    """
    deadline: float
    """Seconds for the whole call with its retries, and for a stream until its last event. No limit if omitted."""


@dataclass(frozen=True)
class UploadFile:
    """A file to upload. A `/` in the name separates folders."""

    name: str
    data: Union[bytes, str, Path]
    """The content, or the path of a file that contains it."""
    type: str | None = None
    """The media type."""


@dataclass(frozen=True)
class Settings:
    base_url: str
    # Not shown in error reports.
    key: str | None = field(repr=False)
    sign: bool
    team_id: str | None
    max_retries: int
    timeout: float | None


def create_settings(
    *,
    base_url: str | None,
    key: str | None,
    sign: bool,
    team_id: str | None,
    max_retries: int,
    timeout: float | None,
    environment: Mapping[str, str] = os.environ,
) -> Settings:
    """Checks the arguments of the client. Without `base_url`, reads the environment.

    The URL and the key of the two are never mixed, so that no server receives the key of another one.
    """
    if base_url is None:
        base_url = environment.get("LECTERN_URL")
        if not base_url:
            raise ValueError(
                "base_url is missing. Pass the URL of the Lectern server, or set LECTERN_URL and LECTERN_KEY."
            )
        key = key if key is not None else environment.get("LECTERN_KEY") or None
    if not re.match(r"https?://[^/]", base_url, re.IGNORECASE):
        raise ValueError("base_url must be a URL with http or https, for example https://lectern.example.com.")
    if sign and key is None:
        raise ValueError("Signing requires a secret key.")
    return Settings(base_url.rstrip("/"), key, sign, team_id, max_retries, timeout)


def given(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields that the caller passed."""
    return {name: value for name, value in fields.items() if value is not NOT_GIVEN}
