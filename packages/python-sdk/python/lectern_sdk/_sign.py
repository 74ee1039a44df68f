"""Signatures of requests."""

from __future__ import annotations

import hashlib
import hmac
import time


def signature_headers(secret_key: str, body: str | bytes, at: int | None = None) -> dict[str, str]:
    """Returns the signature headers of a request.

    The signature is the hexadecimal HMAC-SHA256 over `<timestamp>.<body>`, keyed with the secret key.
    `at` is Unix time in milliseconds.
    """
    timestamp = str(int(time.time() * 1_000) if at is None else at)
    content = body.encode() if isinstance(body, str) else body
    digest = hmac.new(secret_key.encode(), timestamp.encode() + b"." + content, hashlib.sha256)
    return {"X-Service-Timestamp": timestamp, "X-Service-Signature": digest.hexdigest()}
