import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CollectionServiceDefinition, SyncServiceDefinition } from '@lectern/contracts';
import { type Channel, createChannel, createClient } from 'nice-grpc';
import { Metadata, Status } from 'nice-grpc-common';
import { HealthDefinition } from 'nice-grpc-server-health';
import { CALL_TOKEN_KEY, signCall } from '#grpc/call-token';
import { HEALTH_OF_ALL } from '#grpc/options';
import {
  type CallOrigin,
  connectGrpc,
  createLogger,
  type GrpcServer,
  newId,
  onBehalfOf,
  processInternalKeys,
  readInternalKeys,
  serve,
  startGrpcServer,
  systemCaller,
  writeCaller,
} from '#index';

const PATH = '/lectern.collection.v1.CollectionService/GetCollection';
const keys = processInternalKeys();
let handled = 0;
let server: GrpcServer;
let channel: Channel;

const handler = async (request: { id: string }, call: { caller: { teamId: string } }) => {
  handled += 1;
  return { id: request.id, name: call.caller.teamId };
};
const unused = (): never => {
  throw new Error('not part of this test');
};

beforeAll(async () => {
  const log = createLogger({ service: 'test', level: 'silent' });
  const services = [
    serve(CollectionServiceDefinition, {
      getCollection: handler,
      createCollection: unused,
      listCollections: unused,
      resolveCollections: unused,
      getSpace: unused,
      updateCollection: unused,
      deleteCollection: handler,
      refreshStats: unused,
    }),
    serve(SyncServiceDefinition, {
      startSync: unused,
      startPermissionRefresh: unused,
      getJob: unused,
      listJobs: unused,
      cancelJob: unused,
      async *watchJob() {
        handled += 1;
        yield { id: 'job' };
      },
    }),
  ];
  server = await startGrpcServer({ address: '127.0.0.1:0', services, log, shutdownTimeoutMs: 200 });
  channel = createChannel(`127.0.0.1:${server.port}`);
});

afterAll(async () => {
  channel.close();
  await server.stop();
});

const origin: CallOrigin = {
  caller: { ...systemCaller('team_1'), scope: { kind: 'only', ids: ['col_1'] }, userEmail: 'ada@example.com' },
  requestId: newId('request'),
  signal: new AbortController().signal,
};
const unsigned = () => onBehalfOf(origin).metadata;
const signed = (path = PATH, now = Date.now(), by = keys) => {
  const metadata = unsigned();
  return metadata.set(CALL_TOKEN_KEY, signCall(by, path, metadata, now));
};
const call = (metadata: Metadata) =>
  createClient(CollectionServiceDefinition, channel).getCollection({ id: 'c' }, { metadata });
const REFUSED = { code: Status.UNAUTHENTICATED };

describe('a service', () => {
  it('serves a call that is signed for its method', async () => {
    expect(await call(signed())).toMatchObject({ id: 'c', name: 'team_1' });
  });

  it('rejects an unsigned or expired call, and one for another method or key, before a handler runs', async () => {
    handled = 0;
    const otherKey = readInternalKeys('another-installation-0123456789-xyz');
    const forgeries = [
      Metadata(),
      unsigned(),
      signed(PATH, Date.now() - 31_000),
      signed(PATH, Date.now() + 120_000),
      signed('/lectern.collection.v1.CollectionService/DeleteCollection'),
      signed(PATH, Date.now(), otherKey),
      unsigned().set(CALL_TOKEN_KEY, new Uint8Array(40)),
      unsigned().set(CALL_TOKEN_KEY, new Uint8Array(0)),
    ];
    for (const metadata of forgeries) await expect(call(metadata)).rejects.toMatchObject(REFUSED);
    expect(handled).toBe(0);
  });

  it('rejects a signed call with a changed team, key, scope, user, request id or other field', async () => {
    handled = 0;
    for (const change of [
      { teamId: 'team_2' },
      { keyId: newId('key') },
      { scope: { kind: 'all' } as const },
      { scope: { kind: 'only' as const, ids: ['col_1', 'col_2'] } },
      { userEmail: undefined },
      { userEmail: 'grace@example.com' },
    ]) {
      const metadata = signed();
      writeCaller(metadata, { ...origin.caller, ...change });
      await expect(call(metadata)).rejects.toMatchObject(REFUSED);
    }
    await expect(call(signed().set('lectern-request-id', 'req_other'))).rejects.toMatchObject(REFUSED);
    await expect(call(signed().set('lectern-anything', 'new'))).rejects.toMatchObject(REFUSED);
    await expect(call(signed().append('lectern-caller-bin', new Uint8Array(1)))).rejects.toMatchObject(REFUSED);
    expect(handled).toBe(0);
  });

  it('checks a stream when it starts', async () => {
    handled = 0;
    const client = createClient(SyncServiceDefinition, channel);
    const path = '/lectern.connector.v1.SyncService/WatchJob';
    const read = async (metadata: Metadata) => {
      const jobs = [];
      for await (const job of client.watchJob({ connectorId: 'c', jobId: 'j' }, { metadata })) jobs.push(job.id);
      return jobs;
    };
    await expect(read(unsigned())).rejects.toMatchObject(REFUSED);
    expect(handled).toBe(0);
    expect(await read(signed(path))).toEqual(['job']);
  });

  it('reports to probes only whether it accepts calls, and more only to signed calls', async () => {
    const health = createClient(HealthDefinition, channel);
    expect(await health.check({ service: '' })).toMatchObject({ status: 1 });
    await expect(health.check({ service: HEALTH_OF_ALL })).rejects.toMatchObject(REFUSED);
    const watch = health.watch({ service: HEALTH_OF_ALL })[Symbol.asyncIterator]();
    await expect(watch.next()).rejects.toMatchObject(REFUSED);
    const link = connectGrpc(`127.0.0.1:${server.port}`);
    expect(await link.healthy(2_000)).toBe(true);
    link.close();
  });

  it('accepts both keys during a rotation and returns internal_error for another key', async () => {
    const [oldText, newText] = ['the-key-before-0123456789-abcdefgh', 'the-key-of-now-9876543210-hgfedcba'];
    const log = createLogger({ service: 'test', level: 'silent' });
    const services = [
      serve(SyncServiceDefinition, {
        startSync: unused,
        startPermissionRefresh: unused,
        getJob: async () => ({ id: 'job' }),
        listJobs: unused,
        cancelJob: unused,
        watchJob: unused,
      }),
    ];
    const internalKeys = readInternalKeys(`${newText},${oldText}`);
    const both = await startGrpcServer({ address: '127.0.0.1:0', services, log, shutdownTimeoutMs: 0, internalKeys });
    const ask = async (text: string) => {
      const link = connectGrpc(`127.0.0.1:${both.port}`, readInternalKeys(text));
      const job = { connectorId: 'c', jobId: 'j' };
      return link
        .client(SyncServiceDefinition)
        .getJob(job, onBehalfOf(origin))
        .finally(() => link.close());
    };
    expect(await ask(oldText)).toMatchObject({ id: 'job' });
    expect(await ask(newText)).toMatchObject({ id: 'job' });
    await expect(ask('another-installation-0123456789-xyz')).rejects.toMatchObject({ code: 'internal_error' });
    await both.stop();
  });
});
