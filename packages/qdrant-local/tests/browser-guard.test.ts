import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createQdrantLocal, type QdrantLocal } from '../src/index.ts';
import { type LocalServer, startLocalServer } from './support/local-server.ts';

let server: LocalServer;

beforeAll(async () => {
  server = await startLocalServer();
  await server.client.createCollection('kept', { vectors: { size: 2, distance: 'Dot' } });
});

afterAll(() => server.stop());

/** Sends a request with exactly these headers and returns its status. `fetch` would change them. */
function statusOf(url: string, method: string, headers: Record<string, string>, body = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, ...(body && { 'content-length': body.length }) } });
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const list = (host: string, url = server.url) => statusOf(`${url}/collections`, 'GET', { host });

describe('a server without a key', () => {
  it('accepts requests whose Host is this machine', async () => {
    const port = new URL(server.url).port;
    for (const host of ['localhost', `localhost:${port}`, 'LOCALHOST', '127.0.0.1:1', '127.9.9.9', `[::1]:${port}`])
      expect(await list(host)).toBe(200);
  });

  it('rejects every other Host, to prevent DNS rebinding', async () => {
    const lookalikes = [
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'evil.example:6333',
      'x@localhost',
      '0.0.0.0',
    ];
    for (const host of [...lookalikes, '10.0.0.1', '[::ffff:127.0.0.1]', '[fe80::1]'])
      expect(await list(host)).toBe(403);
    await fc.assert(
      fc.asyncProperty(fc.domain(), async (host) => {
        expect(await list(host)).toBe(403);
      }),
      { numRuns: 50 },
    );
  });

  it('rejects a body that is not JSON, which pages can send without a CORS check, and changes nothing', async () => {
    const wipe = JSON.stringify({ filter: {} });
    const headers = { host: 'localhost' };
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonp',
      '',
    ])
      for (const [method, path] of [
        ['POST', '/collections/kept/points/delete'],
        ['PUT', '/collections/new'],
        ['PATCH', '/collections/kept'],
      ] as const)
        expect(
          await statusOf(server.url + path, method, { ...headers, ...(type && { 'content-type': type }) }, wipe),
        ).toBe(415);
    expect((await server.client.getCollections()).collections).toEqual([{ name: 'kept' }]);
  });

  it('rejects pages of other origins and accepts its own', async () => {
    const from = (origin: string) => statusOf(`${server.url}/collections`, 'GET', { host: 'localhost:6333', origin });
    for (const origin of ['https://evil.example', 'null', 'http://localhost:3000', 'http://localhost'])
      expect(await from(origin)).toBe(403);
    expect(await from('http://localhost:6333')).toBe(200);
  });

  it('accepts additional allowed host names', async () => {
    const dataDir = `${server.dataDir}/named`;
    const named = await createQdrantLocal({ dataDir, port: 0, allowedHosts: ['vectors.internal'] });
    try {
      expect(await list('vectors.internal:80', named.url)).toBe(200);
      expect(await list('x.vectors.internal', named.url)).toBe(403);
    } finally {
      await named.close();
    }
  });

  it('does not listen on an address that other machines can connect to', async () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'vectors.example'])
      await expect(createQdrantLocal({ dataDir: `${server.dataDir}/open`, port: 0, host })).rejects.toThrow(
        /other machines can reach .* so a key is required/,
      );
  });
});

describe('a server that other machines can connect to', () => {
  let open: QdrantLocal;

  beforeAll(async () => {
    open = await createQdrantLocal({ dataDir: `${server.dataDir}/open`, port: 0, host: '0.0.0.0', apiKey: 'secret' });
  });

  afterAll(() => open.close());

  it('accepts any Host with the key, and none without it', async () => {
    const url = `http://127.0.0.1:${open.port}/collections`;
    expect(await statusOf(url, 'GET', { host: 'qdrant', 'api-key': 'secret' })).toBe(200);
    expect(await statusOf(url, 'GET', { host: 'qdrant' })).toBe(401);
    expect(await statusOf(url, 'GET', { host: 'localhost' })).toBe(401);
  });
});
