import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CollectionServiceDefinition, SyncServiceDefinition } from '@lectern/contracts';
import { Metadata } from 'nice-grpc-common';
import { HealthDefinition } from 'nice-grpc-server-health';
import {
  AppError,
  type Caller,
  connectGrpc,
  createLogger,
  type GrpcConnection,
  type GrpcServer,
  notFound,
  onBehalfOf,
  serve,
  startGrpcServer,
} from '#index';

const caller: Caller = {
  teamId: 'team_1',
  keyId: 'key_1',
  scope: { kind: 'only', ids: ['col_1'] },
  userEmail: 'ada@example.com',
};
const unused = (): never => {
  throw new Error('not part of this test');
};
let attempts = 0;
let cancelled: () => void;
const sawCancel = new Promise<void>((resolve) => {
  cancelled = resolve;
});

const collections = serve(CollectionServiceDefinition, {
  getCollection: async ({ id }, call) => {
    switch (id) {
      case 'caller':
        return { id, name: JSON.stringify(call.caller), description: call.requestId };
      case 'bug':
        throw new TypeError('a secret detail');
      case 'flaky':
        attempts += 1;
        if (attempts < 3) throw new AppError('unavailable', 'warming up');
        return { id };
      case 'relayed': {
        attempts += 1;
        const away = connectGrpc('127.0.0.1:1');
        const onward = { metadata: onBehalfOf(call).metadata };
        return away
          .client(CollectionServiceDefinition)
          .getCollection({ id }, onward)
          .finally(() => away.close());
      }
      case 'slow':
        return new Promise((_, reject) => {
          call.signal.addEventListener('abort', () => {
            cancelled();
            reject(call.signal.reason);
          });
        });
      default:
        throw notFound('collection', id);
    }
  },
  createCollection: async () => {
    attempts += 1;
    throw new AppError('unavailable', 'try again');
  },
  listCollections: unused,
  resolveCollections: unused,
  getSpace: unused,
  updateCollection: unused,
  deleteCollection: unused,
  refreshStats: unused,
});

const sync = serve(SyncServiceDefinition, {
  startSync: unused,
  startPermissionRefresh: unused,
  getJob: unused,
  listJobs: unused,
  cancelJob: unused,
  async *watchJob(_request, call) {
    yield { id: 'first' };
    await new Promise((resolve) => call.signal.addEventListener('abort', resolve));
  },
});

let server: GrpcServer;
let connection: GrpcConnection;
const call = () => onBehalfOf({ caller, requestId: 'req_1', signal: new AbortController().signal });

beforeAll(async () => {
  server = await startGrpcServer({
    address: '127.0.0.1:0',
    services: [collections, sync],
    log: createLogger({ service: 'test', level: 'silent' }),
    shutdownTimeoutMs: 200,
  });
  connection = connectGrpc(`127.0.0.1:${server.port}`);
});

afterAll(async () => {
  connection.close();
  await server.stop();
});

describe('a call between services', () => {
  it('passes the caller and the request id to the handler', async () => {
    const client = connection.client(CollectionServiceDefinition);
    const answer = await client.getCollection({ id: 'caller' }, call());
    expect(JSON.parse(answer.name)).toEqual(caller);
    expect(answer.description).toBe('req_1');
  });

  it('is rejected without a caller', async () => {
    const client = connection.client(CollectionServiceDefinition);
    await expect(client.getCollection({ id: 'x' }, { metadata: Metadata() })).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });

  it('returns an error with its code, message and details', async () => {
    const client = connection.client(CollectionServiceDefinition);
    await expect(client.getCollection({ id: 'col_9' }, call())).rejects.toMatchObject({
      name: 'AppError',
      code: 'not_found',
      message: 'No collection has the id col_9.',
      details: { resource: 'collection', id: 'col_9' },
    });
  });

  it('hides the message of an unexpected error', async () => {
    const client = connection.client(CollectionServiceDefinition);
    const failure = client.getCollection({ id: 'bug' }, call());
    await expect(failure).rejects.toMatchObject({
      code: 'internal_error',
      message: 'An internal error occurred. Search the server log for the request id.',
    });
  });

  it('is retried only if the contract marks the method as idempotent', async () => {
    const client = connection.client(CollectionServiceDefinition);
    attempts = 0;
    await expect(client.getCollection({ id: 'flaky' }, call())).resolves.toMatchObject({ id: 'flaky' });
    expect(attempts).toBe(3);
    attempts = 0;
    await expect(client.createCollection({ name: 'x' }, call())).rejects.toMatchObject({ code: 'unavailable' });
    expect(attempts).toBe(1);
  });

  it('is retried only by the hop that failed', async () => {
    const client = connection.client(CollectionServiceDefinition);
    attempts = 0;
    await expect(client.getCollection({ id: 'relayed' }, call())).rejects.toMatchObject({ code: 'unavailable' });
    expect(attempts).toBe(1);
  });

  it('has a separate deadline for methods without side effects', async () => {
    const client = connection.client(CollectionServiceDefinition, { deadlineMs: 600_000, readDeadlineMs: 50 });
    await expect(client.getCollection({ id: 'slow' }, call())).rejects.toMatchObject({ code: 'timeout' });
  });

  it('ends at its deadline and aborts the handler', async () => {
    const client = connection.client(CollectionServiceDefinition, { deadlineMs: 50 });
    await expect(client.getCollection({ id: 'slow' }, call())).rejects.toMatchObject({ code: 'timeout' });
    await sawCancel;
  });

  it('fails with unavailable if no server listens', async () => {
    const away = connectGrpc('127.0.0.1:1');
    const client = away.client(CollectionServiceDefinition);
    await expect(client.getCollection({ id: 'x' }, { ...call(), retry: false })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(await away.healthy(200)).toBe(false);
    away.close();
  });

  it('is rejected after a shutdown, which cancels streams that do not end in time', async () => {
    const other = await startGrpcServer({
      address: '127.0.0.1:0',
      services: [collections, sync],
      log: createLogger({ service: 'test', level: 'silent' }),
      shutdownTimeoutMs: 50,
    });
    const link = connectGrpc(`127.0.0.1:${other.port}`);
    expect(await link.healthy(2_000)).toBe(true);
    const stream = link.client(SyncServiceDefinition).watchJob({ connectorId: 'c', jobId: 'j' }, call());
    const jobs = stream[Symbol.asyncIterator]();
    expect((await jobs.next()).value).toMatchObject({ id: 'first' });
    await other.stop();
    await expect(jobs.next()).rejects.toMatchObject({ name: 'AppError' });
    link.close();
  });

  it('reports the health of dependencies, and to probes whether the service accepts calls', async () => {
    const away = new Set<string>();
    const check = (name: string) => async () => {
      if (away.has(name)) throw new Error(`${name} is unavailable`);
    };
    const other = await startGrpcServer({
      address: '127.0.0.1:0',
      services: [],
      log: createLogger({ service: 'test', level: 'silent' }),
      shutdownTimeoutMs: 0,
      dependencies: { postgresql: check('postgresql'), nats: check('nats') },
      worksWithout: ['nats'],
    });
    const link = connectGrpc(`127.0.0.1:${other.port}`);
    const probe = async () => (await link.client(HealthDefinition).check({ service: '' })).status === 1;
    const health = async () => ({ all: await link.healthy(2_000), takesCalls: await probe() });
    expect(await health()).toEqual({ all: true, takesCalls: true });
    away.add('nats');
    expect(await health()).toEqual({ all: false, takesCalls: true });
    away.add('postgresql');
    expect(await health()).toEqual({ all: false, takesCalls: false });
    away.clear();
    expect(await health()).toEqual({ all: true, takesCalls: true });
    link.close();
    await other.stop();
  });
});
