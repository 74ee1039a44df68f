import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createVectorStore, type VectorStore } from '../src/index.ts';

describe('a server that fails', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
  });

  const storeAt = async (answer: RequestListener, timeoutMs = 5_000): Promise<VectorStore> => {
    server = createServer(answer);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    return createVectorStore({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, timeoutMs });
  };
  const answering = (status: number, body = '{"status":{"error":"internal detail at 10.0.0.7"}}') =>
    storeAt((_request, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body));

  it('is unavailable when nothing listens', async () => {
    const store = await answering(200);
    await new Promise((resolve) => server?.close(resolve));
    await expect(store.count('m', { team: 't' })).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The vector store cannot be reached. Try again shortly.',
    });
  });

  it.each([500, 502, 503, 429, 401, 403])('is unavailable when it answers %d', async (status) => {
    const store = await answering(status);
    await expect(store.ping()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is a fault of ours when it refuses a request, without a word of its own shown', async () => {
    const store = await answering(400);
    await expect(store.count('m', { team: 't' })).rejects.toMatchObject({
      code: 'internal_error',
      message: expect.not.stringContaining('10.0.0.7'),
    });
  });

  it('is a fault of ours when its answer cannot be read', async () => {
    const store = await answering(200, 'not JSON');
    await expect(store.count('m', { team: 't' })).rejects.toMatchObject({ code: 'internal_error' });
  });

  it('is given up at the deadline', async () => {
    const store = await storeAt(() => {}, 50);
    await expect(store.count('m', { team: 't' })).rejects.toMatchObject({ code: 'timeout' });
  });

  it('is left when the caller is', async () => {
    const controller = new AbortController();
    const store = await storeAt(() => controller.abort());
    await expect(store.count('m', { team: 't', signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it('is asked once more when it drops the connection', async () => {
    let requests = 0;
    const store = await storeAt((request, response) => {
      requests++;
      if (requests === 1) request.socket.destroy();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"result":{"collections":[]}}');
    });
    await store.ping();
    expect(requests).toBe(2);
  });

  it('is not asked for ever', async () => {
    let requests = 0;
    const store = await storeAt((request) => {
      requests++;
      request.socket.destroy();
    });
    await expect(store.ping()).rejects.toMatchObject({ code: 'unavailable' });
    expect(requests).toBe(2);
  });
});
