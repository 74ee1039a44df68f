"""Errors of the client."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Mapping

import httpx

if TYPE_CHECKING:
    from . import types


class LecternError(Exception):
    """An error that the API returned. Each group of codes has a subclass."""

    code: types.ErrorCode
    """The code of the error, for programs."""
    message: str
    """What failed, why, and what to do."""
    status: int
    """The HTTP status. 200 if a stream failed after it had started."""
    request_id: str | None
    """Include it in support requests: it identifies the request in the server's logs."""
    details: Mapping[str, Any]
    retry_after_seconds: int | None
    """Seconds to wait before a retry, from the `Retry-After` header."""

    def __init__(
        self,
        code: Any,
        message: str,
        *,
        status: int,
        request_id: str | None = None,
        details: Mapping[str, Any] | None = None,
        retry_after_seconds: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.request_id = request_id
        self.details = details if isinstance(details, Mapping) else {}
        self.retry_after_seconds = retry_after_seconds

    @property
    def issues(self) -> list[types.Issue]:
        """The invalid fields of the request if the code is `invalid_request`."""
        issues = self.details.get("issues")
        return issues if isinstance(issues, list) else []


class InvalidRequestError(LecternError):
    """The request is invalid: see `issues`."""


class AuthenticationError(LecternError):
    """The key, the token, the session or the signature is missing, invalid or expired."""


class ForbiddenError(LecternError):
    """The caller may not do this."""


class NotFoundError(LecternError):
    """The record does not exist, or the caller cannot see it."""


class ConflictError(LecternError):
    """The record is in another state than the request expects, or has changed since it was read."""


class RateLimitError(LecternError):
    """Too many requests: see `retry_after_seconds`."""


class ServerError(LecternError):
    """Lectern, or a service that it uses, failed or is not available."""


class LecternConnectionError(Exception):
    """No response, or not one from Lectern: a network failure, a proxy's page or a timeout."""

    is_timeout: bool
    status: int | None
    """The HTTP status of an unexpected response, for example of a proxy."""

    def __init__(self, message: str, *, is_timeout: bool = False, status: int | None = None) -> None:
        super().__init__(message)
        self.is_timeout = is_timeout
        self.status = status


# The subclass of each code. Other codes have none.
_CLASSES: Mapping[str, type[LecternError]] = {
    "invalid_request": InvalidRequestError,
    "payload_too_large": InvalidRequestError,
    "unsupported_media_type": InvalidRequestError,
    "unauthorized": AuthenticationError,
    "invalid_key": AuthenticationError,
    "key_expired": AuthenticationError,
    "invalid_signature": AuthenticationError,
    "forbidden": ForbiddenError,
    "not_found": NotFoundError,
    "conflict": ConflictError,
    "precondition_failed": ConflictError,
    "rate_limited": RateLimitError,
    "internal_error": ServerError,
    "upstream_error": ServerError,
    "unavailable": ServerError,
    "timeout": ServerError,
}


def create_error(code: str, message: str, *, status: int, **fields: Any) -> LecternError:
    """Creates the error for a code. A newer server can have codes that this client does not know."""
    fallback = ServerError if status >= 500 else LecternError
    return _CLASSES.get(code, fallback)(code, message, status=status, **fields)


def unexpected_response(status: int) -> LecternConnectionError:
    """Creates the error for a response that is not from Lectern: a proxy's page, or an empty body."""
    return LecternConnectionError(
        f"Unexpected response (HTTP {status}). Is this a Lectern server?", status=status
    )


def read_error(status: int, headers: httpx.Headers, body: bytes) -> LecternError | LecternConnectionError:
    """Reads the error from a response whose status is not 2xx."""
    try:
        parsed = json.loads(body)
        error = parsed["error"]
        code, message = error["code"], error["message"]
        if not isinstance(code, str) or not isinstance(message, str):
            raise TypeError("The body is not an API error.")
        meta = parsed.get("meta")
        request_id = headers.get("x-request-id") or (meta.get("requestId") if isinstance(meta, dict) else None)
        details = error.get("details")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as cause:
        unexpected = unexpected_response(status)
        unexpected.__cause__ = cause
        return unexpected
    retry_after = headers.get("retry-after", "")
    seconds = int(retry_after) if re.fullmatch(r"[0-9]{1,9}", retry_after) else None
    return create_error(
        code, message, status=status, request_id=request_id, details=details, retry_after_seconds=seconds
    )
