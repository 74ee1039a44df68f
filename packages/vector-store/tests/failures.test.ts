import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createVectorStore, type VectorStore } from '#index';

describe('a server that fails', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
  });

  const storeAt = async (respond: RequestListener, timeoutMs = 5_000): Promise<VectorStore> => {
    server = createServer(respond);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    return createVectorStore({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, timeoutMs });
  };
  const responding = (status: number, headers: Record<string, string> = {}, body = '{"status":{"error":"10.0.0.7"}}') =>
    storeAt((_request, response) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body),
    );

  it('is unavailable when no process listens', async () => {
    const store = await responding(200);
    await new Promise((resolve) => server?.close(resolve));
    await expect(store.count('m', { team: 't' })).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The vector store is unavailable. Try again shortly.',
    });
  });

  it.each([500, 502, 503, 429, 401, 403])('is unavailable when it returns %d', async (status) => {
    const store = await responding(status);
    await expect(store.ping()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.each(['3', 'Fri, 01 Jan 2027 00:00:00 GMT'])(
    'is unavailable when it returns 429 with Retry-After: %s',
    async (wait) => {
      const store = await responding(429, { 'retry-after': wait });
      await expect(store.ping()).rejects.toMatchObject({ code: 'unavailable' });
    },
  );

  it('is an internal error when it rejects a request, and the text of Qdrant is not shown', async () => {
    const store = await responding(400);
    await expect(store.count('m', { team: 't' })).rejects.toMatchObject({
      code: 'internal_error',
      message: expect.not.stringContaining('10.0.0.7'),
      cause: expect.objectContaining({ message: expect.stringContaining('10.0.0.7') }),
    });
  });

  it.each([
    ['not JSON', 'not JSON'],
    ['without a result', '{}'],
    ['empty', ''],
  ])('is an internal error when its response is %s', async (_name, body) => {
    const store = await responding(200, {}, body);
    await expect(store.count('m', { team: 't' })).rejects.toMatchObject({ code: 'internal_error' });
  });

  it('is an internal error when it redirects, and the redirect is not followed', async () => {
    const paths: (string | undefined)[] = [];
    const store = await storeAt((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    await expect(store.ping()).rejects.toMatchObject({ code: 'internal_error' });
    expect(paths).toEqual(['/collections']);
  });

  it('is an internal error when the encoding of its response is unknown', async () => {
    const store = await responding(200, { 'content-encoding': 'unknown' });
    await expect(store.ping()).rejects.toMatchObject({ code: 'internal_error' });
  });

  it('is a timeout after the deadline', async () => {
    const store = await storeAt(() => {}, 50);
    await expect(store.count('m', { team: 't' })).rejects.toMatchObject({ code: 'timeout' });
  });

  it('is a timeout when a response stops halfway', async () => {
    const store = await storeAt((_request, response) => void response.writeHead(200).write('{"result":'), 50);
    await expect(store.count('m', { team: 't' })).rejects.toMatchObject({ code: 'timeout' });
  });

  it('is a cancelled call when the caller aborts', async () => {
    const controller = new AbortController();
    const store = await storeAt(() => controller.abort());
    await expect(store.count('m', { team: 't', signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it.each([
    ['before the response', ''],
    ['within the response', '{"result":'],
  ])('gets a second request when it drops the connection %s', async (_name, beginning) => {
    let requests = 0;
    const store = await storeAt((request, response) => {
      requests++;
      response.writeHead(200, { 'content-type': 'application/json' });
      if (requests > 1) response.end('{"result":{"collections":[]}}');
      else if (beginning === '') request.socket.destroy();
      else response.write(beginning, () => request.socket.destroy());
    });
    await store.ping();
    expect(requests).toBe(2);
  });

  it('gets no third request', async () => {
    let requests = 0;
    const store = await storeAt((request) => {
      requests++;
      request.socket.destroy();
    });
    await expect(store.ping()).rejects.toMatchObject({ code: 'unavailable' });
    expect(requests).toBe(2);
  });
});
