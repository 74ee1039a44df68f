import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type Engine, startNats } from '#index';
import { isAtLeast, natsVersion } from '#nats/version';
import { processIdentity } from '#process/identity';
import { natsBinary, scratchFolder } from './support/scratch.ts';

const scratch = scratchFolder();
const running: Engine[] = [];
const connections: NatsConnection[] = [];
let binary = '';

async function start(
  name: string,
  more: { port?: number; portIsFixed?: boolean; durable?: boolean } = {},
): Promise<Engine> {
  const engine = await startNats({ binary, storeDir: join(scratch.path, name), ...more });
  running.push(engine);
  return engine;
}

async function open(engine: Engine): Promise<NatsConnection> {
  const connection = await connect({ servers: engine.url, reconnect: false, timeout: 5_000 });
  connections.push(connection);
  return connection;
}

beforeAll(async () => {
  binary = await natsBinary();
});
afterEach(async () => {
  await Promise.all(connections.splice(0).map((connection) => connection.close()));
  await Promise.all(running.splice(0).map((engine) => engine.stop()));
});
afterAll(() => scratch.remove());

describe('startNats', () => {
  it('keeps its JetStream messages and port after a stop and a kill -9', async () => {
    const first = await start('kept');
    const before = await open(first);
    await (await jetstreamManager(before)).streams.add({ name: 'jobs', subjects: ['jobs.>'] });
    await jetstream(before).publish('jobs.one', 'first');
    await first.stop();
    expect(processIdentity(first.pid)).toBeUndefined();

    const second = await start('kept', { port: first.port });
    expect(second.port).toBe(first.port);
    await jetstream(await open(second)).publish('jobs.two', 'second');
    process.kill(second.pid, 'SIGKILL');
    expect(await second.exited).toMatchObject({ expected: false });

    const third = await start('kept', { port: first.port, portIsFixed: true });
    expect(third.port).toBe(first.port);
    const info = await (await jetstreamManager(await open(third))).streams.info('jobs');
    expect(info.state.messages).toBe(2);
  });

  it('listens only on 127.0.0.1, and syncs every write if the server supports it', async () => {
    await start('kept');
    const config = readFileSync(join(scratch.path, 'kept.conf'), 'utf8');
    expect(config).toContain('listen: "127.0.0.1:');
    expect(config.includes('sync_interval: always')).toBe(
      isAtLeast(await natsVersion(binary), { major: 2, minor: 10 }),
    );
  });

  it('runs two servers that prefer the same port', async () => {
    const one = await start('kept');
    const two = await start('other', { port: one.port });
    expect(two.port).not.toBe(one.port);
    await open(one);
    await open(two);
  });

  it('rejects a store that another launcher uses, and removes its pid file when it stops', async () => {
    const engine = await start('kept');
    await expect(start('kept')).rejects.toThrow(`is already running under process ${process.pid}`);
    await engine.stop();
    expect(existsSync(join(scratch.path, 'kept.pid.json'))).toBe(false);
  });

  it('reports a program that cannot run', async () => {
    await expect(startNats({ binary: '/nowhere/nats-server', storeDir: join(scratch.path, 'x') })).rejects.toThrow(
      '/nowhere/nats-server cannot run',
    );
  });
});
