import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_plJ3nmyCDGBKInavdOK15jsl';
const BODY = JSON.stringify({ type: 'document.deleted', timestamp: '2026-11-21T10:00:00.000Z', data: { id: 'ü' } });
const AT = new Date('2026-11-21T10:00:00Z');
const NOW = { now: AT.getTime() };

/** The headers that the official library creates. */
const headersOf = (body: string, secret = SECRET, at = AT) => ({
  'webhook-id': 'wev_1',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  'webhook-signature': new Webhook(secret).sign('wev_1', at, body),
});

describe('verifyWebhook', () => {
  it('returns the event of a request that the official library signed', async () => {
    const headers = headersOf(BODY);
    const event = JSON.parse(BODY);
    expect(await verifyWebhook(BODY, headers, SECRET, NOW)).toEqual(event);
    expect(await verifyWebhook(new TextEncoder().encode(BODY), new Headers(headers), [OTHER, SECRET], NOW)).toEqual(
      event,
    );
    const rotated = `${headersOf(BODY, OTHER)['webhook-signature']} ${headers['webhook-signature']}`;
    expect(await verifyWebhook(BODY, { ...headers, 'webhook-signature': rotated }, SECRET, NOW)).toEqual(event);
  });

  it('rejects a missing header, another secret and a time outside the tolerance', async () => {
    const headers = headersOf(BODY);
    const cases: readonly [Record<string, string | undefined>, string, number?][] = [
      [{ ...headers, 'webhook-id': undefined }, SECRET],
      [{ ...headers, 'webhook-signature': 'v1,' }, SECRET],
      [{ ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') }, SECRET],
      [{ ...headers, 'webhook-timestamp': 'soon' }, SECRET],
      [headers, OTHER],
      [headers, SECRET, NOW.now + 301_000],
      [headers, SECRET, NOW.now - 301_000],
    ];
    for (const [given, secret, now = NOW.now] of cases) {
      await expect(verifyWebhook(BODY, given, secret, { now })).rejects.toThrow(WebhookVerificationError);
    }
    await expect(verifyWebhook(BODY, headers, 'whsec_!', NOW)).rejects.toThrow(TypeError);
  });

  it('rejects any change of the body, the id, the time or the signature', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('body', 'webhook-id', 'webhook-timestamp', 'webhook-signature'),
        fc.nat(),
        fc.constantFrom('0', 'A', ' ', '}'),
        async (part, at, character) => {
          const request: Record<string, string> = { ...headersOf(BODY), body: BODY };
          const text = String(request[part]);
          const position = at % text.length;
          const changed = text.slice(0, position) + character + text.slice(position + 1);
          fc.pre(changed !== text && !(part === 'webhook-signature' && isSameBase64(text, changed)));
          const { body = '', ...headers } = { ...request, [part]: changed };
          await expect(verifyWebhook(body, headers, SECRET, NOW)).rejects.toThrow(WebhookVerificationError);
        },
      ),
    );
  });
});

/** The last digit before the padding has bits that decoding ignores. */
const isSameBase64 = (one: string, other: string): boolean =>
  Buffer.from(one.slice(3), 'base64').equals(Buffer.from(other.slice(3), 'base64')) &&
  one.slice(0, 3) === other.slice(0, 3);
