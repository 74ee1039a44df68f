import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { expectError } from './support/expect-error.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';

const MAX_GZIPPED_BYTES = 15 * 1024;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

it('serves the search box to any page, without a key', async () => {
  const response = await gateway.send('GET', '/widget.js', { key: null, headers: { Origin: 'https://example.com' } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(response.text).toContain('lectern-search');
  expect(gzipSync(response.text).length).toBeLessThan(MAX_GZIPPED_BYTES);
});

it('sends the search box again only if it has changed', async () => {
  const first = await gateway.send('GET', '/widget.js', { key: null });
  const etag = first.headers.get('etag') ?? 'none';
  // Node's fetch would request a fresh copy automatically.
  const headers = { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' };
  const second = await gateway.send('GET', '/widget.js', { key: null, headers });
  expect({ status: second.status, text: second.text }).toEqual({ status: 304, text: '' });
  expectError(await gateway.send('POST', '/widget.js', { key: null }), 405, 'method_not_allowed');
});
