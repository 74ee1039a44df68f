"""The client of the Lectern API: search, chat with citations, and agents over documents."""

from ._async._client import AsyncClient
from ._async._custom_source import AsyncCustomSource
from ._async._lectern import AsyncLectern
from ._async._paged import AsyncPaged
from ._async._streams import AsyncEventStream, AsyncReplyStream, AsyncRunStream
from ._errors import (
    AuthenticationError,
    ConflictError,
    ForbiddenError,
    InvalidRequestError,
    LecternConnectionError,
    LecternError,
    NotFoundError,
    RateLimitError,
    ServerError,
)
from ._finals import FinalReply, FinalRun
from ._options import NOT_GIVEN, CallOptions, NotGiven, UploadFile
from ._page import Page
from ._pushes import PushSummary
from ._sign import signature_headers
from ._sync._client import Client
from ._sync._custom_source import CustomSource
from ._sync._lectern import Lectern
from ._sync._paged import Paged
from ._sync._streams import EventStream, ReplyStream, RunStream
from ._version import VERSION as __version__
from ._webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "NOT_GIVEN",
    "AsyncClient",
    "AsyncCustomSource",
    "AsyncEventStream",
    "AsyncLectern",
    "AsyncPaged",
    "AsyncReplyStream",
    "AsyncRunStream",
    "AuthenticationError",
    "CallOptions",
    "Client",
    "ConflictError",
    "CustomSource",
    "EventStream",
    "FinalReply",
    "FinalRun",
    "ForbiddenError",
    "InvalidRequestError",
    "Lectern",
    "LecternConnectionError",
    "LecternError",
    "NotFoundError",
    "NotGiven",
    "Page",
    "Paged",
    "PushSummary",
    "RateLimitError",
    "ReplyStream",
    "RunStream",
    "ServerError",
    "UploadFile",
    "WebhookVerificationError",
    "__version__",
    "signature_headers",
    "verify_webhook",
]
