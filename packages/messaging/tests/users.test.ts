import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Engine, NATS_PERMISSIONS, natsUserUrl, startNats } from '@lectern/local-engines';
import { createLogger } from '@lectern/service-kit';
import { temporaryFolder, waitUntil } from '@lectern/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  collectionDeleted,
  createMessaging,
  documentDeleted,
  documentIndex,
  keyChanged,
  type Messaging,
  queues,
  syncItem,
  syncPlan,
  syncProgress,
} from '../src/index.ts';
import { connectNats } from '../src/nats/connect.ts';

type Service = keyof typeof NATS_PERMISSIONS;
const SERVICES = ['gateway', 'collection', 'connector'] as const satisfies readonly Service[];
const log = createLogger({ service: 'test', level: 'silent' });
const users = SERVICES.map((name) => ({ name, password: `password of ${name}`, permissions: NATS_PERMISSIONS[name] }));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: Engine;
const messaging = {} as Record<Service, Messaging>;
const connections: NatsConnection[] = [];
const urlOf = (name: Service) => natsUserUrl(server.url, users.find((user) => user.name === name)!);

async function connection(name: Service): Promise<NatsConnection> {
  const opened = await connectNats({ url: urlOf(name), name });
  connections.push(opened);
  return opened;
}

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startNats({
    binary: process.env.LECTERN_TEST_NATS_SERVER!,
    storeDir: join(folder.path, 'nats'),
    durable: false,
    users,
  });
  for (const name of SERVICES) messaging[name] = await createMessaging({ url: urlOf(name), name, log });
});

afterAll(async () => {
  await Promise.all(Object.values(messaging).map((one) => one.close()));
  await Promise.all(connections.map((one) => one.close()));
  await server.stop();
  await folder.remove();
});

describe('the rights of the services', () => {
  it.each(queues)('let one service consume the queue $name, and some service fill it', ({ name, subject }) => {
    const may = (wanted: string) =>
      SERVICES.filter((service) => (NATS_PERMISSIONS[service].publish as readonly string[]).includes(wanted));
    expect(may(`$JS.API.CONSUMER.MSG.NEXT.LECTERN_WORK.${name}`)).toHaveLength(1);
    expect(may(subject).length).toBeGreaterThan(0);
  });
});

describe('a service with its own user', () => {
  it('may do all that it does: queue, consume, give up, announce and listen', async () => {
    const ids = { teamId: 't', connectorId: 'c', jobId: 'j' };
    const seen: string[] = [];
    const work = [
      ['collection', documentIndex, { teamId: 't', documentId: 'd' }],
      ['connector', syncPlan, ids],
      ['connector', syncItem, { ...ids, itemId: 'i' }],
    ] as const;
    const manager = await jetstreamManager(await connection('collection'), { checkAPI: false });
    for (const [name, queue, payload] of work) {
      await messaging[name].enqueue<unknown>(queue, payload, 'one');
      // A payload that no schema takes goes to the dead letters at once.
      await messaging[name].enqueue<unknown>(queue, { wrong: true }, 'two');
      const consumption = messaging[name].consume<unknown>(queue as never, async () => void seen.push(queue.name), {
        concurrency: 2,
        onDead: async () => undefined,
      });
      await waitUntil(() => seen.includes(queue.name), { what: queue.name, timeoutMs: 20_000 });
      await consumption.stop(1_000);
    }
    const isDone = async () =>
      (await manager.streams.info('LECTERN_WORK')).state.messages === 0 &&
      (await manager.streams.info('LECTERN_DEAD')).state.messages === work.length;
    await waitUntil(isDone, { what: 'every message to be acknowledged or given up', timeoutMs: 20_000 });

    const heard: string[] = [];
    messaging.gateway.listen(keyChanged, [], () => heard.push('key'));
    messaging.connector.listen(collectionDeleted, [], () => heard.push('collection'));
    messaging.connector.listen(documentDeleted, [], () => heard.push('document'));
    messaging.connector.listen(syncProgress, ['t', 'c', 'j'], () => heard.push('progress'));
    await Promise.all(Object.values(messaging).map((one) => one.ping()));
    messaging.gateway.announce(keyChanged, { teamId: 't', pairId: 'p' });
    messaging.collection.announce(collectionDeleted, { teamId: 't', collectionId: 'c' });
    messaging.collection.announce(documentDeleted, { teamId: 't', documentId: 'd' });
    messaging.connector.announce(syncProgress, { ...ids, status: 'running' });
    await waitUntil(() => heard.length === 4, { what: 'every event', timeoutMs: 10_000 });
    expect(heard.sort()).toEqual(['collection', 'document', 'key', 'progress']);
  });

  it.each([
    ['gateway', 'lectern.work.>'],
    ['gateway', 'lectern.sync.>'],
    ['gateway', '_INBOX.>'],
    ['collection', '_INBOX.connector.>'],
    ['collection', 'lectern.keys.>'],
    ['connector', 'lectern.work.>'],
    ['connector', '>'],
  ] as const)('is not let listen where it has no business: %s at %s', async (name, subject) => {
    const nats = await connection(name);
    const refused = new Promise((resolve) => nats.subscribe(subject, { callback: (error) => resolve(error?.name) }));
    expect(await refused).toBe('PermissionViolationError');
  });

  it.each([
    ['gateway', 'lectern.work.sync-plan'],
    ['gateway', '$JS.API.STREAM.DELETE.LECTERN_WORK'],
    ['gateway', '$JS.API.STREAM.MSG.GET.LECTERN_WORK'],
    ['gateway', '$JS.API.CONSUMER.MSG.NEXT.LECTERN_WORK.sync-item'],
    ['collection', 'lectern.work.sync-item'],
    ['collection', '$JS.API.CONSUMER.MSG.NEXT.LECTERN_WORK.sync-item'],
    ['collection', '$JS.API.STREAM.PURGE.LECTERN_WORK'],
    ['connector', 'lectern.keys.t.p.changed'],
    ['connector', 'lectern.collections.t.c.deleted'],
    ['connector', '$JS.API.CONSUMER.DELETE.LECTERN_WORK.document-index'],
  ] as const)('is not let publish where it has no business: %s at %s', async (name, subject) => {
    const nats = await connection(name);
    const refused = (async () => {
      for await (const status of nats.status()) if (status.type === 'error') return status.error.name;
      return undefined;
    })();
    nats.publish(subject, '{}');
    expect(await refused).toBe('PermissionViolationError');
  });
});

describe('a server with users', () => {
  it('lets nobody in without a password, or with a wrong one, and says what to do', async () => {
    const { host } = new URL(server.url);
    for (const login of ['', 'collection:guess@', 'collection@', 'nobody:@'])
      await expect(
        connectNats({ url: `nats://${login}${host}`, name: 'collection', connectTimeoutMs: 0 }),
      ).rejects.toThrow('NATS rejects the user or password in NATS_URL');
  });
});
