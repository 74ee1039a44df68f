import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';

/** The script that every page loads, and the part for questions. */
const FILES = [
  { path: '/widget.js', content: 'lectern-search', maxGzippedBytes: 6 * 1024 },
  { path: '/widget-ask.js', content: 'createAskBox', maxGzippedBytes: 36 * 1024 },
] as const;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

it.each(FILES)('serves $path to any page, without a key', async ({ path, content, maxGzippedBytes }) => {
  const response = await gateway.send('GET', path, { key: null, headers: { Origin: 'https://example.com' } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.text).toContain(content);
  expect(gzipSync(response.text).length).toBeLessThan(maxGzippedBytes);
});

it.each(FILES)('sends $path again only if it has changed', async ({ path }) => {
  const first = await gateway.send('GET', path, { key: null });
  const etag = first.headers.get('etag') ?? 'none';
  // Node's fetch would request a fresh copy automatically.
  const headers = { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' };
  const second = await gateway.send('GET', path, { key: null, headers });
  expect({ status: second.status, text: second.text }).toEqual({ status: 304, text: '' });
  expectError(await gateway.send('POST', path, { key: null }), 405, 'method_not_allowed');
});
