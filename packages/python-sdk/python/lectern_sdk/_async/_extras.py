"""Methods that are more than one operation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from .._multipart import Progress
from .._options import CallOptions, UploadFile
from ._client import AsyncClient
from ._streams import AsyncEventStream

if TYPE_CHECKING:
    from .. import types


class AsyncResource:
    """Methods about one kind of record."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client


class AsyncSyncExtras(AsyncResource):
    """Sync jobs."""

    async def done(self, connector_id: str, job_id: str, *, options: CallOptions | None = None) -> types.SyncJob:
        """Waits for the job to end and returns it. Check its `status`."""
        path = {"id": connector_id, "jobId": job_id}
        stream: AsyncEventStream[Any] = AsyncEventStream(self._client, "watchSync", path=path, options=options)
        async for event in stream:
            if event["event"] == "end":
                job: types.SyncJob = event["data"]
                return job
        raise TypeError("The stream ended without an `end` event.")


class AsyncFilesExtras(AsyncResource):
    """Files of connectors that store files."""

    async def upload(
        self,
        connector_id: str,
        files: Sequence[UploadFile | Path],
        *,
        metadata: Mapping[str, Any] | None = None,
        on_progress: Progress | None = None,
        options: CallOptions | None = None,
    ) -> types.Upload:
        """Uploads files and starts the job that indexes them. Follow it with `sync.watch`.

        Args:
            connector_id: The id of a connector of the type `upload`.
            files: Paths of files, or names with their content.
            metadata: Metadata of all uploaded files.
            on_progress: Called with the number of bytes that were sent, and with their total.
        """
        result: types.Upload = await self._client.upload(connector_id, files, metadata, on_progress, options)
        return result
