"""What a complete stream amounts to."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from . import types


class FinalReply(TypedDict):
    """A complete reply, collected from its stream."""

    id: str
    conversationId: str
    content: str
    sources: list[types.ChatSource]
    answer_confidence: types.AnswerConfidence | None
    usage: types.Usage


class FinalRun(TypedDict):
    """A finished run of an agent, collected from its stream."""

    runId: str
    conversationId: str
    content: str
    usage: types.Usage
