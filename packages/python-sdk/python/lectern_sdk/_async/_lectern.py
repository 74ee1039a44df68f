"""The client of the Lectern API."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

import httpx

from .._options import MAX_RETRIES
from ._client import AsyncClient
from ._resources import (
    # <imports>
)

if TYPE_CHECKING:
    from typing_extensions import Self


class AsyncLectern:
    """The client of the Lectern API. Methods raise `LecternError` or `LecternConnectionError`.

    Without `base_url`, connects to `LECTERN_URL` with `LECTERN_KEY` of the environment.

    Args:
        base_url: For example `http://localhost:8080`.
        key: A secret key, a publishable key or a user token.
        sign: Signs every request. Requires a secret key.
        team_id: The key's team. If omitted, it is requested when it is first needed.
        max_retries: Retries after a temporary failure.
        timeout: Seconds for each attempt. Default: 60; 130 for a complete chat reply.
            Uploads have an hour.
        http_client: Replaces the HTTP client, for example to use a proxy or other certificates.
    """

    def __init__(
        self,
        base_url: str | None = None,
        key: str | None = None,
        *,
        sign: bool = False,
        team_id: str | None = None,
        max_retries: int = MAX_RETRIES,
        timeout: float | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        client = AsyncClient(
            base_url=base_url,
            key=key,
            sign=sign,
            team_id=team_id,
            max_retries=max_retries,
            timeout=timeout,
            http_client=http_client,
        )
        self.client = client
        """Calls any operation by its id."""
        # <resources>

    async def aclose(self) -> None:
        """Closes the connections. A client that you passed as `http_client` stays open."""
        await self.client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
