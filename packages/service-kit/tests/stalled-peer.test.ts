import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SyncServiceDefinition } from '@lectern/contracts';
import {
  type Caller,
  connectGrpc,
  createLogger,
  type GrpcConnection,
  type GrpcServer,
  onBehalfOf,
  serve,
  startGrpcServer,
} from '#index';

/** Longer than the interval of keep-alive pings (5 s) and any garbage collection or compilation. */
const STALL_MS = 12_000;

const caller: Caller = { teamId: 'team_1', keyId: 'key_1', scope: { kind: 'all' }, userEmail: undefined };
const { watchJob } = SyncServiceDefinition.methods;
const resumed = Promise.withResolvers<void>();
const sockets: Socket[] = [];

let server: GrpcServer;
let relay: Server;
let connection: GrpcConnection;

beforeAll(async () => {
  server = await startGrpcServer({
    address: '127.0.0.1:0',
    services: [
      serve(
        { ...SyncServiceDefinition, methods: { watchJob } },
        {
          async *watchJob() {
            yield { id: 'before' };
            await resumed.promise;
            yield { id: 'after' };
          },
        },
      ),
    ],
    log: createLogger({ service: 'test', level: 'silent' }),
    shutdownTimeoutMs: 200,
  });
  relay = createServer((near) => {
    const far = connect(server.port, '127.0.0.1');
    sockets.push(near, far);
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      from.on('data', (data) => to.write(data));
      from.on('close', () => to.destroy());
      from.on('error', () => to.destroy());
    }
  });
  const listening = Promise.withResolvers<void>();
  relay.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const address = relay.address();
  if (address === null || typeof address === 'string') throw new Error('The relay has no port.');
  connection = connectGrpc(`127.0.0.1:${address.port}`);
});
afterAll(async () => {
  connection.close();
  relay.close();
  for (const socket of sockets) socket.destroy();
  await server.stop();
});

describe('a stream whose peer does nothing for a while', () => {
  it('continues', async () => {
    const call = onBehalfOf({ caller, requestId: 'req_1', signal: new AbortController().signal });
    const stream = connection.client(SyncServiceDefinition).watchJob({ jobId: 'job_1' }, { ...call, deadline: 60_000 });
    const ids: (string | undefined)[] = [];
    for await (const { id } of stream) {
      ids.push(id);
      if (id !== 'before') continue;
      for (const socket of sockets) socket.pause();
      await pause(STALL_MS);
      for (const socket of sockets) socket.resume();
      resumed.resolve();
    }
    expect(ids).toEqual(['before', 'after']);
  }, 60_000);
});
