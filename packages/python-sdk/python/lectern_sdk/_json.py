"""JSON for requests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any


def _convert(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{type(value).__name__} cannot be converted to JSON.")


def encode(value: Any) -> bytes:
    """Raises `ValueError` for numbers that JSON does not have."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_convert).encode()
