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
  ])('redirects a browser to the console (%s)', async (accept) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask(method, accept);
      expect({ status: answer.status, to: answer.headers.get('location') }).toEqual({ status: 302, to: '/console' });
      expect(answer.headers.get('vary')).toContain('Accept');
    }
  });

  it.each(['*/*', 'application/json', 'application/json, text/html;q=0.9', 'image/png', ''])(
    'answers a program like any unknown path (%s)',
    async (accept) => {
      const answer = await gateway.send('GET', '/', { key: null, headers: { Accept: accept } });
      expectRefusal(answer, 404, 'not_found');
      expect(answer.headers.get('vary')).toContain('Accept');
    },
  );

  it('redirects nothing else', async () => {
    const headers = { Accept: 'text/html' };
    expectRefusal(await gateway.send('POST', '/', { key: null, headers }), 404, 'not_found');
    expectRefusal(await gateway.send('GET', '/nothing', { key: null, headers }), 404, 'not_found');
  });
});
