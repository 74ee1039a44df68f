import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { expectRefusal } from './support/refusal.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const ask = (method: string, accept: string) =>
  fetch(`${gateway.url}/`, { method, redirect: 'manual', headers: { Accept: accept } });

describe('the root', () => {
  it.each([
    'text/html',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'text/html, application/json;q=0.5',
  ])('sends a browser on to the console (%s)', async (accept) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask(method, accept);
      expect({ status: answer.status, to: answer.headers.get('location') }).toEqual({ status: 302, to: '/console' });
      expect(answer.headers.get('vary')).toContain('Accept');
    }
  });

  it.each(['*/*', 'application/json', 'application/json, text/html;q=0.9', 'image/png', ''])(
    'tells a program where the API is (%s)',
    async (accept) => {
      const answer = await ask('GET', accept);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('vary')).toContain('Accept');
      const { data, meta } = (await answer.json()) as Record<string, object>;
      expect(data).toEqual({
        name: 'Lectern',
        api: '/api/v1',
        openapi: '/openapi.json',
        docs: '/docs',
        console: '/console',
      });
      expect(meta).toEqual({ requestId: expect.stringMatching(/^req_/), timestamp: expect.any(String) });
    },
  );

  it('has no other methods', async () => {
    expectRefusal(await gateway.send('POST', '/', { key: null }), 405, 'method_not_allowed');
    expect((await gateway.send('OPTIONS', '/', { key: null })).status).toBe(204);
  });
});
