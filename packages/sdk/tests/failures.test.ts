import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Lectern, LecternConnectionError, LecternError } from '../src/index.ts';
import { answer, refuse, startServer, stream, type TestServer } from './support/server.ts';

let server: TestServer;
let lectern: Lectern;
beforeEach(async () => {
  server = await startServer();
  lectern = new Lectern({ baseUrl: `${server.url}/`, key: 'lectern_sk_x', teamId: 'team_1' });
});
afterEach(() => server.stop());

/** Begins an answer, and is gone before its end. */
function cutOff(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'Content-Length': '1000' }).write('{"data":');
  setTimeout(() => response.destroy(), 20);
}

const collection = { name: 'Handbook' };

describe('a failure', () => {
  it('is thrown with its code, status, request id and issues', async () => {
    server.handle = (_seen, response) => refuse(response, 400, 'invalid_request');
    const error = await lectern.search.documents({ query: '' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LecternError);
    expect(error).toMatchObject({
      code: 'invalid_request',
      status: 400,
      requestId: 'req_1',
      message: 'It is invalid_request.',
      issues: [{ path: 'query', message: 'is required' }],
    });
    expect(server.seen).toHaveLength(1);
  });

  it('that passes is tried again after as many seconds as the API asks for', async () => {
    server.handle = (_seen, response, count) => {
      if (count === 1) refuse(response, 429, 'rate_limited', { 'Retry-After': '1' });
      else answer(response, 200, { data: { id: 'col_1' }, meta: {} });
    };
    const started = performance.now();
    expect(await lectern.collections.create(collection)).toEqual({ id: 'col_1' });
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  });

  it('is tried again with the same Idempotency-Key, and no more than twice', async () => {
    server.handle = (_seen, response) => refuse(response, 503, 'unavailable', { 'Retry-After': '0' });
    await expect(lectern.collections.create(collection)).rejects.toMatchObject({ code: 'unavailable' });
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  it('is not tried again where that could do a thing twice, nor where the API asks for more than a minute', async () => {
    server.handle = (_seen, response) => refuse(response, 503, 'unavailable', { 'Retry-After': '0' });
    const files = [{ name: 'a.txt', data: 'a' }];
    await expect(lectern.files.upload('con_1', files)).rejects.toMatchObject({ code: 'unavailable' });
    expect(server.seen).toHaveLength(1);
    server.handle = (_seen, response) => refuse(response, 429, 'rate_limited', { 'Retry-After': '61' });
    await expect(lectern.keys.own()).rejects.toMatchObject({ retryAfterSeconds: 61 });
    expect(server.seen).toHaveLength(2);
  });

  it('of our own time being up is no reason to send a POST again: it may be at work', async () => {
    server.handle = () => undefined;
    const timeUp = { name: 'LecternConnectionError', isTimeout: true };
    await expect(lectern.chat.send({ message: 'Hi' }, { timeoutMs: 50 })).rejects.toMatchObject(timeUp);
    expect(server.seen).toHaveLength(1);
    await expect(lectern.collections.get('col_1', { timeoutMs: 50 })).rejects.toMatchObject(timeUp);
    expect(server.seen).toHaveLength(4);
  });

  it('without an answer of Lectern is told apart: a proxy, a deadline, nobody there', async () => {
    server.handle = (_seen, response) => response.writeHead(404).end('<html>');
    const options = { baseUrl: server.url, key: 'k', maxRetries: 0 };
    await expect(new Lectern(options).keys.own()).rejects.toBeInstanceOf(LecternConnectionError);
    server.handle = () => undefined;
    const late = new Lectern(options).keys.own({ timeoutMs: 50 });
    await expect(late).rejects.toMatchObject({ name: 'LecternConnectionError', isTimeout: true });
    const away = new Lectern({ ...options, baseUrl: 'http://127.0.0.1:1' }).keys.own();
    await expect(away).rejects.toMatchObject({ name: 'LecternConnectionError', isTimeout: false });
  });

  it.each([
    ['a page of a proxy', (response: ServerResponse) => response.end('<html>')],
    ['nothing', (response: ServerResponse) => response.writeHead(204).end()],
    ['JSON that is no answer', (response: ServerResponse) => response.end('null')],
    ['an answer that breaks off', (response: ServerResponse) => cutOff(response, 200)],
    ['a refusal that breaks off', (response: ServerResponse) => cutOff(response, 404)],
  ])('is %s in place of an answer, and asked for again where that does no harm', async (_name, reply) => {
    server.handle = (_seen, response, count) => {
      if (count === 1) reply(response);
      else answer(response, 200, { data: { id: 'key_1' }, meta: {} });
    };
    const unread = lectern.files.upload('con_1', [{ name: 'a.txt', data: 'a' }]);
    await expect(unread).rejects.toMatchObject({ name: 'LecternConnectionError', isTimeout: false });
    server.seen.length = 0;
    expect(await lectern.keys.own()).toEqual({ id: 'key_1' });
    expect(server.seen).toHaveLength(2);
  });

  it('of the time being up also ends the wait for the rest of an answer', async () => {
    const timeUp = { name: 'LecternConnectionError', isTimeout: true };
    for (const status of [200, 500]) {
      server.handle = (_seen, response) => response.writeHead(status).write('{"data":');
      await expect(lectern.chat.send({ message: 'Hi' }, { timeoutMs: 50 })).rejects.toMatchObject(timeUp);
    }
  });

  it('is a redirect: the key is not taken elsewhere', async () => {
    const elsewhere = await startServer();
    server.handle = (_seen, response) => response.writeHead(307, { Location: elsewhere.url }).end();
    const asked = lectern.files.upload('con_1', [{ name: 'a.txt', data: 'a' }]);
    await expect(asked).rejects.toThrow('Set baseUrl');
    await expect(lectern.keys.own()).rejects.toBeInstanceOf(LecternConnectionError);
    expect(elsewhere.seen).toEqual([]);
    await elsewhere.stop();
  });

  it('of the caller’s own making is its signal’s reason, also between tries', async () => {
    server.handle = (_seen, response) => refuse(response, 429, 'rate_limited', { 'Retry-After': '30' });
    const controller = new AbortController();
    const asked = lectern.keys.own({ signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(asked).rejects.toThrow('enough');
  });
});

describe('a stream', () => {
  const text = async () => {
    let all = '';
    for await (const { event, data } of lectern.chat.stream({ message: 'Hi' }))
      if (event === 'content_delta') all += data.delta;
    return all;
  };

  it('that breaks off goes on after the last event that named its place', async () => {
    server.handle = ({ headers }, response) => {
      if (headers['last-event-id'] === undefined) {
        stream(response, ['message_start', {}, '1'], ['content_delta', { delta: 'Thirty ' }, '2']);
        setTimeout(() => response.destroy(), 20);
      } else {
        stream(response, ['content_delta', { delta: 'days' }, '3'], ['message_end', {}, '4']);
        response.end();
      }
    };
    expect(await text()).toBe('Thirty days');
    expect(server.seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2']);
  });

  it('that breaks off and cannot go on throws', async () => {
    server.handle = (_seen, response) => {
      stream(response, ['content_delta', { delta: 'Thirty ' }]);
      setTimeout(() => response.destroy(), 20);
    };
    await expect(text()).rejects.toBeInstanceOf(LecternConnectionError);
    expect(server.seen).toHaveLength(1);
  });

  it('that fails throws what its error event says', async () => {
    server.handle = (_seen, response) => {
      stream(response, [
        'error',
        { code: 'upstream_error', message: 'The model failed.', retryable: true, requestId: 'req_9' },
      ]);
      response.end();
    };
    await expect(text()).rejects.toMatchObject({ code: 'upstream_error', requestId: 'req_9' });
  });

  it('ends with its signal', async () => {
    const controller = new AbortController();
    server.handle = (_seen, response) => stream(response, ['message_start', {}]);
    const read = async () => {
      for await (const _event of lectern.chat.stream({ message: 'Hi' }, { signal: controller.signal })) {
        controller.abort(new Error('enough'));
      }
    };
    await expect(read()).rejects.toThrow('enough');
  });
});

describe('a job that is watched', () => {
  it('is asked for again where the connection breaks', async () => {
    server.handle = (_seen, response, count) => {
      stream(response, [count === 1 ? 'progress' : 'end', { status: count === 1 ? 'running' : 'completed' }]);
      if (count === 1) setTimeout(() => response.destroy(), 20);
      else response.end();
    };
    expect(await lectern.sync.done('con_1', 'job_1')).toEqual({ status: 'completed' });
  });
});
