import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { startTestGateway, type TestGateway } from './support/gateway.ts';

const PER_MINUTE = 60;
const REQUEST = { model: 'lectern', messages: [{ role: 'user' as const, content: 'How much leave?' }] };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ RATE_LIMIT_SECRET_PER_MINUTE: String(PER_MINUTE) });
});
afterAll(() => gateway.stop());

/** A client whose transport is observed. */
const clientWith = (onFetch: typeof fetch): OpenAI =>
  new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.keys.secretKey, maxRetries: 5, fetch: onFetch });
const completions = () => gateway.services.calls.filter(({ method }) => method === 'complete').length;

describe('the official client', () => {
  it('gets the first response if it was lost on the way, and the request runs once', async () => {
    const keys: (string | null)[] = [];
    const client = clientWith(async (input, init) => {
      const response = await fetch(input, init);
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      if (keys.length > 1) return response;
      await response.arrayBuffer();
      throw new TypeError('fetch failed');
    });
    const before = completions();
    const reply = await client.chat.completions.create(REQUEST, { headers: { 'Idempotency-Key': 'lost-response' } });
    expect(reply.choices[0]?.message.content).toBe('Thirty days [1].\n');
    expect(keys).toEqual(['lost-response', 'lost-response']);
    expect(completions() - before).toBe(1);
  });

  it('repeats a request that is limited, after the time of Retry-After', async () => {
    const waits: (string | null)[] = [];
    const client = clientWith(async (input, init) => {
      let response = await fetch(input, init);
      // The first attempt of the client is the request that reaches the limit.
      for (let sent = 0; waits.length === 0 && response.ok && sent < 10_000; sent += 1)
        response = await fetch(input, init);
      if (response.status === 429) waits.push(response.headers.get('retry-after'));
      return response;
    });
    expect(await client.models.retrieve('lectern')).toMatchObject({ id: 'lectern' });
    expect(waits.length).toBeGreaterThan(0);
    for (const seconds of waits) expect(Number(seconds)).toBeGreaterThan(0);
  });
});
