import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const requestRoot = (method: string, accept: string) =>
  fetch(`${gateway.url}/`, { method, redirect: 'manual', headers: { Accept: accept } });

describe('the root path', () => {
  it.each([
    'text/html',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'text/html, application/json;q=0.5',
  ])('redirects a browser to the console (%s)', async (accept) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await requestRoot(method, accept);
      expect({ status: response.status, to: response.headers.get('location') }).toEqual({
        status: 302,
        to: '/console',
      });
      expect(response.headers.get('vary')).toContain('Accept');
    }
  });

  it.each(['*/*', 'application/json', 'application/json, text/html;q=0.9', 'image/png', ''])(
    'returns 404 to other clients (%s)',
    async (accept) => {
      const response = await gateway.send('GET', '/', { key: null, headers: { Accept: accept } });
      expectError(response, 404, 'not_found');
      expect(response.headers.get('vary')).toContain('Accept');
    },
  );

  it.each([
    ['/ask', '/console/ask'],
    ['/ask?q=How%20many%20days%3F&x=1', '/console/ask?q=How%20many%20days%3F&x=1'],
    ['/ask/conv_01h455vb4pex5vsknk084sn02q', '/console/ask/conv_01h455vb4pex5vsknk084sn02q'],
  ])('redirects a browser from %s', async (path, target) => {
    const response = await fetch(`${gateway.url}${path}`, { redirect: 'manual', headers: { Accept: 'text/html' } });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(target);
  });

  it.each(['/ask/', '/ask/a/b', '/asks', '/ask//evil.example', '/ask/%2f%2fevil.example', '//ask'])(
    'redirects no browser from %s',
    async (path) => {
      const response = await fetch(`${gateway.url}${path}`, { redirect: 'manual', headers: { Accept: 'text/html' } });
      expect(response.status).toBe(404);
    },
  );

  it('redirects no other request', async () => {
    const headers = { Accept: 'text/html' };
    expectError(await gateway.send('POST', '/', { key: null, headers }), 404, 'not_found');
    expectError(await gateway.send('GET', '/nothing', { key: null, headers }), 404, 'not_found');
  });
});
