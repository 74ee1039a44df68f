"""One page of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Sequence, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list."""

    items: Sequence[T]
    page: int
    limit: int
    total: int
    has_more: bool
