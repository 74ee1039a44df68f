import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { respond, respondWithError, respondWithEvents, startServer, type TestServer } from '@lectern/testing/fake-api';
import {
  AuthenticationError,
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  Lectern,
  LecternConnectionError,
  LecternError,
  NotFoundError,
  RateLimitError,
  ServerError,
} from '../src/index.ts';

let server: TestServer;
let lectern: Lectern;
beforeEach(async () => {
  server = await startServer();
  lectern = new Lectern({ baseUrl: `${server.url}/`, key: 'lectern_sk_x', teamId: 'team_1' });
});
afterEach(() => server.stop());

/** Closes the connection in the middle of the response. */
function sendTruncated(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'Content-Length': '1000' }).write('{"data":');
  setTimeout(() => response.destroy(), 20);
}

const collection = { name: 'Handbook' };

describe('a failure', () => {
  it('is thrown with its code, status, request id and issues', async () => {
    server.handle = (_request, response) => respondWithError(response, 400, 'invalid_request');
    const error = await lectern.search.documents({ query: '' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LecternError);
    expect(error).toMatchObject({
      code: 'invalid_request',
      status: 400,
      requestId: 'req_1',
      message: 'Failed with invalid_request.',
      issues: [{ path: 'query', message: 'is required' }],
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [400, 'invalid_request', InvalidRequestError],
    [401, 'invalid_key', AuthenticationError],
    [403, 'forbidden', ForbiddenError],
    [404, 'not_found', NotFoundError],
    [412, 'precondition_failed', ConflictError],
    [429, 'rate_limited', RateLimitError],
    [503, 'unavailable', ServerError],
    [599, 'a_new_code', ServerError],
    [418, 'a_new_code', LecternError],
  ])('of status %i with %s is of the class of its code', async (status, code, Class) => {
    server.handle = (_request, response) => respondWithError(response, status, code, { 'Retry-After': '61' });
    const error = await lectern.collections.get('col_1').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Class);
    expect(error).toBeInstanceOf(LecternError);
    expect(error).toMatchObject({ name: Class.name, code, status });
  });

  it('is retried after the number of seconds in Retry-After', async () => {
    server.handle = (_request, response, count) => {
      if (count === 1) respondWithError(response, 429, 'rate_limited', { 'Retry-After': '1' });
      else respond(response, 200, { data: { id: 'col_1' }, meta: {} });
    };
    const started = performance.now();
    expect(await lectern.collections.create(collection)).toEqual({ id: 'col_1' });
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  });

  it('is retried at most twice, with the same Idempotency-Key', async () => {
    server.handle = (_request, response) => respondWithError(response, 503, 'unavailable', { 'Retry-After': '0' });
    await expect(lectern.collections.create(collection)).rejects.toMatchObject({ code: 'unavailable' });
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  it('is not retried if a retry is unsafe or Retry-After exceeds a minute', async () => {
    server.handle = (_request, response) => respondWithError(response, 503, 'unavailable', { 'Retry-After': '0' });
    const files = [{ name: 'a.txt', data: 'a' }];
    await expect(lectern.files.upload('con_1', files)).rejects.toMatchObject({ code: 'unavailable' });
    expect(server.requests).toHaveLength(1);
    server.handle = (_request, response) => respondWithError(response, 429, 'rate_limited', { 'Retry-After': '61' });
    await expect(lectern.keys.own()).rejects.toMatchObject({ retryAfterSeconds: 61 });
    expect(server.requests).toHaveLength(2);
  });

  it('is not retried after a POST timed out, because it may still be running', async () => {
    server.handle = () => undefined;
    const timeout = { name: 'LecternConnectionError', isTimeout: true };
    await expect(lectern.chat.send({ message: 'Hi' }, { timeoutMs: 500 })).rejects.toMatchObject(timeout);
    expect(server.requests).toHaveLength(1);
    await expect(lectern.collections.get('col_1', { timeoutMs: 500 })).rejects.toMatchObject(timeout);
    expect(server.requests).toHaveLength(4);
  });

  it('is a LecternConnectionError for a proxy page, a timeout or a refused connection', async () => {
    server.handle = (_request, response) => response.writeHead(404).end('<html>');
    const options = { baseUrl: server.url, key: 'k', maxRetries: 0 };
    await expect(new Lectern(options).keys.own()).rejects.toBeInstanceOf(LecternConnectionError);
    server.handle = () => undefined;
    const slow = new Lectern(options).keys.own({ timeoutMs: 50 });
    await expect(slow).rejects.toMatchObject({ name: 'LecternConnectionError', isTimeout: true });
    const unreachable = new Lectern({ ...options, baseUrl: 'http://127.0.0.1:1' }).keys.own();
    await expect(unreachable).rejects.toMatchObject({ name: 'LecternConnectionError', isTimeout: false });
  });

  it.each([
    ['a proxy page', (response: ServerResponse) => response.end('<html>')],
    ['an empty body', (response: ServerResponse) => response.writeHead(204).end()],
    ['other JSON', (response: ServerResponse) => response.end('null')],
    ['a truncated response', (response: ServerResponse) => sendTruncated(response, 200)],
    ['a truncated error', (response: ServerResponse) => sendTruncated(response, 404)],
  ])('is retried if the server sent %s and the request is repeatable', async (_name, reply) => {
    server.handle = (_request, response, count) => {
      if (count === 1) reply(response);
      else respond(response, 200, { data: { id: 'key_1' }, meta: {} });
    };
    const upload = lectern.files.upload('con_1', [{ name: 'a.txt', data: 'a' }]);
    await expect(upload).rejects.toMatchObject({ name: 'LecternConnectionError', isTimeout: false });
    server.requests.length = 0;
    expect(await lectern.keys.own()).toEqual({ id: 'key_1' });
    expect(server.requests).toHaveLength(2);
  });

  it('times out while reading the rest of a response', async () => {
    const timeout = { name: 'LecternConnectionError', isTimeout: true };
    for (const status of [200, 500]) {
      server.handle = (_request, response) => response.writeHead(status).write('{"data":');
      await expect(lectern.chat.send({ message: 'Hi' }, { timeoutMs: 50 })).rejects.toMatchObject(timeout);
    }
  });

  it('is thrown for a redirect, and the key is not sent there', async () => {
    const otherServer = await startServer();
    server.handle = (_request, response) => response.writeHead(307, { Location: otherServer.url }).end();
    const pending = lectern.files.upload('con_1', [{ name: 'a.txt', data: 'a' }]);
    await expect(pending).rejects.toThrow('Set baseUrl');
    await expect(lectern.keys.own()).rejects.toBeInstanceOf(LecternConnectionError);
    expect(otherServer.requests).toEqual([]);
    await otherServer.stop();
  });

  it('is the reason of the signal if the caller aborts between attempts', async () => {
    server.handle = (_request, response) => respondWithError(response, 429, 'rate_limited', { 'Retry-After': '30' });
    const controller = new AbortController();
    const pending = lectern.keys.own({ signal: controller.signal });
    setTimeout(() => controller.abort(new Error('aborted by the caller')), 50);
    await expect(pending).rejects.toThrow('aborted by the caller');
  });
});

describe('a stream', () => {
  const text = async () => {
    let all = '';
    for await (const { event, data } of lectern.chat.stream({ message: 'Hi' }))
      if (event === 'content_delta') all += data.delta;
    return all;
  };

  it('resumes after the last event that had an id', async () => {
    server.handle = ({ headers }, response) => {
      if (headers['last-event-id'] === undefined) {
        respondWithEvents(response, ['message_start', {}, '1'], ['content_delta', { delta: 'Thirty ' }, '2']);
        setTimeout(() => response.destroy(), 20);
      } else {
        respondWithEvents(response, ['content_delta', { delta: 'days' }, '3'], ['message_end', {}, '4']);
        response.end();
      }
    };
    expect(await text()).toBe('Thirty days');
    expect(server.requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2']);
  });

  it('throws if it is interrupted and cannot resume', async () => {
    server.handle = (_request, response) => {
      respondWithEvents(response, ['content_delta', { delta: 'Thirty ' }]);
      setTimeout(() => response.destroy(), 20);
    };
    await expect(text()).rejects.toBeInstanceOf(LecternConnectionError);
    expect(server.requests).toHaveLength(1);
  });

  it('throws the error of an error event', async () => {
    server.handle = (_request, response) => {
      respondWithEvents(response, [
        'error',
        { code: 'upstream_error', message: 'The model failed.', retryable: true, requestId: 'req_9' },
      ]);
      response.end();
    };
    await expect(text()).rejects.toMatchObject({ code: 'upstream_error', requestId: 'req_9' });
  });

  it('ends when its signal is aborted', async () => {
    const controller = new AbortController();
    server.handle = (_request, response) => respondWithEvents(response, ['message_start', {}]);
    const read = async () => {
      for await (const _event of lectern.chat.stream({ message: 'Hi' }, { signal: controller.signal })) {
        controller.abort(new Error('aborted by the caller'));
      }
    };
    await expect(read()).rejects.toThrow('aborted by the caller');
  });
});

describe('watching a job', () => {
  it('reconnects after the connection breaks', async () => {
    server.handle = (_request, response, count) => {
      respondWithEvents(response, [
        count === 1 ? 'progress' : 'end',
        { status: count === 1 ? 'running' : 'completed' },
      ]);
      if (count === 1) setTimeout(() => response.destroy(), 20);
      else response.end();
    };
    expect(await lectern.sync.done('con_1', 'job_1')).toEqual({ status: 'completed' });
  });
});
