import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Lectern } from '../src/index.ts';
import { answer, refuse, startServer, stream, type TestServer } from './support/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.stop());

describe('requests that are equal and leave at once', () => {
  it('are signed each at a time of its own, so that none passes for a replay', async () => {
    const lectern = new Lectern({ baseUrl: server.url, key: 'lectern_sk_x', sign: true });
    await Promise.all(Array.from({ length: 20 }, () => lectern.collections.create({ name: 'Handbook' })));
    const signatures = server.seen.map(({ headers }) => headers['x-service-signature']);
    expect(new Set(signatures).size).toBe(20);
  });
});

describe('a list or a stream', () => {
  it('asks for nothing before it is read, not for its team either', async () => {
    server.handle = (_seen, response) => refuse(response, 401, 'invalid_key');
    const lectern = new Lectern({ baseUrl: server.url, key: 'lectern_sk_x' });
    const unread = [
      lectern.chat.stream({ message: 'Hi' }),
      lectern.conversations.list(),
      lectern.conversations.streamRegenerate('conv_1'),
    ];
    await expect(lectern.keys.own()).rejects.toMatchObject({ code: 'invalid_key' });
    expect(server.seen).toHaveLength(1);
    for (const one of unread) {
      await expect(Array.fromAsync<unknown>(one)).rejects.toMatchObject({ code: 'invalid_key' });
    }
  });
});

describe('a signal that a caller keeps for many calls', () => {
  it('is held by none of them once it is over', async () => {
    const { signal } = new AbortController();
    const lectern = new Lectern({ baseUrl: server.url, key: 'lectern_sk_x' });
    await lectern.keys.own({ signal });
    server.handle = (_seen, response) => {
      stream(response, ['end', { status: 'completed' }]);
      response.end();
    };
    await lectern.sync.done('con_1', 'job_1', { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('the team, which is asked for unseen,', () => {
  it('keeps no call longer than its signal and its time allow, and is there for the next', async () => {
    let reply = (): void => undefined;
    const asked = Promise.withResolvers<void>();
    server.handle = ({ url }, response) => {
      if (!url.endsWith('/key')) return answer(response, 200, { data: { id: 'conv_1' }, meta: {} });
      reply = () => answer(response, 200, { data: { teamId: 'team_1' }, meta: {} });
      asked.resolve();
    };
    const lectern = new Lectern({ baseUrl: server.url, key: 'lectern_sk_x' });
    const controller = new AbortController();
    const left = lectern.conversations.get('conv_1', { signal: controller.signal });
    const late = lectern.conversations.get('conv_1', { timeoutMs: 50 });
    const patient = lectern.conversations.get('conv_1');
    await asked.promise;
    controller.abort(new Error('enough'));
    await expect(left).rejects.toThrow('enough');
    await expect(late).rejects.toMatchObject({ isTimeout: true });
    reply();
    expect(await patient).toEqual({ id: 'conv_1' });
    expect(server.seen.map(({ url }) => url)).toEqual(['/api/v1/key', '/api/v1/teams/team_1/conversations/conv_1']);
  });
});

describe('what a caller gets wrong', () => {
  it.each(['lectern.example.com', 'localhost:8080', 'http://', ''])('is told at once: %j is no address', (baseUrl) => {
    expect(() => new Lectern({ baseUrl, key: 'lectern_sk_x' })).toThrow(TypeError);
  });

  it.each([
    [{ key: 'lectern_sk_…' }, {}, 'X-Service-Key'],
    [{}, { user: 'żółw@example.com' }, 'X-Service-User'],
    [{}, { idempotencyKey: 'a\nb' }, 'Idempotency-Key'],
  ])('is told before anything is sent: %j, %j', async (settings, options, name) => {
    const lectern = new Lectern({ baseUrl: server.url, key: 'lectern_sk_x', ...settings });
    const asked = lectern.collections.create({ name: 'Handbook' }, options);
    await expect(asked).rejects.toThrow(TypeError);
    await expect(asked).rejects.toThrow(name);
    expect(server.seen).toEqual([]);
  });

  it('is told of a stream, too, and not taken for one that broke off', async () => {
    const lectern = new Lectern({ baseUrl: server.url, key: 'lectern_sk_…' });
    await expect(lectern.sync.done('con_1', 'job_1')).rejects.toThrow(TypeError);
  });

  it('is not said of the line end that a key read from a file has', async () => {
    await new Lectern({ baseUrl: server.url, key: 'lectern_sk_x\n' }).keys.own();
    expect(server.seen.map(({ headers }) => headers['x-service-key'])).toEqual(['lectern_sk_x']);
  });
});

describe('a change of a record that was read', () => {
  it('is bound to its ETag, and not tried again where its answer is lost', async () => {
    const tag = '"a.b"';
    server.handle = ({ method }, response) => {
      if (method === 'GET') answer(response, 200, { data: { id: 'col_1' }, meta: {} }, { ETag: tag });
      else refuse(response, 503, 'unavailable');
    };
    const lectern = new Lectern({ baseUrl: server.url, key: 'lectern_sk_x' });
    const { etag, data } = await lectern.client.answer('getCollection', { path: { id: 'col_1' } });
    expect({ etag, data }).toEqual({ etag: tag, data: { id: 'col_1' } });
    const update = lectern.collections.update('col_1', { name: 'Travel' }, { ifMatch: tag });
    await expect(update).rejects.toMatchObject({ code: 'unavailable' });
    expect(server.seen.map(({ method, headers }) => [method, headers['if-match']])).toEqual([
      ['GET', undefined],
      ['PUT', tag],
    ]);
  });
});
