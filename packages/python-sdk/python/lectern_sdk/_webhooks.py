"""Verification of webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import TYPE_CHECKING, Mapping, Sequence, cast

if TYPE_CHECKING:
    from . import types

_PREFIX = "whsec_"


class WebhookVerificationError(Exception):
    """A request to a webhook does not come from Lectern, was changed on the way, or is too old."""


def verify_webhook(
    body: str | bytes,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> types.WebhookEvent:
    """Verifies a request to a webhook (https://www.standardwebhooks.com) and returns its event.

    Pass the body exactly as it was received, before it is parsed. `secrets` can be a list while a
    secret is rotated. Raises `WebhookVerificationError`. Ignore an event whose `webhook-id` you have
    already processed: an event can arrive more than once.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    identifier, timestamp, signatures = (
        lower.get(name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not identifier or not timestamp or not signatures:
        raise WebhookVerificationError(
            "The headers webhook-id, webhook-timestamp and webhook-signature are required."
        )
    seconds = time.time() if now is None else now
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(seconds - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError(
            "The timestamp is too old or too early. Check the clock of this machine."
        )
    content = body.encode() if isinstance(body, str) else body
    signed = f"{identifier}.{timestamp}.".encode() + content
    given = [decoded for part in signatures.split(" ") if part.startswith("v1,") and (decoded := _decode(part[3:]))]
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        key = _decode(secret[len(_PREFIX) :] if secret.startswith(_PREFIX) else secret)
        if not key:
            raise ValueError("A secret must be whsec_ and Base64, as Lectern returned it.")
        expected = hmac.new(key, signed, hashlib.sha256).digest()
        if any([hmac.compare_digest(expected, signature) for signature in given]):
            return cast("types.WebhookEvent", json.loads(content))
    raise WebhookVerificationError("No signature matches. Check the secret, and pass the body unchanged.")


def _decode(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
