"""When to retry a request, and after which delay."""

from __future__ import annotations

import random

from ._errors import LecternConnectionError, LecternError

FIRST_DELAY_SECONDS = 0.5
MAX_DELAY_SECONDS = 8.0
# If `Retry-After` is longer, the error is raised without a retry.
MAX_RETRY_AFTER_SECONDS = 60
TEMPORARY = ("unavailable", "timeout", "upstream_error")


def retry_delay(error: Exception, attempt: int, *, repeatable: bool) -> float | None:
    """Returns the delay before the next attempt in seconds, or None if the request must not be retried."""
    backoff: float = min(FIRST_DELAY_SECONDS * 2.0**attempt, MAX_DELAY_SECONDS) * (0.5 + random.random() / 2)
    if isinstance(error, LecternConnectionError):
        return backoff if repeatable else None
    if not isinstance(error, LecternError):
        return None
    # The rate limiter rejects a request before it has any effect.
    if error.code != "rate_limited" and not (repeatable and error.code in TEMPORARY):
        return None
    if error.retry_after_seconds is None:
        return backoff
    return float(error.retry_after_seconds) if error.retry_after_seconds <= MAX_RETRY_AFTER_SECONDS else None
