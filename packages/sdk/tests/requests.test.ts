import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { respond, respondWithError, respondWithEvents, startServer, type TestServer } from '@lectern/testing/fake-api';
import { Lectern } from '../src/index.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.stop());

describe('equal concurrent requests', () => {
  it('have different signatures, so that the server does not reject any as a replay', async () => {
    const lectern = new Lectern({ baseUrl: server.url, key: 'lectern_sk_x', sign: true });
    await Promise.all(Array.from({ length: 20 }, () => lectern.collections.create({ name: 'Handbook' })));
    const signatures = server.requests.map(({ headers }) => headers['x-service-signature']);
    expect(new Set(signatures).size).toBe(20);
  });
});

describe('a list or a stream', () => {
  it('sends no request before it is read', async () => {
    server.handle = (_request, response) => respondWithError(response, 401, 'invalid_key');
    const lectern = new Lectern({ baseUrl: server.url, key: 'lectern_sk_x' });
    const lazy = [
      lectern.chat.stream({ message: 'Hi' }),
      lectern.conversations.list(),
      lectern.conversations.streamRegenerate('conv_1'),
    ];
    await expect(lectern.keys.own()).rejects.toMatchObject({ code: 'invalid_key' });
    expect(server.requests).toHaveLength(1);
    for (const iterable of lazy) {
      await expect(Array.fromAsync<unknown>(iterable)).rejects.toMatchObject({ code: 'invalid_key' });
    }
  });
});

describe('a signal shared by many calls', () => {
  it('has no listeners after the calls have ended', async () => {
    const { signal } = new AbortController();
    const lectern = new Lectern({ baseUrl: server.url, key: 'lectern_sk_x' });
    await lectern.keys.own({ signal });
    server.handle = (_request, response) => {
      respondWithEvents(response, ['end', { status: 'completed' }]);
      response.end();
    };
    await lectern.sync.done('con_1', 'job_1', { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('the lookup of the team', () => {
  it('respects the signal and timeout of each call and is shared by later calls', async () => {
    let sendTeam = (): void => undefined;
    const requested = Promise.withResolvers<void>();
    server.handle = ({ url }, response) => {
      if (!url.endsWith('/key')) return respond(response, 200, { data: { id: 'conv_1' }, meta: {} });
      sendTeam = () => respond(response, 200, { data: { teamId: 'team_1' }, meta: {} });
      requested.resolve();
    };
    const lectern = new Lectern({ baseUrl: server.url, key: 'lectern_sk_x' });
    const controller = new AbortController();
    const aborted = lectern.conversations.get('conv_1', { signal: controller.signal });
    const timedOut = lectern.conversations.get('conv_1', { timeoutMs: 50 });
    const waiting = lectern.conversations.get('conv_1');
    await requested.promise;
    controller.abort(new Error('aborted by the caller'));
    await expect(aborted).rejects.toThrow('aborted by the caller');
    await expect(timedOut).rejects.toMatchObject({ isTimeout: true });
    sendTeam();
    expect(await waiting).toEqual({ id: 'conv_1' });
    expect(server.requests.map(({ url }) => url)).toEqual(['/api/v1/key', '/api/v1/teams/team_1/conversations/conv_1']);
  });
});

describe('an invalid argument', () => {
  it.each(['lectern.example.com', 'localhost:8080', 'http://', ''])(
    'is rejected by the constructor: baseUrl %j',
    (baseUrl) => {
      expect(() => new Lectern({ baseUrl, key: 'lectern_sk_x' })).toThrow(TypeError);
    },
  );

  it.each([
    [{ key: 'lectern_sk_…' }, {}, 'X-Service-Key'],
    [{}, { user: 'żółw@example.com' }, 'X-Service-User'],
    [{}, { idempotencyKey: 'a\nb' }, 'Idempotency-Key'],
  ])('is rejected before anything is sent: %j, %j', async (settings, options, name) => {
    const lectern = new Lectern({ baseUrl: server.url, key: 'lectern_sk_x', ...settings });
    const created = lectern.collections.create({ name: 'Handbook' }, options);
    await expect(created).rejects.toThrow(TypeError);
    await expect(created).rejects.toThrow(name);
    expect(server.requests).toEqual([]);
  });

  it('is rejected for a stream instead of reconnecting', async () => {
    const lectern = new Lectern({ baseUrl: server.url, key: 'lectern_sk_…' });
    await expect(lectern.sync.done('con_1', 'job_1')).rejects.toThrow(TypeError);
  });

  it('does not include the trailing newline of a key that was read from a file', async () => {
    await new Lectern({ baseUrl: server.url, key: 'lectern_sk_x\n' }).keys.own();
    expect(server.requests.map(({ headers }) => headers['x-service-key'])).toEqual(['lectern_sk_x']);
  });
});

describe('a conditional update', () => {
  it('sends the ETag and is not retried', async () => {
    const tag = '"a.b"';
    server.handle = ({ method }, response) => {
      if (method === 'GET') respond(response, 200, { data: { id: 'col_1' }, meta: {} }, { ETag: tag });
      else respondWithError(response, 503, 'unavailable');
    };
    const lectern = new Lectern({ baseUrl: server.url, key: 'lectern_sk_x' });
    const { etag, data } = await lectern.client.answer('getCollection', { path: { id: 'col_1' } });
    expect({ etag, data }).toEqual({ etag: tag, data: { id: 'col_1' } });
    const update = lectern.collections.update('col_1', { name: 'Travel' }, { ifMatch: tag });
    await expect(update).rejects.toMatchObject({ code: 'unavailable' });
    expect(server.requests.map(({ method, headers }) => [method, headers['if-match']])).toEqual([
      ['GET', undefined],
      ['PUT', tag],
    ]);
  });
});
