"""The summary of a push, and the batches into which items are split."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ._options import CallOptions

if TYPE_CHECKING:
    from . import types

MAX_ITEMS = 100
"""The maximum of a request."""
MAX_CHARACTERS = 4_000_000
"""Characters of a batch: far less than the maximum of a request, to limit what a retry repeats."""


@dataclass
class PushSummary:
    """What happened to the changes of a push."""

    accepted: int = 0
    ignored: int = 0
    """Changes that are not newer than what Lectern has."""
    failures: list[types.ItemResult] = field(default_factory=list)
    """The changes that failed, with their reasons."""
    job_id: str | None = None
    """The last job that indexes changes. None if there is nothing to index."""
    snapshot: types.Snapshot | None = None
    """
    Only of `replace_all`. Its status is `held` if most items would be deleted: check your source, then
    call again with `confirm_deletions`. It is `cancelled` if the id of an item is not valid: check `failures`.
    """

    def add(self, push: types.ItemPush) -> None:
        """Adds the results of a request."""
        self.accepted += push["accepted"]
        self.ignored += push["ignored"]
        self.job_id = push["jobId"] or self.job_id
        self.failures += [result for result in push["results"] if result["status"] == "failed"]


class Batch:
    """Changes that fit into a request."""

    def __init__(self) -> None:
        self.items: list[types.ItemChange] = []
        self._characters = 0

    def add(self, change: types.ItemChange) -> list[types.ItemChange]:
        """Adds a change. Returns the changes before it if they are a full request, otherwise none."""
        length = len(json.dumps(change))
        full: list[types.ItemChange] = []
        if self.items and (len(self.items) >= MAX_ITEMS or self._characters + length > MAX_CHARACTERS):
            full, self.items, self._characters = self.items, [], 0
        self.items.append(change)
        self._characters += length
        return full


def per_request(options: CallOptions | None) -> CallOptions:
    """Returns the options of each request: a key would make the second one a repetition of the first."""
    if options is None:
        return {}
    copy = options.copy()
    copy.pop("idempotency_key", None)
    return copy
