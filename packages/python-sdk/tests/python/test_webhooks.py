"""Verification of webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import unittest

from lectern_sdk import WebhookVerificationError, verify_webhook

KEY = b"0123456789abcdef0123456789abcdef"
SECRET = "whsec_" + base64.b64encode(KEY).decode()
BODY = '{"type":"document.indexed","data":{"title":"é"}}'
NOW = 1_700_000_000


def signed(body: str, key: bytes = KEY, at: int = NOW) -> dict[str, str]:
    digest = hmac.new(key, f"msg_1.{at}.{body}".encode(), hashlib.sha256).digest()
    signature = f"v1,{base64.b64encode(digest).decode()}"
    return {"Webhook-Id": "msg_1", "webhook-timestamp": str(at), "webhook-signature": f"v1a,x {signature}"}


class WebhookTest(unittest.TestCase):
    def test_returns_the_event(self) -> None:
        self.assertEqual(verify_webhook(BODY, signed(BODY), SECRET, now=NOW)["type"], "document.indexed")
        old = "whsec_" + base64.b64encode(b"x" * 32).decode()
        self.assertTrue(verify_webhook(BODY.encode(), signed(BODY), [old, SECRET], now=NOW + 300))

    def test_rejects_what_does_not_come_from_lectern(self) -> None:
        cases: list[tuple[str, dict[str, str], float]] = [
            (BODY + " ", signed(BODY), NOW),
            (BODY, signed(BODY, b"y" * 32), NOW),
            (BODY, signed(BODY), NOW + 301),
            (BODY, signed(BODY), NOW - 301),
            (BODY, {**signed(BODY), "webhook-timestamp": "soon"}, NOW),
            (BODY, {**signed(BODY), "webhook-signature": "v1,"}, NOW),
            (BODY, {}, NOW),
        ]
        for body, headers, now in cases:
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(body, headers, SECRET, now=now)
        with self.assertRaises(ValueError):
            verify_webhook(BODY, signed(BODY), "whsec_", now=NOW)
