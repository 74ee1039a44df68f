import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createVectorStore } from '#index';
import { buildPassage } from './build-passage.ts';

describe('requests to Qdrant', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
  });

  /** Records requests and returns the same result for each. */
  async function startServer(
    result: string,
    encode?: (text: string) => Buffer,
  ): Promise<{ port: number; requests: IncomingMessage[] }> {
    const requests: IncomingMessage[] = [];
    server = createServer((request, response) => {
      requests.push(request);
      const body = `{"result":${result},"status":"ok"}`;
      response.writeHead(200, { 'content-type': 'application/json', ...(encode && { 'content-encoding': 'gzip' }) });
      response.end(encode ? encode(body) : body);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, requests };
  }

  it('request no compression, which would delay each response, and contain the API key', async () => {
    const { port, requests } = await startServer('{"count":7}');
    const store = createVectorStore({ url: `http://127.0.0.1:${port}`, apiKey: 'secret' });
    expect(await store.countDocuments('m', { team: 't' })).toBe(7);
    expect(requests[0]?.headers).toMatchObject({ 'accept-encoding': 'identity', 'api-key': 'secret' });
  });

  it('keep the path of a proxy', async () => {
    const { port, requests } = await startServer('{"collections":[]}');
    await createVectorStore({ url: `http://127.0.0.1:${port}/qdrant/` }).ping();
    expect(requests[0]?.url).toBe('/qdrant/collections');
  });

  it('reuse connections', async () => {
    const { port, requests } = await startServer('{"collections":[]}');
    const store = createVectorStore({ url: `http://127.0.0.1:${port}` });
    for (let at = 0; at < 20; at++) await store.ping();
    expect(new Set(requests.map(({ socket }) => socket.remotePort)).size).toBeLessThan(4);
  });

  const { dense, sparse, ...payload } = buildPassage({ metadata: { big: 2 ** 60, precise: 0.1 + 0.2 } });
  const points = `{"points":[${JSON.stringify({ id: 'p', payload })}]}`;

  it.each([
    ['plain', undefined],
    ['compressed although not requested', gzipSync],
  ])('read a response that is %s', async (_name, encode) => {
    const { port } = await startServer(encode ? points.replace(`${2 ** 60}`, '5') : points, encode);
    const [found] = await createVectorStore({ url: `http://127.0.0.1:${port}` }).browse('m', {
      team: 't',
      offset: 0,
      limit: 1,
    });
    expect(found?.metadata).toEqual({ big: encode ? 5 : 2 ** 60, precise: 0.30000000000000004 });
  });
});
