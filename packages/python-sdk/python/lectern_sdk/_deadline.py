"""Time limits."""

from __future__ import annotations

import time

from ._errors import LecternConnectionError


class Deadline:
    """A point in time. Without seconds, it is never reached."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def remaining(self) -> float | None:
        """Returns the seconds that are left. Raises if there are none."""
        if self._end is None:
            return None
        left = self._end - time.monotonic()
        if left <= 0:
            raise self.error()
        return left

    def error(self) -> LecternConnectionError:
        return LecternConnectionError(f"The deadline of {self.seconds:g} s was exceeded.", is_timeout=True)

    def limit(self, seconds: float) -> float:
        """Returns the seconds, or what is left if that is less."""
        left = self.remaining()
        return seconds if left is None else min(seconds, left)
